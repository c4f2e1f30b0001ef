"""Everything compiled once."""

from __future__ import annotations

import numpy as np

import gridlos
from gridlos.battlemap import BattleMap
from gridlos.creature import Creature
from gridlos.walls import Wall

__all__ = ["warm_up"]

DRAWING = """
X..Y.....
#########
.........
.A#B..OO.
..w.f.OO.

O ogre large
wall (3, 0.25)-(0.75, 0.75)
wall (2, 2.5)-(4.5, 4.25)
wall glass (6, 2)-(6, 3) window
"""


def warm_up() -> None:
    """Ask a small scene every question, which compiles every kernel or reads it from the cache."""
    scene = gridlos.Scene.from_drawing(DRAWING)
    for attack in ("ranged", "melee"):
        for verdict in gridlos.evaluate(scene, edition="pathfinder1", attack=attack):
            verdict.explain()
    for verdict in gridlos.evaluate(scene, edition="pathfinder2"):
        verdict.explain()
    gridlos.evaluate(scene, edition="dnd5e")
    gridlos.evaluate(scene, edition="starfinder1", options={"edge_contact": "blocked_for_walls_only"})
    gridlos.Board(scene, edition="pathfinder1").move("A", (2, 2))
    gridlos.evaluate(gridlos.Scene.from_drawing("A.B.C" + "." * 9_000), edition="dnd5e")  # soft cover on a very large map
    parapet = BattleMap.from_rows(["...."], walls=[Wall(start=(2, 0), end=(2, 1), top=6)])
    above = Creature(id="A", at=(0, 0), elevation=8), Creature(id="B", at=(3, 0))
    gridlos.evaluate(gridlos.Scene(parapet, above), edition="pathfinder1")
    for walls in ([], [(1.5, 0.25, 3.25, 1.75)]):
        plain = gridlos.Scene.from_drawing("A.#..\n.....", walls=walls)
        gridlos.field(plain, edition="pathfinder1")
        for memory, along in ((0, False), (1_000_000, True), (1_000_000, False)):
            pairs = gridlos.all_pairs(plain, edition="pathfinder1", memory=memory, along=along)
            for ask in (pairs.blocked_lines, pairs.least_blocked):
                ask(np.zeros((1, 4), np.int64))
            pairs.least_blocked_from(0, 0)

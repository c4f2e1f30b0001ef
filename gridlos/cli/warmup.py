"""Everything compiled once."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import numpy as np

import gridlos
from gridlos.walls import Wall

__all__ = ["ask_all", "warm_up"]

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

_FROM_THE_END = "from gridlos.cli.warmup import ask_all; ask_all(from_the_end=True)"


def warm_up() -> None:
    """Ask small scenes every question, which compiles every kernel or reads it from the cache.

    Where there is a second core, a second process begins with the last question: each finds in the cache what the other
    has compiled.
    """
    with _second_process():
        ask_all()


def ask_all(*, from_the_end: bool = False) -> None:
    """Ask every question, one after the other."""
    for ask in reversed(_QUESTIONS) if from_the_end else _QUESTIONS:
        ask()


@contextmanager
def _second_process() -> Iterator[None]:
    from gridlos.kernels.jit import cache_folder  # noqa: PLC0415 - numba takes longer to import than all the rest

    if not sys.executable or cache_folder() is None or (os.cpu_count() or 1) == 1:
        yield
        return
    code = f"import sys; sys.path[:] = {sys.path!r}; {_FROM_THE_END}"
    no = subprocess.DEVNULL
    with subprocess.Popen([sys.executable, "-P", "-c", code], stdin=no, stdout=no, stderr=no) as process:  # noqa: S603 - our own code
        try:
            yield
        finally:
            process.kill()


def _explained(scene: gridlos.Scene, edition: str, attack: str = "ranged") -> None:
    for verdict in gridlos.evaluate(scene, edition=edition, attack=attack):
        verdict.explain()


def _along_walls() -> None:
    gridlos.evaluate(_scene(), edition="starfinder1", options={"edge_contact": "blocked_for_walls_only"})


def _soft_on_a_very_large_map() -> None:
    gridlos.evaluate(gridlos.Scene.from_drawing("A.B.C" + "." * 9_000), edition="dnd5e")


def _past(wall: Wall, first: tuple[int, int], second: tuple[int, int]) -> None:
    """Ask for lines between two, one of them 8 ft above the other, in a room of three by three squares with a wall."""
    creatures = gridlos.Creature(id="A", at=first, elevation=8), gridlos.Creature(id="B", at=second)
    gridlos.evaluate(gridlos.Scene(gridlos.BattleMap.from_rows(["..."] * 3, walls=[wall]), creatures), edition="pathfinder1")


def _parted() -> None:
    scene = gridlos.Scene.from_drawing("A.B\n...\n...\nC.D", walls=[(0, 1.25, 3, 2.5)])
    gridlos.evaluate(scene, edition="pathfinder1")


def _of_squares(*walls: tuple[float, float, float, float]) -> None:
    plain = gridlos.Scene.from_drawing("A.#..\n.....", walls=walls)
    gridlos.field(plain, edition="pathfinder1")
    for memory, along in ((0, False), (1_000_000, True), (1_000_000, False)):
        pairs = gridlos.all_pairs(plain, edition="pathfinder1", memory=memory, along=along)
        for ask in (pairs.blocked_lines, pairs.least_blocked):
            ask(np.zeros((1, 4), np.int64))
        pairs.least_blocked_from(0, 0)


def _scene() -> gridlos.Scene:
    return gridlos.Scene.from_drawing(DRAWING)


_QUESTIONS: tuple[Callable[[], object], ...] = (
    lambda: _explained(_scene(), "pathfinder1"),
    lambda: _explained(_scene(), "pathfinder1", "melee"),
    lambda: _explained(_scene(), "pathfinder2"),
    lambda: gridlos.evaluate(_scene(), edition="dnd5e"),
    _along_walls,
    lambda: gridlos.Board(_scene(), edition="pathfinder1").move("A", (2, 2)),
    lambda: gridlos.Board(gridlos.Scene.from_drawing("A.B\n#.C"), edition="pathfinder1", attack="melee").move("C", (1, 1)),
    _soft_on_a_very_large_map,
    lambda: _past(Wall(start=(1, 0), end=(1, 3), top=6), (0, 1), (2, 1)),
    lambda: _past(Wall(start=(2, 3), end=(0.25, 2.25)), (0, 2), (2, 2)),
    lambda: _past(Wall(start=(0, 0.25), end=(3, 2), blocks_from="left"), (0, 0), (2, 2)),
    _parted,
    _of_squares,
    lambda: _of_squares((1.5, 0.25, 3.25, 1.75)),
)
"""Which kernels are compiled first matters where two processes compile: those of squares have few in common with the others."""

"""Everything compiled once."""

from __future__ import annotations

import gridlos

__all__ = ["warm_up"]

DRAWING = """
.......
.A.#.OO
.....OO

O ogre large
wall (2, 0.5)-(4.5, 2.25)
wall glass (5, 0)-(5, 1) window
"""


def warm_up() -> None:
    """Ask a small scene every question, which compiles every kernel or reads it from the cache."""
    scene = gridlos.Scene.from_drawing(DRAWING)
    for verdict in gridlos.evaluate(scene, edition="pathfinder1"):
        verdict.explain()

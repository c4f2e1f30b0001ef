"""Drawings as files (``*.txt``): see :mod:`gridlos.drawing` for what they look like."""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING

from gridlos.errors import MapFileError, SceneError
from gridlos.formats.reading import in_file
from gridlos.scene import Scene

if TYPE_CHECKING:
    from gridlos.formats.files import Limits

__all__ = ["scene_from_text"]

_WALL = re.compile(r"^[ \t]*wall[ \t]", re.MULTILINE)


def scene_from_text(text: str, *, file: str = "", limits: Limits) -> Scene:
    """Return the scene in the text of a drawing.

    Raises
    ------
    MapFileError
        One line: the file, the line in it, what is wrong and what would be right.
    """
    _check_size(text, file, limits)
    try:
        scene = Scene.from_drawing(text)
    except SceneError as error:
        raise in_file(error, file) from error
    battle_map = scene.battle_map
    limits.check(
        file,
        squares=battle_map.rows * battle_map.cols,
        walls=len(battle_map.walls),
        creatures=len(scene.creatures),
    )
    return scene


def _check_size(text: str, file: str, limits: Limits) -> None:
    """Raise MapFileError for a drawing with more lines of walls, or more lines at all, than it may have."""
    if text.count("wall") > limits.walls:
        n_walls = sum(1 for _ in islice(_WALL.finditer(text), limits.walls + 1))
        if n_walls > limits.walls:
            problem = f"more than {limits.walls} walls, which is the limit; Limits(walls=...) allows more"
            raise MapFileError(file, problem)
    n_lines, most = text.count("\n"), limits.squares + limits.walls + limits.creatures**2
    if n_lines > most:
        raise MapFileError(file, f"{n_lines} lines, and the limit is {most}; Limits(squares=...) allows more")

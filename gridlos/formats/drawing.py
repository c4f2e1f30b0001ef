"""Drawings as files (``*.txt``): see :mod:`gridlos.drawing` for what they look like."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gridlos.errors import SceneError
from gridlos.formats.reading import in_file
from gridlos.scene import Scene

if TYPE_CHECKING:
    from gridlos.formats.files import Limits

__all__ = ["scene_from_text"]


def scene_from_text(text: str, *, file: str = "", limits: Limits) -> Scene:
    """Return the scene in the text of a drawing.

    Raises
    ------
    MapFileError
        One line: the file, the line in it, what is wrong and what would be right.
    """
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

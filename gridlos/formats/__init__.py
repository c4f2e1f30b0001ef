"""Files that hold a scene: what a file is, reading it, writing it."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from gridlos.errors import MapFileError
from gridlos.formats.drawing import scene_from_text
from gridlos.formats.files import Limits, read_bytes, text_from, write_bytes
from gridlos.formats.scene_json import json_from, load_scene_json, scene_from_data, scene_from_json, scene_schema, to_scene_json
from gridlos.scene import Scene

__all__ = ["Limits", "load", "load_scene_json", "save", "scene_from_json", "scene_schema", "to_scene_json"]

_DEFAULT_LIMITS = Limits()


def load(path: str | os.PathLike[str], *, limits: Limits = _DEFAULT_LIMITS) -> Scene:
    """Return the scene in a file: a scene file or a drawing, told apart by what it holds.

    Parameters
    ----------
    path
        The file.
    limits
        How much it may hold.

    Raises
    ------
    MapFileError
        One line: the file, the place in it, what is wrong and what would be right.
    """
    file = os.fspath(path)
    text = text_from(read_bytes(path, limits=limits), file)
    start = text.lstrip()[:1]
    ending = "".join(Path(file).suffixes[-2:]).lower()
    if start == "{" or ending.endswith(".json"):
        data = json_from(text, file)
        if other := _other_format(data):
            raise MapFileError(file, f"not a format that gridlos reads yet: {other}")
        return scene_from_data(data, file=file, limits=limits)
    if text.lstrip().startswith(("<?xml", "<map")):
        raise MapFileError(file, "not a format that gridlos reads yet: XML, perhaps of Tiled")
    if text.startswith("type octile"):
        raise MapFileError(file, "not a format that gridlos reads yet: MovingAI")
    return scene_from_text(text, file=file, limits=limits)


def _other_format(data: object) -> str | None:
    """Return whose JSON it is if it is somebody else's."""
    if not isinstance(data, dict) or "schema" in data:
        return None
    if "line_of_sight" in data or {"resolution", "portals"} <= set(data):
        return "Universal VTT"
    if "walls" in data and {"grid", "tokens"} & set(data) or "scenes" in data:
        return "Foundry VTT"
    if "tiledversion" in data or {"layers", "tilesets"} <= set(data):
        return "Tiled"
    if {"rects", "doors"} <= set(data):
        return "One Page Dungeon"
    if {"cells", "cell_bit"} <= set(data):
        return "donjon"
    return None


def save(scene: Scene, path: str | os.PathLike[str]) -> None:
    """Write a scene: a scene file (``*.scene.json``, ``*.json``) or a drawing (``*.txt``) by the ending, all or nothing.

    ``/dev/stdout`` gets a scene file.

    Raises
    ------
    MapFileError
        For another ending, or if the file cannot be written.
    """
    file = os.fspath(path)
    if file == "/dev/stdout":
        sys.stdout.buffer.write(to_scene_json(scene))
        sys.stdout.buffer.flush()
        return
    ending = Path(file).suffix.lower()
    if ending == ".json":
        content = to_scene_json(scene)
    elif ending == ".txt":
        content = scene.to_drawing().encode()
    else:
        raise MapFileError(file, f"gridlos writes no {ending or 'files without an ending'!r}; use .scene.json or .txt")
    write_bytes(path, content)

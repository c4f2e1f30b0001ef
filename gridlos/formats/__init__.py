"""Files that hold a scene: what a file is, reading it, writing it."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from gridlos.errors import MapFileError
from gridlos.formats.creatures import load_creatures, with_creatures
from gridlos.formats.drawing import scene_from_text
from gridlos.formats.files import Limits, read_bytes, text_from, write_bytes
from gridlos.formats.scene_json import json_from, load_scene_json, scene_from_data, scene_from_json, to_scene_json
from gridlos.formats.schema import scene_schema, shipped_schema
from gridlos.formats.uvtt import UVTT_ENDINGS, UvttOptions, load_uvtt, scene_from_uvtt
from gridlos.formats.uvtt_write import to_uvtt, uvtt_copy

if TYPE_CHECKING:
    from typing import Unpack

    from gridlos.scene import Scene

__all__ = [
    "Limits",
    "UvttOptions",
    "load",
    "load_creatures",
    "load_scene_json",
    "load_uvtt",
    "save",
    "scene_from_json",
    "scene_from_uvtt",
    "scene_schema",
    "shipped_schema",
    "to_scene_json",
    "to_uvtt",
    "with_creatures",
]

_DEFAULT_LIMITS = Limits()
_KEYS_OF_UVTT = (frozenset({"line_of_sight"}), frozenset({"resolution", "portals"}))
_KEYS_OF_OTHERS = (
    (frozenset({"walls", "grid"}), "Foundry VTT"),
    (frozenset({"walls", "tokens"}), "Foundry VTT"),
    (frozenset({"scenes"}), "Foundry VTT"),
    (frozenset({"layers", "tilesets"}), "Tiled"),
    (frozenset({"rects", "doors"}), "One Page Dungeon"),
    (frozenset({"cells", "cell_bit"}), "donjon"),
)


def load(path: str | os.PathLike[str], *, limits: Limits = _DEFAULT_LIMITS, **options: Unpack[UvttOptions]) -> Scene:
    """Return the scene in a file: a scene file, a Universal VTT map or a drawing, told apart by content, then ending.

    Parameters
    ----------
    path
        The file.
    limits
        How much it may hold.
    **options
        How a Universal VTT map is read; see :func:`~gridlos.formats.uvtt.load_uvtt`.

    Raises
    ------
    MapFileError
        One line: the file, the place in it, what is wrong and what would be right.
    """
    file = os.fspath(path)
    ending = Path(file).suffix.lower()
    if ending in UVTT_ENDINGS:
        return load_uvtt(path, limits=limits, **options)
    content = read_bytes(path, limits=limits)
    text = text_from(content, file)
    start = text.lstrip()
    if start.startswith(("<?xml", "<map")):
        raise MapFileError(file, "not a format that gridlos reads yet: XML, perhaps of Tiled")
    if start.startswith("type octile"):
        raise MapFileError(file, "not a format that gridlos reads yet: MovingAI")
    if start.startswith("{") and ending == ".db":
        raise MapFileError(file, "not a format that gridlos reads yet: a pack of Foundry VTT")
    if start.startswith("{") or ending == ".json":
        data = json_from(text, file)
        if _is_uvtt(data, file):
            return scene_from_uvtt(content, file=file, limits=limits, **options)
        _refuse(options, file)
        return scene_from_data(data, file=file, limits=limits)
    if ending in ("", ".txt"):
        _refuse(options, file)
        return scene_from_text(text, file=file, limits=limits)
    raise MapFileError(file, f"not a format that gridlos reads: {ending}; give a .scene.json or a drawing in .txt")


def _is_uvtt(data: object, file: str) -> bool:
    """Return whether JSON is a Universal VTT map and no scene file; MapFileError for formats that are not read yet."""
    if not isinstance(data, dict) or "schema" in data:
        return False
    if any(keys <= data.keys() for keys in _KEYS_OF_UVTT):
        return True
    for keys, owner in _KEYS_OF_OTHERS:
        if keys <= data.keys():
            raise MapFileError(file, f"not a format that gridlos reads yet: {owner}")
    return False


def _refuse(options: UvttOptions, file: str) -> None:
    if options:
        raise MapFileError(file, f"{', '.join(options)}: for Universal VTT maps only, and this is none")


def save(scene: Scene, path: str | os.PathLike[str]) -> tuple[str, ...]:
    """Write a scene by the ending of the file, all or nothing, and return what of the scene is not in it.

    A scene file (``*.scene.json``) and a drawing (``*.txt``) hold all; a Universal VTT map (``*.uvtt``, ``*.dd2vtt``)
    does not, see :func:`~gridlos.formats.uvtt_write.uvtt_copy`. ``/dev/stdout`` gets a scene file.

    Raises
    ------
    MapFileError
        For another ending, or if the file cannot be written.
    """
    file = os.fspath(path)
    if file == "/dev/stdout":
        sys.stdout.buffer.write(to_scene_json(scene))
        sys.stdout.buffer.flush()
        return ()
    ending = Path(file).suffix.lower()
    if ending in UVTT_ENDINGS:
        copy = uvtt_copy(scene)
        write_bytes(path, copy.content)
        return copy.warnings
    if ending not in (".json", ".txt"):
        right = "give .scene.json, .txt, .uvtt or .dd2vtt"
        raise MapFileError(file, f"gridlos writes no {ending or 'files without ending'}; {right}")
    write_bytes(path, to_scene_json(scene) if ending == ".json" else scene.to_drawing().encode())
    return ()

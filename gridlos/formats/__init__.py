"""Files that hold a scene: what a file is, reading it, writing it."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from gridlos.errors import MapFileError
from gridlos.formats.creatures import load_creatures, with_creatures
from gridlos.formats.donjon import scene_from_donjon
from gridlos.formats.drawing import scene_from_text
from gridlos.formats.files import Limits, read_bytes, text_from, write_bytes
from gridlos.formats.letters import LettersOptions, load_legend
from gridlos.formats.movingai import is_movingai, scene_from_movingai
from gridlos.formats.roguelike import is_roguelike, scene_from_roguelike
from gridlos.formats.scene_json import json_from, load_scene_json, scene_from_data, scene_from_json, to_scene_json
from gridlos.formats.schema import scene_schema, shipped_schema
from gridlos.formats.squares import SquaresOptions
from gridlos.formats.tiled import TiledOptions, scene_from_tiled, scene_from_tmx
from gridlos.formats.uvtt import UVTT_ENDINGS, UvttOptions, load_uvtt, scene_from_uvtt
from gridlos.formats.watabou import WatabouOptions, scene_from_watabou

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, Unpack

    from gridlos.scene import Scene

__all__ = [
    "LettersOptions",
    "Limits",
    "LoadOptions",
    "SquaresOptions",
    "TiledOptions",
    "UvttOptions",
    "WatabouOptions",
    "load",
    "load_creatures",
    "load_legend",
    "load_scene_json",
    "load_uvtt",
    "save",
    "scene_from_donjon",
    "scene_from_json",
    "scene_from_movingai",
    "scene_from_roguelike",
    "scene_from_tiled",
    "scene_from_tmx",
    "scene_from_uvtt",
    "scene_from_watabou",
    "scene_schema",
    "shipped_schema",
    "to_scene_json",
    "with_creatures",
]

_DEFAULT_LIMITS = Limits()
_KEYS_OF_UVTT = (frozenset({"line_of_sight"}), frozenset({"resolution", "portals"}))
_KEYS_OF_OTHERS = (
    (frozenset({"walls", "grid"}), "Foundry VTT"),
    (frozenset({"walls", "tokens"}), "Foundry VTT"),
    (frozenset({"scenes"}), "Foundry VTT"),
)
_STARTS_OF_XML = ("<?xml", "<map", "<tileset", "<!")
_HELD_A_WALL, _VALUES_A_WALL, _VALUES_A_SQUARE = 20, 40, 8


class LoadOptions(UvttOptions, TiledOptions, WatabouOptions, LettersOptions, total=False):
    """How :func:`load` reads a file; an option for another format than the file's is an error."""


_UVTT, _TILED, _WATABOU, _DONJON = "Universal VTT maps", "maps of Tiled", "One Page Dungeons", "dungeons of donjon"
_MOVINGAI, _ROGUELIKE = "maps of MovingAI", "drawings of roguelike games"
_OPTIONS: Mapping[str, frozenset[str]] = {
    _UVTT: UvttOptions.__optional_keys__,
    _TILED: TiledOptions.__optional_keys__,
    _WATABOU: WatabouOptions.__optional_keys__,
    _DONJON: SquaresOptions.__optional_keys__,
    _MOVINGAI: LettersOptions.__optional_keys__,
    _ROGUELIKE: LettersOptions.__optional_keys__,
}
_JSON_OF_SQUARES: tuple[tuple[frozenset[str], Callable[..., Scene], str], ...] = (
    (frozenset({"layers", "tilewidth"}), scene_from_tiled, _TILED),
    (frozenset({"rects", "doors"}), scene_from_watabou, _WATABOU),
    (frozenset({"cells", "cell_bit"}), scene_from_donjon, _DONJON),
)
"""Formats by the keys that they have, and their readers."""


def load(path: str | os.PathLike[str], *, limits: Limits = _DEFAULT_LIMITS, **options: Unpack[LoadOptions]) -> Scene:
    """Return the scene in a file, whatever it is: formats are told apart by content, then by ending.

    Scene files, drawings, Universal VTT maps, maps of Tiled, One Page Dungeons, dungeons of donjon, maps of MovingAI,
    drawings of roguelike games (``.txt`` with signs that gridlos's own drawings do not have, or any text if ``letters``
    are given).

    Parameters
    ----------
    path
        The file.
    limits
        How much it may hold.
    **options
        How it is read; see :func:`~gridlos.formats.uvtt.load_uvtt`, :func:`~gridlos.formats.tiled.scene_from_tiled`,
        :func:`~gridlos.formats.watabou.scene_from_watabou`, :func:`~gridlos.formats.donjon.scene_from_donjon`,
        :func:`~gridlos.formats.movingai.scene_from_movingai`, :func:`~gridlos.formats.roguelike.scene_from_roguelike`.

    Raises
    ------
    MapFileError
        One line: the file, the place in it, what is wrong and what would be right.
    """
    file = os.fspath(path)
    ending = Path(file).suffix.lower()
    if ending in UVTT_ENDINGS:
        return load_uvtt(path, limits=limits, **_only(options, _UVTT, file))
    content = read_bytes(path, limits=limits)
    text = text_from(content, file)
    start = text[:65536].lstrip()
    if start.startswith(_STARTS_OF_XML) or ending in (".tmx", ".tsx"):
        return scene_from_tmx(text, file=file, limits=limits, **_only(options, _TILED, file))
    if start.startswith("{") and ending == ".db":
        raise MapFileError(file, "not a format that gridlos reads yet: a pack of Foundry VTT")
    if start.startswith("{") or ending in (".json", ".tmj"):
        return _from_json(content, text, file, limits, options)
    if is_movingai(text) or ending == ".map":
        known = _only(options, _MOVINGAI, file)
        return scene_from_movingai(text, file=file, limits=limits, **known)
    if "letters" in options or (ending in ("", ".txt") and is_roguelike(text, limits)):
        known = _only(options, _ROGUELIKE, file)
        return scene_from_roguelike(text, file=file, limits=limits, **known)
    if ending in ("", ".txt"):
        _only(options, "drawings", file)
        return scene_from_text(text, file=file, limits=limits)
    raise MapFileError(file, f"not a format that gridlos reads: {ending}; give a .scene.json or a drawing in .txt")


def _from_json(content: bytes, text: str, file: str, limits: Limits, options: Mapping[str, Any]) -> Scene:
    """Return the scene in JSON, whatever it is."""
    n_held, most = text.count("[") + text.count("{"), 1000 + _HELD_A_WALL * limits.walls
    if n_held > most:
        raise MapFileError(file, f"{n_held} lists and objects, and the limit is {most}; Limits(walls=...) allows more")
    n_values, most = text.count(","), 1000 + _VALUES_A_WALL * limits.walls + _VALUES_A_SQUARE * limits.squares
    if n_values > most:
        raise MapFileError(file, f"{n_values} values, and the limit is {most}; Limits(squares=...) allows more")
    data = json_from(text, file)
    if _is_uvtt(data, file):
        known = _only(options, _UVTT, file)
        return scene_from_uvtt(content, file=file, limits=limits, **known)
    if isinstance(data, dict) and "schema" not in data:
        for keys, scene_from, name in _JSON_OF_SQUARES:
            if keys <= data.keys():
                return scene_from(data, file=file, limits=limits, **_only(options, name, file))
    _only(options, "scene files", file)
    return scene_from_data(data, file=file, limits=limits)


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


def _only(options: Mapping[str, Any], own: str, file: str) -> Any:  # noqa: ANN401 - any options
    """Return the options; MapFileError for one that is not for this format."""
    for name in options:
        if name not in _OPTIONS.get(own, ()):
            others = [other for other, names in _OPTIONS.items() if name in names]
            listed = " and ".join(", ".join(others).rsplit(", ", 1)) or "no format"
            raise MapFileError(file, f"{name}: for {listed} only, and this is one of the {own}")
    return options


def save(scene: Scene, path: str | os.PathLike[str]) -> None:
    """Write a scene as a scene file (``*.scene.json``) or a drawing (``*.txt``), by the ending, all or nothing.

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
    if ending not in (".json", ".txt"):
        raise MapFileError(file, f"gridlos writes no {ending or 'files without ending'}; give .scene.json or .txt")
    write_bytes(path, to_scene_json(scene) if ending == ".json" else scene.to_drawing().encode())

"""Files that hold a scene: what a file is, reading it, writing it."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gridlos.errors import MapFileError
from gridlos.formats.creatures import load_creatures, with_creatures
from gridlos.formats.donjon import scene_from_donjon
from gridlos.formats.drawing import scene_from_text
from gridlos.formats.files import DEFAULT_LIMITS, Limits, read_bytes, text_from, write_bytes
from gridlos.formats.foundry import (
    FoundryOptions,
    foundry_scene_names,
    load_foundry,
    scene_from_foundry,
    scene_from_pack,
)
from gridlos.formats.foundry_file import is_foundry
from gridlos.formats.foundry_pack import Pack, is_foundry_folder, pack_from_path, pack_from_text
from gridlos.formats.letters import LettersOptions, load_legend
from gridlos.formats.movingai import is_movingai, scene_from_movingai
from gridlos.formats.roguelike import is_roguelike, scene_from_roguelike
from gridlos.formats.scene_json import json_from, load_scene_json, scene_from_data, scene_from_json, to_scene_json
from gridlos.formats.schema import scene_schema, shipped_schema
from gridlos.formats.squares import SquaresOptions
from gridlos.formats.tiled import TiledOptions, scene_from_tiled, scene_from_tmx
from gridlos.formats.uvtt import UVTT_ENDINGS, UvttOptions, load_uvtt, scene_from_uvtt
from gridlos.formats.uvtt_write import to_uvtt, uvtt_copy
from gridlos.formats.watabou import WatabouOptions, scene_from_watabou

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Unpack

    from gridlos.scene import Scene

__all__ = [
    "FoundryOptions",
    "LettersOptions",
    "Limits",
    "LoadOptions",
    "SquaresOptions",
    "TiledOptions",
    "UvttOptions",
    "WatabouOptions",
    "file_stems",
    "foundry_scene_names",
    "load",
    "load_creatures",
    "load_foundry",
    "load_legend",
    "load_scene_json",
    "load_uvtt",
    "save",
    "scene_from_donjon",
    "scene_from_foundry",
    "scene_from_json",
    "scene_from_movingai",
    "scene_from_roguelike",
    "scene_from_tiled",
    "scene_from_tmx",
    "scene_from_uvtt",
    "scene_from_watabou",
    "scene_names",
    "scene_schema",
    "scenes_at",
    "shipped_schema",
    "to_scene_json",
    "to_uvtt",
    "with_creatures",
]

_KEYS_OF_UVTT = (frozenset({"line_of_sight"}), frozenset({"resolution", "portals"}))
_KEYS_OF_OTHERS = ((frozenset({"pixelsPerTile"}), "Dungeon Alchemist"),)
_STARTS_OF_XML = ("<?xml", "<map", "<tileset", "<!")
_HELD_A_WALL, _VALUES_A_WALL, _VALUES_A_SQUARE = 20, 40, 8
_DEVICES = frozenset({"con", "prn", "aux", "nul", *(f"{port}{n}" for port in ("com", "lpt") for n in range(1, 10))})


class LoadOptions(UvttOptions, FoundryOptions, TiledOptions, WatabouOptions, LettersOptions, total=False):
    """How :func:`load` reads a file; an option for another format than the file's is an error."""


_UVTT, _FOUNDRY, _TILED = "Universal VTT maps", "scenes of Foundry VTT", "maps of Tiled"
_WATABOU, _DONJON = "One Page Dungeons", "dungeons of donjon"
_MOVINGAI, _ROGUELIKE = "maps of MovingAI", "drawings of roguelike games"
_OPTIONS: Mapping[str, frozenset[str]] = {
    _UVTT: UvttOptions.__optional_keys__,
    _FOUNDRY: FoundryOptions.__optional_keys__,
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


def load(
    path: str | os.PathLike[str],
    *,
    scene: str | None = None,
    limits: Limits = DEFAULT_LIMITS,
    **options: Unpack[LoadOptions],
) -> Scene:
    """Return the scene in a file, whatever it is: formats are told apart by content, then by ending.

    Scene files, drawings, Universal VTT maps, scenes and packs of Foundry VTT (files or folders), maps of Tiled, One Page
    Dungeons, dungeons of donjon, maps of MovingAI, drawings of roguelike games (``.txt`` with signs that gridlos's own
    drawings do not have, or any text if ``letters`` are given).

    Parameters
    ----------
    path
        The file, or the folder of a pack.
    scene
        Which scene of a pack of Foundry VTT, by name or id; None: the only one.
    limits
        How much it may hold.
    **options
        How it is read; see :func:`~gridlos.formats.uvtt.load_uvtt`, :func:`~gridlos.formats.foundry.load_foundry`,
        :func:`~gridlos.formats.tiled.scene_from_tiled`, :func:`~gridlos.formats.watabou.scene_from_watabou`,
        :func:`~gridlos.formats.donjon.scene_from_donjon`, :func:`~gridlos.formats.movingai.scene_from_movingai`,
        :func:`~gridlos.formats.roguelike.scene_from_roguelike`.

    Raises
    ------
    MapFileError
        One line: the file, the place in it, what is wrong and what would be right.
    """
    file = os.fspath(path)
    if Path(file).suffix.lower() in UVTT_ENDINGS and not is_foundry_folder(Path(path)):
        return _alone(load_uvtt(path, limits=limits, **_only(options, _UVTT, file)), scene, file)
    pack, content, text = _opened(path, limits)
    if pack is not None:
        return scene_from_pack(pack, scene=scene, limits=limits, **_only(options, _FOUNDRY, file))
    return _alone(_from_text(content, text, file, limits, options), scene, file)


def scenes_at(
    path: str | os.PathLike[str], *, limits: Limits = DEFAULT_LIMITS, **options: Unpack[LoadOptions]
) -> tuple[tuple[str | None, Callable[[], Scene]], ...]:
    """Return the scenes in a file or folder: what each is asked for by, and what reads it, as :func:`load` would.

    The file itself is read once for all of them. What is no pack of Foundry VTT has one scene, and that no name.

    Raises
    ------
    MapFileError
        If the pack cannot be read; what reads a scene raises it for that scene.
    """
    file = os.fspath(path)
    is_pack = Path(file).suffix.lower() not in UVTT_ENDINGS or is_foundry_folder(Path(path))
    pack, content, text = _opened(path, limits) if is_pack else (None, b"", "")
    if pack is not None:
        known = _only(options, _FOUNDRY, file)
        return tuple(
            (name, partial(scene_from_pack, pack, scene=name, limits=limits, **known)) for name in pack.names
        ) or ((None, partial(scene_from_pack, pack, limits=limits, **known)),)
    if is_pack:
        return ((None, partial(_from_text, content, text, file, limits, options)),)
    return ((None, partial(load, path, limits=limits, **options)),)


def _opened(path: str | os.PathLike[str], limits: Limits) -> tuple[Pack | None, bytes, str]:
    """Return the scenes of a pack of Foundry VTT; None for any other file, and its content and text."""
    file = os.fspath(path)
    if Path(file).suffix.lower() == ".db" or is_foundry_folder(Path(path)):
        return pack_from_path(path, limits=limits), b"", ""
    content = read_bytes(path, limits=limits)
    text = text_from(content, file)
    if text.lstrip()[:1] in ("{", "[") and is_foundry(text):
        pack = pack_from_text(text, file, limits)
        if pack.scenes or '"scenes"' in text:
            return pack, content, text
    return None, content, text


def _alone(found: Scene, scene: str | None, file: str) -> Scene:
    """Return the scene; MapFileError if somebody asks for one by name where there is no other."""
    if scene is not None:
        raise MapFileError(file, f"scene={scene!r}: for {_FOUNDRY} only, and this is none")
    return found


def _from_text(content: bytes, text: str, file: str, limits: Limits, options: Mapping[str, Any]) -> Scene:
    """Return the scene in a file of one scene, whatever it is."""
    ending, start = Path(file).suffix.lower(), text[:65536].lstrip()
    if start.startswith(_STARTS_OF_XML) or ending in (".tmx", ".tsx"):
        return scene_from_tmx(text, file=file, limits=limits, **_only(options, _TILED, file))
    if start.startswith("{") or ending in (".json", ".tmj"):
        return _from_json(content, text, file, limits, options)
    if is_movingai(text) or ending == ".map":
        return scene_from_movingai(text, file=file, limits=limits, **_only(options, _MOVINGAI, file))
    if "letters" in options or (ending in ("", ".txt") and is_roguelike(text, limits)):
        return scene_from_roguelike(text, file=file, limits=limits, **_only(options, _ROGUELIKE, file))
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


def scene_names(path: str | os.PathLike[str], *, limits: Limits = DEFAULT_LIMITS) -> tuple[str, ...]:
    """Return what each scene of a pack of Foundry VTT is asked for by; nothing for a file that is no pack.

    Raises
    ------
    MapFileError
        If it cannot be read.
    """
    file = Path(path)
    if file.suffix.lower() in UVTT_ENDINGS and not is_foundry_folder(file):
        return ()
    pack, _, _ = _opened(path, limits)
    return () if pack is None else pack.names


def file_stems(names: Iterable[str]) -> tuple[str, ...]:
    """Return a name for a file for each name, all different, with nothing in it that a path could mean.

    Examples
    --------
    >>> file_stems(["The Tomb", "../../etc/passwd", "a/b", "a:b", "...", "CON"])
    ('The Tomb', 'etc_passwd', 'a_b', 'a_b 2', 'scene', 'CON_')
    """
    found: dict[str, None] = {}
    for name in names:
        stem = re.sub(r"[^\w \-'()\[\],.]+", "_", name)[:100].strip("._ ") or "scene"
        stem = f"{stem}_" if stem.casefold() in _DEVICES else stem
        number = 1
        while (full := stem if number == 1 else f"{stem} {number}").casefold() in {one.casefold() for one in found}:
            number += 1
        found[full] = None
    return tuple(found)


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

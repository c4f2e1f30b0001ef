"""Files that hold a scene: what a file is, reading it, writing it."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gridlos.errors import MapFileError
from gridlos.formats.creatures import load_creatures, with_creatures
from gridlos.formats.drawing import scene_from_text
from gridlos.formats.files import Limits, read_bytes, text_from, write_bytes
from gridlos.formats.foundry import (
    FoundryOptions,
    foundry_scene_names,
    load_foundry,
    scene_from_foundry,
    scene_from_pack,
)
from gridlos.formats.foundry_file import is_foundry
from gridlos.formats.foundry_pack import is_foundry_folder, pack_from_text
from gridlos.formats.scene_json import json_from, load_scene_json, scene_from_data, scene_from_json, to_scene_json
from gridlos.formats.schema import scene_schema, shipped_schema
from gridlos.formats.uvtt import UVTT_ENDINGS, UvttOptions, load_uvtt, scene_from_uvtt

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Unpack

    from gridlos.scene import Scene

__all__ = [
    "FoundryOptions",
    "Limits",
    "ReadingOptions",
    "UvttOptions",
    "file_stems",
    "foundry_scene_names",
    "load",
    "load_creatures",
    "load_foundry",
    "load_scene_json",
    "load_uvtt",
    "save",
    "scene_from_foundry",
    "scene_from_json",
    "scene_from_uvtt",
    "scene_names",
    "scene_schema",
    "shipped_schema",
    "to_scene_json",
    "with_creatures",
]

_DEFAULT_LIMITS = Limits()
_KEYS_OF_UVTT = (frozenset({"line_of_sight"}), frozenset({"resolution", "portals"}))
_KEYS_OF_OTHERS = (
    (frozenset({"pixelsPerTile"}), "Dungeon Alchemist"),
    (frozenset({"layers", "tilesets"}), "Tiled"),
    (frozenset({"rects", "doors"}), "One Page Dungeon"),
    (frozenset({"cells", "cell_bit"}), "donjon"),
)
_DEVICES = frozenset({"con", "prn", "aux", "nul", *(f"{port}{n}" for port in ("com", "lpt") for n in range(1, 10))})
_OF_UVTT, _OF_FOUNDRY = "Universal VTT maps", "scenes of Foundry VTT"
_KEYS_OF_OPTIONS = {_OF_UVTT: UvttOptions.__annotations__, _OF_FOUNDRY: FoundryOptions.__annotations__}


class ReadingOptions(UvttOptions, FoundryOptions, total=False):
    """How maps of other programs are read; see :func:`~gridlos.formats.uvtt.load_uvtt` and :func:`load_foundry`."""


def load(
    path: str | os.PathLike[str],
    *,
    scene: str | None = None,
    limits: Limits = _DEFAULT_LIMITS,
    **options: Unpack[ReadingOptions],
) -> Scene:
    """Return the scene in a file, told apart by content, then ending.

    A scene file, a Universal VTT map, a scene or a pack of Foundry VTT (a file or a folder), or a drawing.

    Parameters
    ----------
    path
        The file, or the folder of a pack.
    scene
        Which scene of a pack of Foundry VTT, by name or id; None: the only one.
    limits
        How much it may hold.
    **options
        How maps of other programs are read; see :func:`~gridlos.formats.uvtt.load_uvtt` and
        :func:`~gridlos.formats.foundry.load_foundry`.

    Raises
    ------
    MapFileError
        One line: the file, the place in it, what is wrong and what would be right.
    """
    file = os.fspath(path)
    ending = Path(file).suffix.lower()
    if ending in UVTT_ENDINGS:
        return load_uvtt(path, limits=limits, **_options(options, scene, _OF_UVTT, file))
    if ending == ".db" or is_foundry_folder(Path(path)):
        return load_foundry(path, scene=scene, limits=limits, **_options(options, None, _OF_FOUNDRY, file))
    content = read_bytes(path, limits=limits)
    text = text_from(content, file)
    start = text.lstrip()
    if start.startswith(("<?xml", "<map")):
        raise MapFileError(file, "not a format that gridlos reads yet: XML, perhaps of Tiled")
    if start.startswith("type octile"):
        raise MapFileError(file, "not a format that gridlos reads yet: MovingAI")
    if start.startswith(("{", "[")) and is_foundry(text):
        pack = pack_from_text(text, file, limits)
        if pack.scenes or '"scenes"' in text:
            return scene_from_pack(pack, scene=scene, limits=limits, **_options(options, None, _OF_FOUNDRY, file))
    if start.startswith("{") or ending == ".json":
        data = json_from(text, file)
        if _is_uvtt(data, file):
            own = _options(options, scene, _OF_UVTT, file)
            return scene_from_uvtt(content, file=file, limits=limits, **own)
        _options(options, scene, None, file)
        return scene_from_data(data, file=file, limits=limits)
    if ending in ("", ".txt"):
        _options(options, scene, None, file)
        return scene_from_text(text, file=file, limits=limits)
    raise MapFileError(file, f"not a format that gridlos reads: {ending}; give a .scene.json or a drawing in .txt")


def scene_names(path: str | os.PathLike[str], *, limits: Limits = _DEFAULT_LIMITS) -> tuple[str, ...]:
    """Return what each scene of a pack of Foundry VTT is asked for by; nothing for a file that is no pack.

    Raises
    ------
    MapFileError
        If it cannot be read.
    """
    file = Path(path)
    if file.suffix.lower() == ".db" or is_foundry_folder(file):
        return foundry_scene_names(path, limits=limits)
    if file.suffix.lower() in UVTT_ENDINGS:
        return ()
    text = text_from(read_bytes(path, limits=limits), os.fspath(path))
    is_json = text.lstrip().startswith(("{", "["))
    return pack_from_text(text, os.fspath(path), limits).names if is_json and is_foundry(text) else ()


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


def _options(options: ReadingOptions, scene: str | None, owner: str | None, file: str) -> Any:  # noqa: ANN401
    """Return the options; MapFileError for those that are not for such a file, and for a scene where there is one."""
    known = _KEYS_OF_OPTIONS.get(owner or "", ())
    wrong = [name for name in options if name not in known]
    if scene is not None:
        raise MapFileError(file, f"scene={scene!r}: for {_OF_FOUNDRY} only, and this is none")
    if wrong:
        owners = [other for other, keys in _KEYS_OF_OPTIONS.items() if set(wrong) <= keys.keys()]
        right = " or ".join(owners or _KEYS_OF_OPTIONS)
        raise MapFileError(file, f"{', '.join(wrong)}: for {right} only, and this is none")
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

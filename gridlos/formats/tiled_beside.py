"""What a map of Tiled names beside itself: tilesets and templates, read once each, never from outside of its folder."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from gridlos.errors import MapFileError
from gridlos.formats.files import read_bytes, text_from
from gridlos.formats.scene_json import json_from
from gridlos.formats.tiled_data import TILE
from gridlos.formats.tiled_words import properties_of
from gridlos.formats.tiled_xml import LINE, data_from_xml

if TYPE_CHECKING:
    from gridlos.formats.files import Limits
    from gridlos.formats.reading import Remarks

__all__ = ["Beside", "Templates", "Tileset"]

_MOST_FILES = 1_000
_FIRST_OF_TEMPLATES = 0x0800_0000  # numbers that no map has; the four highest bits are for turned tiles
_NUMBERS_A_TILESET = 0x10_0000
_OF = MappingProxyType({"tilesets": "their tiles", "templates": "their objects"})

Tileset = tuple[int, Mapping[str, Any], str]
"""The number of a tileset's first tile in the map, what the tileset holds, and where it stands."""


@dataclass(slots=True)
class Beside:
    """Reads the files that a map names.

    ``file`` is the map, ``limits`` hold for all files together. What is not read is told in ``remarks``.
    """

    file: str
    limits: Limits
    remarks: Remarks
    _held: dict[Path, Mapping[str, Any] | None] = field(default_factory=dict)

    def path(self, source: str, above: Path | None = None) -> Path | None:
        """Return where a file is that the map names, or that a file beside it (``above``) names; None: nowhere."""
        try:
            return ((above or Path(self.file)).parent / source.replace("\\", "/")).resolve()
        except (OSError, RuntimeError, ValueError):
            return None

    def read(self, source: str, nouns: str, above: Path | None = None) -> Mapping[str, Any] | None:
        """Return a file as plain data; None, with a remark, for one that cannot be read or lies outside of the folder."""
        missing, shown = f"{nouns} that are not there, so nothing is known of {_OF[nouns]}", source[:80]
        path = self.path(source, above)
        if path is None or not self.file:
            self.remarks.add(missing, shown)
            return None
        if path in self._held:
            return self._held[path]
        self._held[path] = None
        try:
            if not path.is_relative_to(Path(self.file).parent.resolve()):
                self.remarks.add(f"{nouns} outside of the map's folder, not read", shown)
            elif not path.is_file() or len(self._held) > _MOST_FILES:
                self.remarks.add(missing, shown)
            else:
                self._held[path] = self._data(path, nouns)
        except MapFileError as error:
            self.remarks.add(f"{nouns} that cannot be read", f"{shown}: {error.problem}")
        except (OSError, RuntimeError, ValueError):
            self.remarks.add(missing, shown)
        return self._held[path]

    def _data(self, path: Path, nouns: str) -> Mapping[str, Any]:
        file = os.fspath(path)
        content = read_bytes(path, limits=self.limits)
        self.limits = replace(self.limits, file_bytes=self.limits.file_bytes - len(content))
        text = text_from(content, file)
        found = data_from_xml(text, file, self.limits) if text.lstrip().startswith("<") else json_from(text, file)
        if not isinstance(found, Mapping):
            raise MapFileError(file, f"no {nouns.removesuffix('s')}")
        return found


@dataclass(slots=True)
class Templates:
    """Fills in objects that were made from templates.

    ``tilesets`` are those of the map, with the file of each that has one. Those that only templates use are added to
    ``more``, with numbers that no map has.
    """

    beside: Beside
    tilesets: Mapping[Path, int]
    more: list[Tileset] = field(default_factory=list)
    _firsts: dict[Path, int] = field(default_factory=dict)

    def whole(self, node: Mapping[str, Any], place: str) -> Mapping[str, Any]:
        """Return an object with what its template says and it does not; as it is if there is no such template."""
        source = node.get("template")
        if not isinstance(source, str):
            return node
        held = self.beside.read(source, "templates")
        base = held.get("object") if held is not None else None
        if held is None or not isinstance(base, Mapping):
            return node
        left_out = {"id", LINE, "template"} | ({"class", "type"} if node.keys() & {"class", "type"} else set())
        found = {key: value for key, value in base.items() if key not in left_out}
        if "gid" in found and "gid" not in node:
            found["gid"] = self._number(found["gid"], held.get("tileset"), source)
        file = self.beside.file
        properties = properties_of(base, file, f"{place}, template") | properties_of(node, file, place)
        return {**found, **{key: value for key, value in node.items() if key != "template"}, "properties": properties}

    def _number(self, gid: object, tileset: object, template: str) -> int:
        """Return the number in the map of a tile that a template shows; 0 for one that nothing is known of."""
        if not (isinstance(gid, int) and isinstance(tileset, Mapping)):
            return 0
        first, source = tileset.get("firstgid"), tileset.get("source")
        above = self.beside.path(template)
        path = self.beside.path(source, above) if isinstance(source, str) else None
        if path is None or not isinstance(first, int) or not 0 <= (gid & TILE) - first < _NUMBERS_A_TILESET:
            return 0
        if path not in self.tilesets and path not in self._firsts:
            self._firsts[path] = _FIRST_OF_TEMPLATES + len(self.more) * _NUMBERS_A_TILESET
            held = self.beside.read(str(source), "tilesets", above)
            self.more.append((self._firsts[path], held or {}, str(source)[:80]))
        own = self.tilesets.get(path, self._firsts.get(path, 0))
        return (gid & ~TILE) | ((gid & TILE) - first + own)

"""Maps of Tiled as records: layers in one list with the offsets of their groups, tiles of layers as arrays."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from gridlos.errors import MapFileError
from gridlos.formats.tiled_beside import Beside, Templates, Tileset
from gridlos.formats.tiled_data import TILE, tiles_from
from gridlos.formats.tiled_words import properties_of
from gridlos.formats.tiled_xml import LINE

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from gridlos.formats.files import Limits
    from gridlos.formats.reading import Remarks
    from gridlos.formats.tiled_data import Gids

__all__ = ["Block", "Layer", "Tile", "TiledMap", "map_from", "number_in"]

_LARGEST = 2**31
_DEEPEST = 64
_LAYERS_OF_TILES = 16  # as many layers of tiles as the limit of squares
_LEAST_TILES = 256  # a layer or chunk counts as so many at least
_MOST_LAYERS = 10_000


@dataclass(frozen=True, slots=True)
class Block:
    """A rectangle of tiles: the square of its first one, and their numbers, 0 for none.

    ``turns`` has for each tile the bits that say how it is flipped: 8 left to right, 4 upside down, 2 first about its
    diagonal; None where no tile is.
    """

    x: int
    y: int
    gids: Gids
    turns: Gids | None = None


@dataclass(frozen=True, slots=True)
class Layer:
    """A layer of tiles or of objects.

    ``offset`` is in pixels, with that of its groups; ``objects`` is None in a layer of tiles.
    """

    name: str
    kind_word: object
    place: str
    properties: Mapping[str, Any]
    offset: tuple[Fraction, Fraction]
    blocks: tuple[Block, ...] = ()
    objects: tuple[Mapping[str, Any], ...] | None = None


@dataclass(frozen=True, slots=True)
class Tile:
    """What a tileset says of one of its tiles.

    ``size`` is in pixels, None where that is not known: then it is as large as a square.
    """

    kind_word: object
    properties: Mapping[str, Any]
    shapes: tuple[Mapping[str, Any], ...] = ()
    size: tuple[int, int] | None = None
    place: str = ""

    def is_covered(self, size: tuple[int, int]) -> bool:
        """Return whether one of the shapes with which things collide is the whole tile, and that a square."""
        return self.size in (None, size) and any(_covers(shape, size) for shape in self.shapes)


@dataclass(frozen=True, slots=True)
class TiledMap:
    """A map of Tiled; ``tiles`` holds by their number in the map those tiles of which something is said."""

    cols: int
    rows: int
    tile_size: tuple[int, int]
    infinite: bool
    layers: tuple[Layer, ...]
    tiles: Mapping[int, Tile] = field(default_factory=dict)


def number_in(node: Mapping[str, Any], key: str, default: float | None, file: str, place: str) -> float:
    """Return a finite number of a sensible size; MapFileError for anything else, or if it is missing without a default."""
    value = node.get(key, default)
    if isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value) and abs(value) < _LARGEST:
        return value
    wrong = "is missing" if value is None else f"is {str(value)[:40]!r}"
    raise MapFileError(file, f"{key} {wrong}; give a number below {_LARGEST}", place)


def _covers(shape: Mapping[str, Any], size: tuple[int, int]) -> bool:
    x, y, width, height = (shape.get(key, 0) for key in ("x", "y", "width", "height"))
    if not all(isinstance(number, int | float) for number in (x, y, width, height)):
        return False
    is_upright = not (shape.get("rotation") or shape.keys() & {"ellipse", "capsule", "polygon", "polyline", "point", "text"})
    return is_upright and x <= 0 and y <= 0 and bool(x + width >= size[0]) and bool(y + height >= size[1])


def place_of(node: Mapping[str, Any], path: str) -> str:
    """Return the line of what came from XML, else its path in the JSON."""
    return f"line {node[LINE]}" if LINE in node else path


def map_from(data: Mapping[str, Any], file: str, limits: Limits, remarks: Remarks) -> TiledMap:
    """Return the map in plain data in the form of Tiled's JSON.

    Raises
    ------
    MapFileError
        For maps that have no square grid, sizes that are none, layers that are broken, more tiles than allowed.
    """
    place = place_of(data, "$")
    if data.get("type") in ("tileset", "template"):
        raise MapFileError(file, f"this is a {data['type']}; give a map that uses it", place)
    orientation = data.get("orientation", "orthogonal")
    if orientation != "orthogonal":
        problem = f"a map that is {str(orientation)[:40]}; gridlos reads orthogonal ones, whose tiles are a square grid"
        raise MapFileError(file, problem, place)
    infinite = bool(data.get("infinite", False))
    size = []
    for key in ("tilewidth", "tileheight", "width", "height"):
        default = 1 if infinite and key in ("width", "height") else None
        size.append(_whole_from_one(data, key, default, file, place))
    tile_width, tile_height, cols, rows = size
    if not infinite:
        limits.check(file, squares=rows * cols)
    beside = Beside(file, limits, remarks)
    tilesets, by_path = _tilesets(data, file, beside)
    templates = Templates(beside, by_path)
    reader = _Layers(
        file, limits, infinite=infinite, n_left=_LAYERS_OF_TILES * (limits.squares + _LEAST_TILES), templates=templates
    )
    layers = tuple(reader.read(data, (Fraction(0), Fraction(0)), "$", 0))
    tiles = dict(_tiles([*tilesets, *templates.more], file))
    return TiledMap(cols, rows, (tile_width, tile_height), infinite, layers, tiles)


def _whole_from_one(node: Mapping[str, Any], key: str, default: int | None, file: str, place: str) -> int:
    number = number_in(node, key, default, file, place)
    if number < 1 or number != int(number):
        raise MapFileError(file, f"{key} is {number}; give a whole number from 1 up", place)
    return int(number)


def _listed(node: Mapping[str, Any], key: str, file: str, place: str) -> list[Mapping[str, Any]]:
    """Return a list of objects, none if it is missing."""
    value = node.get(key, [])
    if not isinstance(value, list) or not all(isinstance(one, Mapping) for one in value):
        raise MapFileError(file, f"{key} is no list of objects", place)
    return value


@dataclass(slots=True)
class _Layers:
    """Reads layers, and counts tiles while it does."""

    file: str
    limits: Limits
    infinite: bool
    n_left: int
    templates: Templates
    n_layers: int = 0

    def read(
        self, holder: Mapping[str, Any], offset: tuple[Fraction, Fraction], path: str, depth: int
    ) -> Iterator[Layer]:
        """Yield the layers of a map or group that hold tiles or objects."""
        if depth > _DEEPEST:
            raise MapFileError(self.file, "groups of layers are nested too deep for a map", path[:80])
        for index, node in enumerate(_listed(holder, "layers", self.file, place_of(holder, path))):
            own = f"{path}.layers[{index}]"
            self.n_layers += 1
            if self.n_layers > _MOST_LAYERS:
                raise MapFileError(self.file, f"more than {_MOST_LAYERS} layers; no map has so many", place_of(node, own))
            name = node.get("name", "")
            place = place_of(node, own) + (f' (layer "{name[:40]}")' if isinstance(name, str) and name else "")
            dx, dy = (Fraction(number_in(node, key, 0, self.file, place)) for key in ("offsetx", "offsety"))
            within = (offset[0] + dx, offset[1] + dy)
            kind = node.get("type")
            if kind == "group":
                yield from self.read(node, within, own, depth + 1)
            elif kind in ("tilelayer", "objectgroup"):
                yield Layer(
                    name=name if isinstance(name, str) else "",
                    kind_word=node.get("class"),
                    place=place,
                    properties=properties_of(node, self.file, place),
                    offset=within,
                    blocks=tuple(self._blocks(node, place)) if kind == "tilelayer" else (),
                    objects=tuple(self._objects(node, place)) if kind == "objectgroup" else None,
                )
            elif kind != "imagelayer":
                raise MapFileError(self.file, f"a layer of the unknown type {str(kind)[:40]!r}", place)

    def _objects(self, node: Mapping[str, Any], place: str) -> Iterator[Mapping[str, Any]]:
        for index, one in enumerate(_listed(node, "objects", self.file, place)):
            yield self.templates.whole(one, place_of(one, f"{place}, object {index}"))

    def _blocks(self, node: Mapping[str, Any], place: str) -> Iterator[Block]:
        encoding, compression = (str(node.get(key) or "") for key in ("encoding", "compression"))
        chunks = _listed(node, "chunks", self.file, place)
        if chunks or self.infinite:
            parts = [(chunk, f"{place}, chunk {index}") for index, chunk in enumerate(chunks)]
        else:
            parts = [(node, place)]
        for part, where in parts:
            x, y = (number_in(part, key, 0, self.file, where) for key in ("x", "y"))
            cols, rows = (_whole_from_one(part, key, None, self.file, where) for key in ("width", "height"))
            if x != int(x) or y != int(y):
                raise MapFileError(self.file, f"tiles at ({x}, {y}); give whole numbers", where)
            self.n_left -= max(cols * rows, _LEAST_TILES)
            if self.n_left < 0:
                problem = f"more than {_LAYERS_OF_TILES} full layers of tiles; Limits(squares=...) allows more"
                raise MapFileError(self.file, problem, where)
            raw = tiles_from(part.get("data"), encoding, compression, (rows, cols), self.file, where)
            gids, turns = raw & np.uint32(TILE), raw >> np.uint32(28)
            yield Block(int(x), int(y), gids, turns if turns.any() else None)


def _tilesets(data: Mapping[str, Any], file: str, beside: Beside) -> tuple[list[Tileset], dict[Path, int]]:
    """Return the tilesets of a map, and by their file the first numbers of those that have one."""
    found: list[Tileset] = []
    by_path: dict[Path, int] = {}
    for index, node in enumerate(_listed(data, "tilesets", file, place_of(data, "$"))):
        place = place_of(node, f"$.tilesets[{index}]")
        first = _whole_from_one(node, "firstgid", None, file, place)
        source = node.get("source")
        if not isinstance(source, str):
            found.append((first, node, place))
            continue
        found.append((first, beside.read(source, "tilesets") or {}, source[:80]))
        path = beside.path(source)
        if path is not None:
            by_path.setdefault(path, first)
    return found, by_path


def _tiles(tilesets: list[Tileset], file: str) -> Iterator[tuple[int, Tile]]:
    """Yield what the tilesets say of tiles, by the tile's number in the map; later tilesets go before earlier ones."""
    ordered = sorted(tilesets, key=lambda one: one[0])
    ends = [*(first for first, _, _ in ordered), _LARGEST]
    for (first, node, place), end in zip(ordered, ends[1:], strict=True):
        for number, tile in _tiles_in(node, file, place):
            if number >= 0 and first + number < end:
                yield first + number, tile


def _tiles_in(node: Mapping[str, Any], file: str, place: str) -> Iterator[tuple[int, Tile]]:
    old = node.get("tileproperties")  # before Tiled 1.2 the JSON had objects with the numbers as keys
    if isinstance(old, Mapping):
        for key, properties in old.items():
            if key.isascii() and key.isdigit() and len(key) < 11 and isinstance(properties, Mapping):
                yield int(key), Tile(None, {name.casefold(): value for name, value in properties.items()})
    if isinstance(node.get("tiles"), Mapping):
        return
    sizes = [node.get("tilewidth"), node.get("tileheight")]
    for tile in _listed(node, "tiles", file, place):
        where = place_of(tile, place)
        number = number_in(tile, "id", None, file, where)
        group = tile.get("objectgroup")
        shapes = _listed(group, "objects", file, where) if isinstance(group, Mapping) else []
        kind_word = tile.get("class") or tile.get("type")
        size = _size([sizes[0], tile.get("imageheight", sizes[1])])
        yield int(number), Tile(kind_word, properties_of(tile, file, where), tuple(shapes), size, where)


def _size(sides: list[Any]) -> tuple[int, int] | None:
    """Return width and height, None for what are no whole numbers of pixels."""
    width, height = (int(one) if isinstance(one, int | float) and 0 < one < _LARGEST and one == int(one) else 0 for one in sides)
    return (width, height) if width and height else None

"""Maps of Tiled (``.tmx``, ``.tmj``, ``.json``; orthogonal): layers of tiles as squares, objects as walls."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, TypedDict, cast

import numpy as np

from gridlos.errors import MapFileError
from gridlos.facts import Stops
from gridlos.formats.files import DEFAULT_LIMITS, Limits
from gridlos.formats.reading import Remarks, check_word
from gridlos.formats.squares import LETTERS, door_look, doors_of, legend_for, rows_of, scene_of
from gridlos.formats.tiled_data import TILE
from gridlos.formats.tiled_file import TiledMap, map_from
from gridlos.formats.tiled_objects import exact
from gridlos.formats.tiled_shapes import add_shapes
from gridlos.formats.tiled_walls import object_walls
from gridlos.formats.tiled_words import (
    SOLID_PROPERTIES,
    class_kind,
    door_state,
    is_named,
    is_solid,
    layer_kind,
)
from gridlos.formats.tiled_xml import data_from_xml
from gridlos.walls import KINDS
from gridlos.weld import TOLERANCE

if TYPE_CHECKING:
    from typing import Unpack

    from numpy.typing import NDArray

    from gridlos.formats.tiled_data import Gids
    from gridlos.formats.tiled_file import Block, Layer, Tile
    from gridlos.scene import Scene
    from gridlos.walls import KindWord

__all__ = ["EmptyWord", "ShapesWord", "TiledOptions", "scene_from_tiled", "scene_from_tmx"]

EmptyWord = Literal["open", "void"]
ShapesWord = Literal["walls", "ignore"]

_KINDS = ("open", *(kind for kind in KINDS if kind != "open"))
_HUNG = frozenset({"door", "secret door", "portcullis"})
_RANKS = {**dict.fromkeys(KINDS, 1), "open": 0, "water": 0, "wall": 2, "window": 3, **dict.fromkeys(_HUNG, 4)}
_N_NAMES_TOLD = 5
_HIGHEST_COUNTED = 65536
_FLIPPED = 14  # the bits of how a tile is flipped that squares have; the fourth is for hexagons


class TiledOptions(TypedDict, total=False):
    """How a map of Tiled is read; see :func:`scene_from_tiled`."""

    solid_layers: Sequence[str]
    tile_property: Sequence[str]
    empty: EmptyWord
    tile_shapes: ShapesWord
    weld: float
    feet_per_square: float


def scene_from_tmx(
    text: str, *, file: str = "", limits: Limits = DEFAULT_LIMITS, **options: Unpack[TiledOptions]
) -> Scene:
    """Return the scene in a map of Tiled in XML; see :func:`scene_from_tiled`."""
    return scene_from_tiled(data_from_xml(text, file, limits), file=file, limits=limits, **options)


def scene_from_tiled(
    data: object, *, file: str = "", limits: Limits = DEFAULT_LIMITS, **options: Unpack[TiledOptions]
) -> Scene:
    """Return the scene in a map of Tiled, given as plain data in the form of its JSON; nobody is on it.

    A square is one tile wide. Tiled has no walls; these are the customs that are read:

    * A layer of tiles that is called walls, collision, solid or blocked is solid where it has tiles; so are tiles, and
      layers, with a property such as ``collides`` or ``solid`` that is true, and tiles with a collision shape as large as
      they are; a tile for which the property is false is not. Any other collision shape is a wall along its outline
      wherever the tile lies in a layer of tiles, flipped and turned as the tile is.
    * A tile's class (or type), or the name of its layer, may be a kind of square: door, window, curtain, low wall,
      obstacle, arrow slit, fence, portcullis, water; a class also brush or fog. What makes a square a door goes before
      what makes it a wall.
    * A door or portcullis hangs across the middle of its square, between two solid squares or other doors; where there
      are none it fills its square. Properties ``open`` and ``locked``, or ``state``, say how it stands.
    * Objects are walls if their class, or the name of their layer, says a kind of wall, or if a property such as
      ``collides`` is true: the outline of a rectangle, polygon or tile, the pieces of a polyline, 24 sides of an ellipse.
      A door of one piece is called by the object's name.

    An invisible layer counts as any other. An infinite map is as large as its tiles; the file's own position of the
    square (0, 0) is in the scene's ``extra`` as ``origin``. Tilesets in files of their own are read if they lie in the
    map's folder or below it, and so are the templates that objects are made from.

    Parameters
    ----------
    data
        The file as :func:`~gridlos.formats.scene_json.json_from` reads it.
    file
        What errors call it; tilesets are looked for beside it.
    limits
        How much it may hold.
    solid_layers
        Names of the layers that are walls, in place of the customary ones; ``*`` stands for any letters.
    tile_property
        Names of the properties that make solid, in place of the customary ones.
    empty
        What squares without any tile are: ``open`` (the default) or ``void``.
    tile_shapes
        What collision shapes of tiles are that are no whole square: ``walls`` (the default), or ``ignore`` for games in
        which every bush has one.
    weld
        Squares: ends nearer to something than that are put onto it; 0 turns it off. See :mod:`gridlos.weld`.
    feet_per_square
        The file does not say; 5 by default.

    Raises
    ------
    MapFileError
        One line: the file, the place in it, what is wrong and what would be right.
    QuestionError
        For an unknown word in an option.

    Examples
    --------
    >>> scene = scene_from_tiled({
    ...     "width": 3, "height": 1, "tilewidth": 16, "tileheight": 16, "layers": [
    ...         {"type": "tilelayer", "name": "Walls", "width": 3, "height": 1, "data": [0, 0, 7]},
    ...         {"type": "objectgroup", "name": "doors", "objects": [
    ...             {"name": "gate", "x": 16, "y": 0, "polyline": [{"x": 0, "y": 0}, {"x": 0, "y": 16}]}]}]})
    >>> scene.battle_map.to_rows(), scene.battle_map.wall_name(0), scene.battle_map.subdivisions
    (['..#'], 'wall gate', 16)
    """
    empty, shapes = options.get("empty", "open"), options.get("tile_shapes", "walls")
    check_word("empty", empty, EmptyWord)
    check_word("tile_shapes", shapes, ShapesWord)
    if not isinstance(data, Mapping):
        raise MapFileError(file, "a map of Tiled is one JSON object in braces, and this is something else")
    remarks = Remarks()
    tiled = map_from(data, file, limits, remarks)
    customs = _Customs(tiled, options.get("solid_layers"), options.get("tile_property", SOLID_PROPERTIES))
    objects = object_walls(tiled, customs.layer_kind, customs.object_kind, file, limits, remarks)
    squares = _squares(tiled, objects.box(tiled.tile_size), file, limits, remarks)
    squares.add_layers(tiled, customs)
    squares.tell_of_shapes(shapes)
    if shapes == "walls":
        add_shapes(objects, squares.open_shapes(), tiled.tiles, tiled.tile_size, customs.object_kind, file, limits)
    if empty == "void":
        squares.codes[~squares.drawn] = _KINDS.index("void")
    stops = np.array([bool(KINDS[kind].stops & Stops.EFFECT) and kind not in _HUNG for kind in _KINDS])
    doors, letters = doors_of(squares.looks, stops[squares.codes], remarks)
    is_hung = np.array([kind in _HUNG for kind in _KINDS])
    squares.codes[is_hung[squares.codes]] = 0
    rows = rows_of(squares.codes, [LETTERS.get(kind, ".") for kind in _KINDS])
    for (x, y), letter in letters.items():
        rows[y] = rows[y][:x] + letter + rows[y][x + 1 :]
    limits.check(file, walls=len(doors) + len(objects.pieces))
    placed = objects.placed(tiled.tile_size, squares.box, doors, options.get("weld", TOLERANCE), file)
    return scene_of(
        rows,
        file=file,
        limits=limits,
        told=(*_silence(tiled, rows, objects.pieces), *remarks.sentences(), *objects.told, *placed.told),
        legend=legend_for(rows),
        walls=placed.walls,
        subdivisions=placed.subdivisions,
        feet_per_square=options.get("feet_per_square", 5.0),
        extra={"origin": list(squares.box[:2])} if tiled.infinite else None,
    )


@dataclass(frozen=True, slots=True)
class _Customs:
    """What makes tiles and objects something."""

    tiled: TiledMap
    solid_layers: Sequence[str] | None
    solid_names: Sequence[str]

    def layer_kind(self, layer: Layer) -> str | None:
        """Return the kind that a layer gives to what is in it."""
        said = is_solid(layer.properties, self.solid_names)
        if said is False:
            return None
        kind = class_kind(layer.kind_word) or layer_kind(layer.name)
        if self.solid_layers is not None:
            if is_named(layer.name, self.solid_layers):
                return "wall"
            kind = None if kind == "wall" else kind
        return "wall" if said and kind is None else kind

    def tile_kind(self, tile: Tile | None, own_layer: str | None) -> str | None:
        """Return the kind of a tile in a layer of that kind."""
        if tile is None:
            return own_layer
        kind = class_kind(tile.kind_word) or (own_layer if own_layer != "wall" else None)
        if kind is not None:
            return kind
        said = is_solid(tile.properties, self.solid_names)
        if said is None:
            return "wall" if tile.is_covered(self.tiled.tile_size) else own_layer
        return "wall" if said else None

    def has_shape(self, tile: Tile | None) -> bool:
        """Return whether the collision shapes of a tile say where it is solid."""
        return tile is not None and bool(tile.shapes) and is_solid(tile.properties, self.solid_names) is not False

    def object_kind(
        self, node: Mapping[str, Any], properties: Mapping[str, Any], own_layer: str | None
    ) -> str | None:
        """Return the kind of wall that an object in a layer of that kind is, None if it is none."""
        said = is_solid(properties, self.solid_names)
        if said is False:
            return None
        kind = class_kind(node.get("class") or node.get("type"))
        if kind is None and own_layer is not None:
            kind = class_kind(node.get("name")) or own_layer
        gid = node.get("gid")
        if kind is None and isinstance(gid, int):
            kind = self.tile_kind(self.tiled.tiles.get(gid & TILE), None)
        return "wall" if kind is None and said else kind


@dataclass(slots=True)
class _Squares:
    """The squares while layers are put on them.

    ``box`` is ``x, y, cols, rows`` in the file's squares; ``looks`` has what hangs in a square, ``shaped`` by a tile's
    number and how it is flipped the squares where its collision shape is no whole square.
    """

    box: tuple[int, int, int, int]
    codes: NDArray[np.uint8]
    drawn: NDArray[np.bool_]
    shifts: Mapping[int, tuple[int, int]]
    file: str
    limits: Limits
    remarks: Remarks
    looks: dict[tuple[int, int], dict[str, Any]] = field(default_factory=dict)
    shaped: dict[tuple[int, int], list[tuple[int, int]]] = field(default_factory=dict)

    def add_layers(self, tiled: TiledMap, customs: _Customs) -> None:
        """Put all layers of tiles onto the squares."""
        for index, layer in enumerate(tiled.layers):
            own = customs.layer_kind(layer)
            dx, dy = self.shifts.get(index, (0, 0))
            for block in layer.blocks:
                self._add(block, (block.x + dx - self.box[0], block.y + dy - self.box[1]), own, tiled, customs)

    def _add(self, block: Block, at: tuple[int, int], own: str | None, tiled: TiledMap, customs: _Customs) -> None:
        rows, cols = block.gids.shape
        x0, y0 = max(at[0], 0), max(at[1], 0)
        x1, y1 = min(at[0] + cols, self.box[2]), min(at[1] + rows, self.box[3])
        if x0 >= x1 or y0 >= y1:
            return
        gids = block.gids[y0 - at[1] : y1 - at[1], x0 - at[0] : x1 - at[0]]
        there = (slice(y0, y1), slice(x0, x1))
        present, inverse = _present(gids)
        kinds = [customs.tile_kind(tiled.tiles.get(gid), own) if gid else None for gid in present.tolist()]
        for gid, kind in zip(present.tolist(), kinds, strict=True):
            if kind is None and customs.has_shape(tiled.tiles.get(gid)):
                turns = None if block.turns is None else block.turns[y0 - at[1] : y1 - at[1], x0 - at[0] : x1 - at[0]]
                self._add_shape(gid, np.argwhere(gids == gid), turns, (x0, y0))
        self.drawn[there] |= gids != 0
        if all(kind is None for kind in kinds):
            return
        codes = np.array([_KINDS.index(kind or "open") for kind in kinds], dtype=np.uint8)[inverse]
        ranks = np.array([_RANKS[kind] for kind in _KINDS])
        is_said = np.array([kind is not None for kind in kinds])[inverse]
        is_set = is_said & (ranks[codes] >= ranks[self.codes[there]])
        self.codes[there] = np.where(is_set, codes, self.codes[there])
        is_hung = is_set & np.array([kind in _HUNG for kind in _KINDS])[codes]
        self.limits.check(self.file, walls=len(self.looks) + int(is_hung.sum()))
        for y, x in np.argwhere(is_hung).tolist():
            tile = tiled.tiles.get(int(gids[y, x]))
            kind = cast("KindWord", _KINDS[int(codes[y, x])])
            self.looks[x0 + x, y0 + y] = door_look(kind, door_state(tile.properties if tile else {}))

    def _add_shape(self, gid: int, places: NDArray[Any], turns: Gids | None, at: tuple[int, int]) -> None:
        for y, x in places.tolist():
            turn = 0 if turns is None else int(turns[y, x]) & _FLIPPED
            self.shaped.setdefault((gid, turn), []).append((at[0] + x, at[1] + y))

    def tell_of_shapes(self, shapes: ShapesWord) -> None:
        """Tell of the tiles whose collision shape is no whole square."""
        counts: Counter[int] = Counter()
        for (gid, _), places in self.shaped.items():
            counts[gid] += len(places)
        read = "whose outline is read as walls" if shapes == "walls" else "read as open"
        for gid, count in counts.items():
            self.remarks.add(f"tiles with a collision shape that is no whole square, {read}", f"tile {gid} in {count} squares")

    def open_shapes(self) -> dict[tuple[int, int], list[tuple[int, int]]]:
        """Return ``shaped`` in the file's squares, without those squares that are solid anyway."""
        wall, (x0, y0, _, _) = _KINDS.index("wall"), self.box
        return {
            key: [(x + x0, y + y0) for x, y in dict.fromkeys(places) if self.codes[y, x] != wall]
            for key, places in self.shaped.items()
        }


def _present(gids: Gids) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return the numbers of tiles that are there, and for each square the place of its own among them."""
    highest = int(gids.max())
    if highest > _HIGHEST_COUNTED:
        present, inverse = np.unique(gids, return_inverse=True)
        return present, inverse.reshape(gids.shape)
    by_number = np.bincount(gids.ravel())
    used = np.flatnonzero(by_number)
    places = np.zeros(highest + 1, dtype=np.int32)
    places[used] = np.arange(len(used))
    return used, places[gids]


def _squares(
    tiled: TiledMap,
    outer: tuple[int, int, int, int] | None,
    file: str,
    limits: Limits,
    remarks: Remarks,
) -> _Squares:
    """Return the squares of the map, all open, before a layer is put on them."""
    shifts = {}
    for index, layer in enumerate(tiled.layers):
        exact_shift = [offset / size for offset, size in zip(layer.offset, tiled.tile_size, strict=True)]
        shift = [math.floor(one + exact(0.5)) for one in exact_shift]
        if layer.blocks and shift != exact_shift:
            remarks.add("layers of tiles that lie off the grid, put onto it", layer.place)
        shifts[index] = (shift[0], shift[1])
    box = (0, 0, tiled.cols, tiled.rows)
    if tiled.infinite:
        found = _box_of_tiles(tiled, shifts) or outer
        if found is None:
            raise MapFileError(file, "an infinite map without a tile or a wall; there is nothing to read")
        box = found
    limits.check(file, squares=box[2] * box[3])
    shape = (box[3], box[2])
    return _Squares(box, np.zeros(shape, np.uint8), np.zeros(shape, np.bool_), shifts, file, limits, remarks)


def _box_of_tiles(tiled: TiledMap, shifts: Mapping[int, tuple[int, int]]) -> tuple[int, int, int, int] | None:
    """Return the rectangle of squares that have tiles."""
    low, high = [], []
    for index, layer in enumerate(tiled.layers):
        for block in layer.blocks:
            rows, cols = (np.flatnonzero(block.gids.any(axis=axis)) for axis in (1, 0))
            if len(rows):
                x, y = block.x + shifts[index][0], block.y + shifts[index][1]
                low.append((x + int(cols[0]), y + int(rows[0])))
                high.append((x + int(cols[-1]) + 1, y + int(rows[-1]) + 1))
    if not low:
        return None
    (x0, y0), (x1, y1) = (min(x for x, _ in low), min(y for _, y in low)), (max(x for x, _ in high), max(y for _, y in high))
    return x0, y0, x1 - x0, y1 - y0


def _silence(tiled: TiledMap, rows: Sequence[str], pieces: Sequence[Any]) -> tuple[str, ...]:
    """Return one sentence if nothing in the map stops a line."""
    letters = Counter("".join(rows)) if not pieces else Counter("#")
    if any(letters[LETTERS[kind]] for kind in KINDS if KINDS[kind].stops and kind in LETTERS):
        return ()
    names = [repr(layer.name) for layer in tiled.layers if layer.blocks]
    more = f" and {len(names) - _N_NAMES_TOLD} more" if len(names) > _N_NAMES_TOLD else ""
    listed = ", ".join(names[:_N_NAMES_TOLD]) or "none"
    return (f"nothing says what is solid; name the layers with walls (solid_layers); layers of tiles: {listed}{more}",)

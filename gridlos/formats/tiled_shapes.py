"""Collision shapes of tiles as walls: their outlines wherever the tile lies, flipped and turned as it is there."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from gridlos.formats.squares import door_look
from gridlos.formats.tiled_objects import outline_of
from gridlos.formats.tiled_words import door_state, properties_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from gridlos.formats.files import Limits
    from gridlos.formats.tiled_file import Tile
    from gridlos.formats.tiled_objects import Point
    from gridlos.formats.tiled_walls import ObjectWalls
    from gridlos.walls import KindWord

__all__ = ["add_shapes", "turned"]

_LEFT_TO_RIGHT, _UPSIDE_DOWN, _DIAGONAL = 8, 4, 2
_NO_WALLS = frozenset({None, "water", "brush", "fog", "open"})
Where = tuple[int, int]


def turned(point: Point, turn: int, size: tuple[int, int], height: int) -> Point:
    """Return where a point of a tile is once the tile is flipped, in pixels from the corner of its square.

    First about the diagonal from the top left, then left to right, then upside down. A tile stands on the lower left
    corner of its square.

    Parameters
    ----------
    point
        In pixels from the top left corner of the tile.
    turn
        8 left to right, 4 upside down, 2 about the diagonal, added up.
    size
        Width and height of the tile in pixels.
    height
        Pixels of a square.

    Examples
    --------
    >>> [turned((1, 2), turn, (16, 16), 16) for turn in (0, 8, 4, 2, 10)]
    [(1, 2), (15, 2), (1, 14), (2, 1), (14, 1)]
    >>> turned((1, 2), 0, (16, 32), 16)
    (1, -14)
    """
    x, y = point
    width, tall = size
    if turn & _DIAGONAL:
        x, y, width, tall = y, x, tall, width
    if turn & _LEFT_TO_RIGHT:
        x = width - x
    if turn & _UPSIDE_DOWN:
        y = tall - y
    return x, y + height - tall


def add_shapes(
    objects: ObjectWalls,
    where: Mapping[tuple[int, int], Sequence[Where]],
    tiles: Mapping[int, Tile],
    square: tuple[int, int],
    kind_of: Callable[[Mapping[str, Any], Mapping[str, Any], str | None], str | None],
    file: str,
    limits: Limits,
) -> None:
    """Add the outlines of tiles' collision shapes to the walls of a map.

    Parameters
    ----------
    objects
        The walls.
    where
        By the tile's number and how it is flipped, the squares in which it lies.
    tiles
        By their number.
    square
        Pixels of a square.
    kind_of
        For a shape, its properties and what it is if it does not say: the kind of wall that it is.
    file, limits
        As for the map.
    """
    for (gid, turn), squares in where.items():
        tile = tiles[gid]
        outlines = list(_outlines(tile, turn, square, kind_of, file))
        n_pieces = sum(len(pieces) for pieces, _ in outlines)
        limits.check(file, walls=len(objects.pieces) + n_pieces * len(squares))
        for x, y in squares:
            left, top = x * square[0], y * square[1]
            for pieces, look in outlines:
                objects.pieces.extend(
                    ((x0 + left, y0 + top), (x1 + left, y1 + top)) for (x0, y0), (x1, y1) in pieces
                )
                objects.looks.extend([look] * len(pieces))
                objects.places.extend([tile.place] * len(pieces))


def _outlines(
    tile: Tile,
    turn: int,
    square: tuple[int, int],
    kind_of: Callable[[Mapping[str, Any], Mapping[str, Any], str | None], str | None],
    file: str,
) -> Iterable[tuple[list[tuple[Point, Point]], dict[str, Any]]]:
    """Yield the pieces of each shape that is a wall, and its look."""
    size = tile.size or square
    for index, shape in enumerate(tile.shapes):
        place = f"{tile.place}, shape {index}"
        properties = properties_of(shape, file, place)
        kind = kind_of(shape, properties, "wall")
        if kind in _NO_WALLS:
            continue
        pieces = outline_of(shape, file, place) or []
        found = [(turned(start, turn, size, square[1]), turned(end, turn, size, square[1])) for start, end in pieces]
        yield found, door_look(cast("KindWord", kind), door_state(properties))

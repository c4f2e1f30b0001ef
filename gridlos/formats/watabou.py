"""One Page Dungeons (watabou's generator, JSON): rooms as rectangles, doors in the middle of their squares."""

from __future__ import annotations

import math
from itertools import pairwise
from types import MappingProxyType
from typing import TYPE_CHECKING, Annotated, Any, TypedDict

import msgspec
import numpy as np
from msgspec import Meta

from gridlos.errors import SceneError
from gridlos.formats.files import DEFAULT_LIMITS, Limits
from gridlos.formats.reading import Remarks, check_word, in_file
from gridlos.formats.squares import LETTERS, OPEN, ROCK, across, door_look, rows_of, scene_of
from gridlos.formats.uvtt import ObjectsWord
from gridlos.records import record_from
from gridlos.walls import Wall

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Unpack

    from numpy.typing import NDArray

    from gridlos.scene import Scene

__all__ = ["WatabouOptions", "scene_from_watabou"]

_SUBDIVISIONS = 64  # middles of squares, quarters for columns, and a round wall to within an inch
_RADIUS = 0.25  # squares: the file does not say how thick a column is
_MARGIN = 2.0**20

_PASSAGES = (0, 2, 3, 8, 9)  # nothing, an archway, the stairs in, the stairs out, steps
_LOOKS: Mapping[int, Mapping[str, Any]] = MappingProxyType({
    1: door_look("door"),
    4: door_look("portcullis"),
    5: {**door_look("door"), "extra": {"double": True}},
    6: door_look("secret door"),
    7: door_look("door", "locked"),
})  # fmt: skip
_COLUMNS: Mapping[str, Mapping[str, Any]] = MappingProxyType({
    "hard": {"kind": "wall"},
    "see-into": {"kind": "terrain", "effect": "limited"},
})  # fmt: skip

Place = Annotated[int, Meta(ge=-(2**22), le=2**22)]
Extent = Annotated[int, Meta(ge=1, le=2**22)]
Real = Annotated[float, Meta(ge=-_MARGIN, le=_MARGIN)]


class WatabouOptions(TypedDict, total=False):
    """How a One Page Dungeon is read; see :func:`scene_from_watabou`."""

    objects: ObjectsWord
    feet_per_square: float


class _Rect(msgspec.Struct, frozen=True):
    x: Place
    y: Place
    w: Extent
    h: Extent
    rotunda: bool = False


class _Square(msgspec.Struct, frozen=True):
    x: Place
    y: Place


class _Way(msgspec.Struct, frozen=True):
    x: Annotated[int, Meta(ge=-1, le=1)]
    y: Annotated[int, Meta(ge=-1, le=1)]


class _Door(msgspec.Struct, frozen=True):
    x: Place
    y: Place
    dir: _Way
    type: int


class _Point(msgspec.Struct, frozen=True):
    x: Real
    y: Real


class _Dungeon(msgspec.Struct, frozen=True):
    """What is read of the file."""

    rects: Annotated[tuple[_Rect, ...], Meta(min_length=1)]
    doors: tuple[_Door, ...]
    columns: tuple[_Point, ...] = ()
    water: tuple[_Square, ...] = ()
    title: str = ""


def scene_from_watabou(
    data: object, *, file: str = "", limits: Limits = DEFAULT_LIMITS, **options: Unpack[WatabouOptions]
) -> Scene:
    """Return the scene in a One Page Dungeon, given as plain data; nobody is on it.

    Squares of a rectangle are open, all else is rock. The file's own position of the square (0, 0) is in the scene's
    ``extra`` as ``origin``. A door stands across the middle of its square, across its direction: type 1 a door, 4 a
    portcullis, 5 a double door, 6 a secret door, 7 a barred door, which is locked. Types 0, 2, 3, 8 and 9 (a passage,
    an archway, stairs in and out, steps) are open squares. The walls of a round room run within its square: chords of
    the circle that touches the middle of each side, where its doors are. Water lies where there is floor.

    Parameters
    ----------
    data
        The file as :func:`~gridlos.formats.scene_json.json_from` reads it.
    file
        What errors call it.
    limits
        How much it may hold.
    objects
        What a column is, a half square thick: ``hard`` (walls, the default), ``see-into`` (one such wall lets effect
        and sight through, two do not) or ``ignore``.
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
    >>> scene = scene_from_watabou({
    ...     "rects": [{"x": -3, "y": 0, "w": 2, "h": 1}, {"x": -1, "y": 0, "w": 1, "h": 1}],
    ...     "doors": [{"x": -1, "y": 0, "dir": {"x": 1, "y": 0}, "type": 1}],
    ... })
    >>> scene.battle_map.to_rows(), scene.battle_map.walls[0].start, scene.extra
    (['...'], (2.5, 0.0), {'origin': [-3, 0]})
    """
    objects = options.get("objects", "hard")
    check_word("objects", objects, ObjectsWord)
    try:
        dungeon = record_from(data, _Dungeon)
    except SceneError as error:
        raise in_file(error, file) from error
    remarks = Remarks()
    codes, x0, y0 = _floor(dungeon, file, limits, remarks)
    rows, cols = codes.shape
    for index, square in enumerate(dungeon.water):
        x, y = square.x - x0, square.y - y0
        if 0 <= x < cols and 0 <= y < rows and codes[y, x]:
            codes[y, x] = 2
        else:
            remarks.add("water outside of every room, left out", f"water[{index}]")
    walls = [*_doors(dungeon, x0, y0, remarks), *_round_walls(dungeon, x0, y0, codes, remarks)]
    if objects != "ignore":
        walls.extend(_columns(dungeon, x0, y0, _COLUMNS[objects]))
    return scene_of(
        rows_of(codes, (ROCK, OPEN, LETTERS["water"])),
        file=file,
        limits=limits,
        told=tuple(remarks.sentences()),
        walls=walls,
        subdivisions=_SUBDIVISIONS,
        feet_per_square=options.get("feet_per_square", 5.0),
        name=dungeon.title,
        extra={"origin": [x0, y0]},
    )


def _floor(dungeon: _Dungeon, file: str, limits: Limits, remarks: Remarks) -> tuple[NDArray[np.uint8], int, int]:
    """Return where the floor is, 1 in an array of zeros, and the file's own position of its first square."""
    everything = [*dungeon.rects, *(_Rect(door.x, door.y, 1, 1) for door in dungeon.doors)]
    x0, y0 = min(rect.x for rect in everything), min(rect.y for rect in everything)
    cols, rows = max(rect.x + rect.w for rect in everything) - x0, max(rect.y + rect.h for rect in everything) - y0
    n_round = sum(rect.w for rect in dungeon.rects if rect.rotunda)
    n_walls = len(dungeon.doors) + 4 * (len(dungeon.columns) + n_round)
    limits.check(file, squares=rows * cols, walls=n_walls)
    limits.check(file, squares=sum(rect.w * rect.h for rect in dungeon.rects))
    codes = np.zeros((rows, cols), dtype=np.uint8)
    for rect in dungeon.rects:
        codes[rect.y - y0 : rect.y - y0 + rect.h, rect.x - x0 : rect.x - x0 + rect.w] = 1
    seen: set[tuple[int, int]] = set()
    for index, door in enumerate(dungeon.doors):
        square = (door.x - x0, door.y - y0)
        if square in seen:
            remarks.add("second doors in one square, kept", f"doors[{index}]")
        elif not codes[square[1], square[0]]:
            remarks.add("doors in rock, whose squares are opened", f"doors[{index}]")
            codes[square[1], square[0]] = 1
        seen.add(square)
    return codes, x0, y0


def _doors(dungeon: _Dungeon, x0: int, y0: int, remarks: Remarks) -> Iterator[Wall]:
    for index, door in enumerate(dungeon.doors):
        if door.type in _PASSAGES:
            continue
        look = _LOOKS.get(door.type)
        if look is None:
            remarks.add("doors of an unknown type, taken as shut doors", f"doors[{index}] of type {door.type}")
        if abs(door.dir.x) == abs(door.dir.y):
            remarks.add("doors without a direction along the grid, taken as facing east", f"doors[{index}]")
        yield across(door.x - x0, door.y - y0, look or _LOOKS[1], upright=abs(door.dir.x) >= abs(door.dir.y))


def _columns(dungeon: _Dungeon, x0: int, y0: int, look: Mapping[str, Any]) -> Iterator[Wall]:
    """Yield four walls for each column: the square that stands on a corner of its own."""
    for column in dungeon.columns:
        x, y = (round((place - origin) * _SUBDIVISIONS) / _SUBDIVISIONS for place, origin in ((column.x, x0), (column.y, y0)))
        tips = [(x, y - _RADIUS), (x + _RADIUS, y), (x, y + _RADIUS), (x - _RADIUS, y)]
        for start, end in pairwise([*tips, tips[0]]):
            yield Wall(start=start, end=end, **look)


def _round_walls(
    dungeon: _Dungeon, x0: int, y0: int, codes: NDArray[np.uint8], remarks: Remarks
) -> Iterator[Wall]:
    """Yield the walls of round rooms, and make rock of the squares that lie wholly behind them."""
    padded = np.pad(codes != 0, 1)
    for index, rect in enumerate(dungeon.rects):
        if not rect.rotunda:
            continue
        if rect.w != rect.h or rect.w < 3 or rect.w % 2 == 0 or _has_way_beside_the_middle(
            rect.x - x0, rect.y - y0, rect.w, padded
        ):
            remarks.add("round rooms that cannot be round, left square", f"rects[{index}]")
            continue
        half = rect.w / 2
        for y in range(rect.h):
            for x in range(rect.w):
                inner = math.hypot(abs(x + 0.5 - half) - 0.5, abs(y + 0.5 - half) - 0.5)
                if min(abs(x + 0.5 - half), abs(y + 0.5 - half)) >= 1 and inner >= half:
                    codes[rect.y - y0 + y, rect.x - x0 + x] = 0
        for quarter in _quarters(half):
            moved = [(rect.x - x0 + half + x, rect.y - y0 + half + y) for x, y in quarter]
            for start, end in pairwise(moved):
                yield Wall(start=start, end=end)


def _has_way_beside_the_middle(x: int, y: int, size: int, padded: NDArray[np.bool_]) -> bool:
    """Return whether floor lies beside a room of ``size`` by ``size`` elsewhere than at the middle of a side.

    ``padded`` has one more square on each side of the map.
    """
    floor = padded[y : y + size + 2, x : x + size + 2]
    sides = np.array([floor[0, 1:-1], floor[-1, 1:-1], floor[1:-1, 0], floor[1:-1, -1]])
    sides[:, size // 2] = False
    return bool(sides.any())


def _quarters(half: float) -> Iterator[list[tuple[float, float]]]:
    """Yield the four polylines of a round room about (0, 0), from beside the middle of a side to the next side."""
    n_chords = round(2 * half)
    first = math.asin(0.5 / half)
    turns = [first + (math.pi / 2 - 2 * first) * step / n_chords for step in range(1, n_chords)]
    points = [(0.5, half), *((half * math.sin(turn), half * math.cos(turn)) for turn in turns), (half, 0.5)]
    points = [(round(x * _SUBDIVISIONS) / _SUBDIVISIONS, round(y * _SUBDIVISIONS) / _SUBDIVISIONS) for x, y in points]
    for to_x, to_y in ((1, 1), (1, -1), (-1, 1), (-1, -1)):
        yield [(x * to_x, y * to_y) for x, y in points]

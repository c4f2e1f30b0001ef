"""Dungeons of donjon (JSON): squares, and doors in the middle of theirs."""

from __future__ import annotations

import functools
import operator
from types import MappingProxyType
from typing import TYPE_CHECKING, Annotated, Any

import msgspec
import numpy as np
from msgspec import Meta

from gridlos.errors import MapFileError, SceneError
from gridlos.formats.files import DEFAULT_LIMITS, Limits
from gridlos.formats.reading import Remarks, in_file
from gridlos.formats.squares import SquaresOptions, door_look, doors_of, legend_for, scene_of
from gridlos.records import record_from

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Unpack

    from numpy.typing import NDArray

    from gridlos.scene import Scene

__all__ = ["scene_from_donjon"]

_LOOKS: Mapping[str, Mapping[str, Any] | None] = MappingProxyType({
    "secret": door_look("secret door"),
    "portcullis": door_look("portcullis"),
    "locked": door_look("door", "locked"),
    "trapped": {**door_look("door"), "extra": {"trapped": True}},
    "door": door_look("door"),
    "arch": None,
})  # fmt: skip
"""What the bits of a door mean, the one that hides most first; an arch is an open square."""

_BITS = MappingProxyType({
    "room": 2, "corridor": 4, "arch": 0x1_0000, "door": 0x2_0000, "locked": 0x4_0000, "trapped": 0x8_0000,
    "secret": 0x10_0000, "portcullis": 0x20_0000,
})  # fmt: skip

Bits = Annotated[int, Meta(ge=0, le=2**62)]


class _Dungeon(msgspec.Struct, frozen=True):
    """What is read of the file."""

    cells: tuple[tuple[Bits, ...], ...]
    cell_bit: dict[str, Bits]
    settings: dict[str, Any] = {}
    rooms: Any = None


def scene_from_donjon(
    data: object, *, file: str = "", limits: Limits = DEFAULT_LIMITS, **options: Unpack[SquaresOptions]
) -> Scene:
    """Return the scene in a dungeon of donjon, given as plain data; nobody is on it.

    The squares are those of ``cells``, with the four rows and columns around them that a dungeon with ways out has.
    Rooms and corridors are open, all else is rock. A door stands across the middle of its square, between its two
    walls: an arch is an open square; locked doors are locked, trapped ones are shut doors (``extra``: trapped), secret
    doors and portcullises are what they are called.

    Parameters
    ----------
    data
        The file as :func:`~gridlos.formats.scene_json.json_from` reads it.
    file
        What errors call it.
    limits
        How much it may hold.
    feet_per_square
        5 by default: the file measures its rooms at 10 feet a square, whatever the game, and people play them at 5;
        that is told.

    Raises
    ------
    MapFileError
        One line: the file, the place in it, what is wrong and what would be right.

    Examples
    --------
    >>> scene = scene_from_donjon({"cells": [[16, 2, 16], [0, 0x20004, 0], [0, 4, 0]], "cell_bit": {"door": 0x20000}})
    >>> scene.battle_map.to_rows(), scene.battle_map.walls[0].start, scene.battle_map.walls[0].end
    (['#.#', '#.#', '#.#'], (1.0, 1.5), (2.0, 1.5))
    """
    try:
        dungeon = record_from(data, _Dungeon)
    except SceneError as error:
        raise in_file(error, file) from error
    remarks = Remarks()
    cells = _cells(dungeon, file, limits)
    bits = {**_BITS, **dungeon.cell_bit}
    is_open = (cells & (bits["room"] | bits["corridor"])) != 0
    doors = _doors(cells, bits, remarks, file, limits)
    for x, y in doors:
        if not is_open[y, x]:
            remarks.add("doors in rock, whose squares are opened", f"({x}, {y})")
            is_open[y, x] = True
    walls, letters = doors_of(doors, ~is_open, remarks)
    rows = [["." if one else "#" for one in row] for row in is_open.tolist()]
    for (x, y), letter in letters.items():
        rows[y][x] = letter
    drawn = ["".join(row) for row in rows]
    feet = options.get("feet_per_square", 5.0)
    name = dungeon.settings.get("name")
    return scene_of(
        drawn,
        file=file,
        limits=limits,
        told=(*_scale(dungeon.rooms, feet), *remarks.sentences()),
        legend=legend_for(drawn),
        walls=walls,
        subdivisions=2,
        feet_per_square=feet,
        name=name if isinstance(name, str) else "",
    )


def _cells(dungeon: _Dungeon, file: str, limits: Limits) -> NDArray[np.int64]:
    """Return the cells as an array; MapFileError where the rows are not equally long."""
    cells = dungeon.cells
    if not cells or not cells[0]:
        raise MapFileError(file, "a dungeon without cells; give at least one row with one number", "$.cells")
    for y, row in enumerate(cells):
        if len(row) != len(cells[0]):
            problem = f"the row has {len(row)} cells, the first row has {len(cells[0])}; make all rows of equal length"
            raise MapFileError(file, problem, f"$.cells[{y}]")
    limits.check(file, squares=len(cells) * len(cells[0]))
    return np.array(cells, dtype=np.int64)


def _doors(
    cells: NDArray[np.int64], bits: Mapping[str, int], remarks: Remarks, file: str, limits: Limits
) -> dict[tuple[int, int], Mapping[str, Any]]:
    """Return what stands in the squares with a door, in reading order."""
    every = functools.reduce(operator.or_, (bits[name] for name in _LOOKS))
    found: dict[tuple[int, int], Mapping[str, Any]] = {}
    limits.check(file, walls=int(np.count_nonzero(cells & every)))
    for y, x in np.argwhere(cells & every).tolist():
        names = [name for name in _LOOKS if int(cells[y, x]) & bits[name]]
        if len(names) > 1:
            remarks.add("squares with several doors, of which one is read", f"({x}, {y})")
        look = _LOOKS[names[0]]
        if look is not None:
            found[x, y] = look
    return found


def _scale(rooms: Any, feet: float) -> tuple[str, ...]:  # noqa: ANN401 - any JSON
    """Return one sentence if the rooms are measured at another width of a square."""
    for room in rooms if isinstance(rooms, list) else ():
        if not isinstance(room, dict):
            continue
        width, west, east = (room.get(key) for key in ("width", "west", "east"))
        if all(type(number) is int for number in (width, west, east)) and east >= west and width > 0:  # type: ignore[operator]
            own = width / (east - west + 1)  # type: ignore[operator]
            if own == feet:
                return ()
            return (f"rooms are measured at {own:g} feet a square in the file; read at {feet:g} (feet_per_square sets it)",)
    return ()

"""The frame of a scene of Foundry VTT: which pixels of the canvas are squares, and how many feet they are."""

from __future__ import annotations

import math
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from gridlos.errors import MapFileError
from gridlos.formats.foundry_creatures import Squares
from gridlos.formats.foundry_file import finite_or_none
from gridlos.formats.reading import is_number, noun

if TYPE_CHECKING:
    from collections.abc import Mapping

    from gridlos.formats.foundry_file import Document
    from gridlos.formats.reading import Remarks

__all__ = ["entries_of", "feet_by_level", "frame_of"]

_PADDING = 0.25  # of a side; files that say nothing are of versions that knew no other
_NOISE = 1e-6  # squares
_FEET_BY_UNIT: Mapping[str, tuple[int, int]] = MappingProxyType({
    **dict.fromkeys(("ft", "ft.", "feet", "foot", "'", "′"), (1, 1)),
    **dict.fromkeys(("m", "m.", "meter", "meters", "metre", "metres"), (10, 3)),  # as translated rule books: 1.5 m, 5 ft
    **dict.fromkeys(("km", "km.", "kilometer", "kilometers", "kilometre", "kilometres"), (10_000, 3)),
    **dict.fromkeys(("yd", "yd.", "yard", "yards"), (3, 1)),
    **dict.fromkeys(("mi", "mi.", "mile", "miles"), (5280, 1)),
})  # fmt: skip
_OTHER_GRIDS = MappingProxyType({0: "no grid", 2: "hexagons", 3: "hexagons", 4: "hexagons", 5: "hexagons"})


def frame_of(held: Document, file: str, feet_per_square: float | None, remarks: Remarks) -> tuple[Squares, float]:
    """Return the squares of a scene, and the feet in one.

    Grid lines are at multiples of the grid's size from the canvas's corner. The scene's rectangle begins after the
    padding, which is whole squares, less the shift. Each square that it reaches into belongs to the map.

    Parameters
    ----------
    feet_per_square
        In place of what the file says; None: as the file says.

    Raises
    ------
    MapFileError
        For other grids than squares, sizes that are none, and units of length that nobody knows.
    """
    old = not isinstance(held.grid, dict)
    grid: Mapping[str, Any] = held.grid if isinstance(held.grid, dict) else {}
    _check_type(file, held.grid_type if old else grid.get("type"), "$.gridType" if old else "$.grid.type")
    place = "$.grid" if old else "$.grid.size"
    size = _number(file, held.grid if old else grid.get("size"), place, "pixels")
    if size != int(size) or size < 1:
        raise MapFileError(file, f"a square of {size:g} pixels; give a whole number from 1 up", place)
    distance = held.grid_distance if old else grid.get("distance")
    units = held.grid_units if old else grid.get("units")
    feet, feet_per_unit = _feet(file, distance, units, feet_per_square, remarks)
    firsts, counts = [], []
    for axis, length, shift in zip("xy", (held.width, held.height), _shifts(held, file), strict=True):
        name = "width" if axis == "x" else "height"
        pixels = _number(file, length, f"$.{name}", "pixels")
        if pixels <= 0:
            raise MapFileError(file, f"the scene is {pixels:g} pixels long; give a number above 0", f"$.{name}")
        padding = _number(file, held.padding, "$.padding", "sides") if held.padding is not None else _PADDING
        if padding < 0:
            raise MapFileError(file, f"a padding of {padding:g} sides; give a number from 0 up", "$.padding")
        start = math.ceil(padding * pixels / size) - shift / size
        firsts.append(math.floor(start + _NOISE))
        counts.append(max(math.ceil(start + pixels / size - _NOISE) - firsts[-1], 1))
    squares = Squares(firsts[0] * size, firsts[1] * size, int(size), counts[0], counts[1], feet_per_unit)
    return squares, feet


def entries_of(held: Document, name: str, file: str) -> list[Any]:
    """Return the entries of a list of a scene, none if the list is missing."""
    value = getattr(held, name)
    if value is None:
        return []
    if not isinstance(value, list):
        raise MapFileError(file, f"expected a list, got {noun(value)}", f"$.{name}")
    return value


def feet_by_level(
    held: Document, feet_per_unit: float, remarks: Remarks
) -> Mapping[str, tuple[float | None, float | None]]:
    """Return bottom and top, in feet, of each level of a scene by its id; None: without end."""
    levels = [one for one in held.levels if isinstance(one, dict)] if isinstance(held.levels, list) else []
    found = {}
    for index, level in enumerate(levels):
        if len(levels) > 1:
            remarks.add("levels, read as one map on which no floor stops anything", f"levels[{index}]")
        elevation = level.get("elevation")
        if isinstance(level.get("_id"), str) and isinstance(elevation, dict):
            ends = (finite_or_none(elevation.get(end)) for end in ("bottom", "top"))
            bottom, top = (None if end is None else end * feet_per_unit for end in ends)
            found[level["_id"]] = bottom, top
    return found


def _number(file: str, value: object, place: str, of: str) -> float:
    if not is_number(value):
        raise MapFileError(file, f"expected a number of {of}, got {noun(value)}", place)
    return value


def _check_type(file: str, kind: object, place: str) -> None:
    if kind is None or (is_number(kind) and kind == 1):
        return
    other = _OTHER_GRIDS.get(int(kind)) if is_number(kind) and kind == int(kind) else None
    found = f"the scene has {other}" if other else f"an unknown grid, {noun(kind)}"
    raise MapFileError(file, f"{found}; gridlos reads scenes of squares (type 1)", place)


def _shifts(held: Document, file: str) -> tuple[float, float]:
    """Return how many pixels the scene's rectangle lies before the end of the padding, across and down."""
    background = held.background
    if isinstance(background, dict) and not held.levels and background.get("offsetX") is not None:
        given = ("$.background.offsetX", background["offsetX"]), ("$.background.offsetY", background.get("offsetY"))
    else:
        given = ("$.shiftX", held.shift_x), ("$.shiftY", held.shift_y)
    x, y = (0 if value is None else _number(file, value, place, "pixels") for place, value in given)
    return x, y


def _feet(
    file: str, distance: object, units: object, feet_per_square: float | None, remarks: Remarks
) -> tuple[float, float]:
    """Return the feet in a square, and in a unit of distance."""
    if feet_per_square is not None:
        is_known = is_number(distance) and distance > 0
        return feet_per_square, feet_per_square / distance if is_known else 1.0  # type: ignore[operator]
    if distance is None:
        remarks.add("missing keys, taken as 5 ft", "distance of the grid")
        return 5.0, 1.0
    units_of = "" if units is None else units
    right = "give feet_per_square (--feet-per-square) to say how wide it is"
    if not is_number(distance) or distance <= 0:
        raise MapFileError(file, f"a square is {noun(distance)} of {units_of!r} wide; {right}", "distance of the grid")
    if units is None:
        remarks.add("missing keys, taken as feet", "units of the grid")
        return float(distance), 1.0
    known = _FEET_BY_UNIT.get(units.strip().casefold()) if isinstance(units, str) else None
    if known is None:
        raise MapFileError(file, f"a square is {distance:g} {units!r} wide; {right} in feet", "units of the grid")
    above, below = known
    return distance * above / below, above / below

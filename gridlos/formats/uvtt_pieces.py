"""What a Universal VTT map draws, piece by piece: polylines, portals, and walls under the keys of converters."""

from __future__ import annotations

from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal

import msgspec

from gridlos.errors import MapFileError
from gridlos.formats.foundry_file import WallFields
from gridlos.formats.foundry_walls import WallReader
from gridlos.formats.reading import Remarks, is_number, noun
from gridlos.lattice import LATTICE_LIMIT

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = [
    "FARTHEST",
    "SUBDIVISIONS",
    "Frame",
    "Pieces",
    "WindowsWord",
    "add_foundry_walls",
    "add_polylines",
    "add_portals",
]

WindowsWord = Literal["none", "open", "short", "open-or-short"]

SUBDIVISIONS = 512
"""Dungeondraft draws on 1/512 of a square and writes six decimals of it."""

FARTHEST = LATTICE_LIMIT // SUBDIVISIONS
"""Squares."""

SHORT = 0.85
"""Squares: windows of public maps are 0.75 to 0.78 long, doors 1 and more."""

_FEET_A_UNIT = 1.0  # a converter writes thresholds in the units of the scene and does not say which: feet, nearly always
_SIGHT_BY_KEY = MappingProxyType({"foundry_terrain_walls": 10, "foundry_invisible_walls": 0, "foundry_movement_walls": 0})

_SHORT_DOORS = f'closed portals shorter than {SHORT} squares, read as doors; windows="short" reads them as windows'


@dataclass(frozen=True, slots=True)
class Frame:
    """The map in the coordinates of the file, and where to say what is wrong with it."""

    file: str
    x: float
    y: float
    cols: int
    rows: int
    remarks: Remarks

    def point(self, value: Any) -> tuple[float, float] | None:  # noqa: ANN401 - any JSON
        """Return a point in squares of the map, None for what is no point of two finite numbers."""
        try:
            x, y = value["x"], value["y"]
        except (TypeError, KeyError):
            return None
        if not (is_number(x) and is_number(y)):
            return None
        x, y = x - self.x, y - self.y
        return (x, y) if -FARTHEST < x < FARTHEST and -FARTHEST < y < FARTHEST else None

    def entries(self, name: str, value: object) -> list[Any]:
        """Return the entries of a list in the file, none if the list is missing."""
        if value is None:
            return []
        if not isinstance(value, list):
            raise MapFileError(self.file, f"expected a list, got {noun(value)}", f"$.{name}")
        return value


@dataclass(frozen=True, slots=True)
class Pieces:
    """Straight pieces of what is drawn: their ends in squares of the map, what each is, its place in the file."""

    ends: list[tuple[float, float, float, float]] = field(default_factory=list)
    looks: list[Mapping[str, Any]] = field(default_factory=list)
    places: list[tuple[str, int, int]] = field(default_factory=list)

    def add(self, ends: tuple[float, float, float, float], look: Mapping[str, Any], place: tuple[str, int, int]) -> None:
        """Add a piece."""
        self.ends.append(ends)
        self.looks.append(look)
        self.places.append(place)


def add_polylines(pieces: Pieces, name: str, section: object, look: Mapping[str, Any], frame: Frame) -> None:
    """Add the pieces of polylines; what is no point ends a piece, and none is made across it."""
    for i, polyline in enumerate(frame.entries(name, section)):
        if not isinstance(polyline, list):
            frame.remarks.add("polylines that are no lists, left out", f"{name}[{i}]")
            continue
        if len(polyline) < 2:
            frame.remarks.add("polylines of fewer than two points, left out", f"{name}[{i}]")
        before = None
        for j, value in enumerate(polyline):
            point = frame.point(value)
            if point is None:
                frame.remarks.add("points that are not two finite numbers, left out", f"{name}[{i}][{j}]")
            elif before is not None:
                pieces.add((*before, *point), look, (name, i, j))
            before = point


def add_portals(pieces: Pieces, section: object, windows: WindowsWord, frame: Frame) -> None:
    """Add the portals: what a converter says of one in the numbers of Foundry VTT, else a door or a window."""
    reader = WallReader("move", _FEET_A_UNIT, {})
    for i, portal in enumerate(frame.entries("portals", section)):
        place = f"portals[{i}]"
        bounds = portal.get("bounds") if isinstance(portal, dict) else None
        ends = [frame.point(value) for value in bounds] if isinstance(bounds, list) and len(bounds) == 2 else [None]
        if ends[0] is None or ends[-1] is None:
            frame.remarks.add("portals without bounds of two points, left out", place)
            continue
        piece = (*ends[0], *ends[-1])
        numbers = _foundry_numbers(portal)
        if numbers is not None:
            looks = _looks(reader, numbers, place, frame.remarks)
        else:
            looks = (_portal(portal, piece, windows, place, frame.remarks),)
        for look in looks:
            pieces.add(piece, look, ("portals", i, 1))


def _looks(reader: WallReader, numbers: WallFields, place: str, remarks: Remarks) -> tuple[Mapping[str, Any], ...]:
    found = reader.look(numbers)
    for remark in found.remarks:
        remarks.add(remark, place)
    return found.walls


def _portal(
    portal: Mapping[str, Any],
    ends: tuple[float, float, float, float],
    windows: WindowsWord,
    place: str,
    remarks: Remarks,
) -> Mapping[str, Any]:
    """Return what a portal is: a window, or a door that is open or closed."""
    closed = portal.get("closed")
    if not isinstance(closed, bool):
        remarks.add("portals with closed neither true nor false, taken as closed", place)
    kind = "secret door" if portal.get("secret") is True else "door"
    x0, y0, x1, y1 = ends
    is_short = 0 < (x1 - x0) ** 2 + (y1 - y0) ** 2 < SHORT**2 and kind == "door"
    if (windows in ("open", "open-or-short") and closed is False) or ("short" in windows and is_short):
        return {"kind": "window"}
    if is_short and closed is not False:
        remarks.add(_SHORT_DOORS, place)
    return {"kind": kind, "state": "open" if closed is False else "closed"}


def add_foundry_walls(pieces: Pieces, name: str, section: object, frame: Frame) -> None:
    """Add walls under a key of a converter from Foundry VTT, which the format's own keys have no place for."""
    reader = WallReader("move", _FEET_A_UNIT, {})
    for i, entry in enumerate(frame.entries(name, section)):
        place = f"{name}[{i}]"
        points = entry.get("points") if isinstance(entry, dict) else None
        ends = [frame.point(value) for value in points] if isinstance(points, list) and len(points) == 2 else [None]
        numbers = _foundry_numbers(entry)
        if numbers is None and name in _SIGHT_BY_KEY:
            numbers = WallFields(move=20, sight=_SIGHT_BY_KEY[name])
        if ends[0] is None or ends[-1] is None or numbers is None:
            frame.remarks.add("walls of a converter without two points or without numbers, left out", place)
            continue
        for look in _looks(reader, numbers, place, frame.remarks):
            pieces.add((*ends[0], *ends[-1]), look, (name, i, 1))


def _foundry_numbers(entry: object) -> WallFields | None:
    """Return what a converter says of a wall or portal in the numbers of Foundry VTT; None if it says nothing."""
    flags = entry.get("flags") if isinstance(entry, dict) else None
    numbers = flags.get("foundry_sense") if isinstance(flags, dict) else None
    if not (isinstance(flags, dict) and isinstance(numbers, dict) and "move" in numbers and "sight" in numbers):
        return None
    threshold = numbers.get("threshold") or flags.get("foundry_threshold")
    return WallFields(
        move=numbers["move"],
        sight=numbers["sight"],
        light=numbers.get("light"),
        sound=numbers.get("sound"),
        door=numbers.get("door"),
        side=flags.get("foundry_direction"),
        state=flags.get("foundry_door_state"),
        threshold=msgspec.Raw(msgspec.json.encode(threshold)) if isinstance(threshold, dict) else msgspec.Raw(),
    )

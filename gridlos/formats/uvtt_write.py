"""A scene as a Universal VTT map: walls, doors, windows and lights; what that format cannot say is told."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING, Any

import numpy as np

from gridlos.creature import HEIGHT_BY_SIZE
from gridlos.facts import Concealment, Stops
from gridlos.formats.scene_json import written
from gridlos.walls import KINDS, Behaviour, SquareKind, Wall, behaviour_of, concealment_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from gridlos.battlemap import BattleMap
    from gridlos.facts import Masks
    from gridlos.scene import Scene

__all__ = ["UvttCopy", "to_uvtt", "uvtt_copy"]

_FORMAT = 0.3
_DECIMALS = 6
_READ_TO = 512  # readers draw on 512ths of a square: what is none of them shifts when it is read
_PIXELS = 70
_PIXELS_OF_LATTICES = range(20, 257)  # a lattice of so many units a square is that of somebody's pixels
_BOTH = Stops.EFFECT | Stops.SIGHT
_COLOUR = re.compile(r"[0-9a-fA-F]{6}(?:[0-9a-fA-F]{2})?")
_ONE_OR_MANY = re.compile(r"\[([^|\]]*)\|([^|\]]*)\]")
_BRIGHTEST = 2**40
_AMBIENT = {"bright": "ffffffff", "dim": "ff7f7f7f", "dark": "ff000000"}

_Segment = tuple[int, int, int, int]


@dataclass(frozen=True, slots=True)
class UvttCopy:
    """A Universal VTT file as bytes, and a sentence for each thing of the scene that is not in it, or not as it was."""

    content: bytes
    warnings: tuple[str, ...]


def to_uvtt(scene: Scene) -> bytes:
    """Return the scene as a Universal VTT file; :func:`uvtt_copy` tells what of it is lost, too.

    Examples
    --------
    >>> from gridlos.scene import Scene
    >>> print(to_uvtt(Scene.from_drawing("...", walls=[(1, 0, 1, 1)])).decode(), end="")
    {
      "format": 0.3,
      "resolution": {"map_origin": {"x": 0, "y": 0}, "map_size": {"x": 3, "y": 1}, "pixels_per_grid": 70},
      "line_of_sight": [[{"x": 1, "y": 0}, {"x": 1, "y": 1}]],
      "objects_line_of_sight": [],
      "portals": [],
      "environment": {"baked_lighting": false, "ambient_light": "ffffffff"},
      "lights": []
    }
    """
    return uvtt_copy(scene).content


def uvtt_copy(scene: Scene) -> UvttCopy:
    """Return the scene as a Universal VTT file, and what of it is lost.

    * What stops effect and sight is a polyline. Solid squares are their outlines, a polyline for each straight run.
    * A door is a portal. A window, which stops effect only, is a portal that is not closed: so it is read with
      ``windows="open"``. In a map with windows, open doors are gaps, so that nobody takes them for windows. A curtain,
      which stops sight only, is a closed portal.
    * What has a height is as tall as the world if it hides a standing human whole, else it is left out. What blocks
      from one side blocks from both. What stops nothing alone is left out, and so are creatures.
    * A light has the larger of its radii.

    There is no picture in the file.

    Notes
    -----
    1. *Round trip*: a map whose warnings tell of windows and open doors only is read with the same answers
       (``weld=0``, ``windows="open"``).

    Examples
    --------
    >>> from gridlos.scene import Scene
    >>> for warning in uvtt_copy(Scene.from_drawing("A.w.f", walls=[(1, 0, 1, 0.3)])).warnings:
    ...     print(warning)
    2 squares written as open ones (fog, low wall)
    1 creature left out
    1 wall coordinate is no 512th of a square; most readers shift it, by up to 0.000781 squares
    """
    losses = _Losses()
    battle_map = scene.battle_map
    size = battle_map.subdivisions
    walls, portals = _barriers(battle_map, losses)
    _check_lattice((*walls, *(segment for segment, _ in portals)), size, losses)
    data = {
        "format": _FORMAT,
        "resolution": {
            "map_origin": {"x": 0, "y": 0},
            "map_size": {"x": battle_map.cols, "y": battle_map.rows},
            "pixels_per_grid": size if size in _PIXELS_OF_LATTICES else _PIXELS,
        },
        "line_of_sight": [*_polylines(walls, size)],
        "objects_line_of_sight": [],
        "portals": [_portal(segment, size, is_closed=is_closed) for segment, is_closed in portals],
        "environment": _environment(scene, losses),
        "lights": [*_lights(scene, losses)],
    }
    losses.add(len(scene.creatures), "creature", "left out")
    losses.add(len(scene.overrides), "override", "left out")
    losses.add(len(scene.options), "option", "left out")
    if battle_map.feet_per_square != 5:
        losses.say(f"the width of a square, {battle_map.feet_per_square:g} ft, is not in the file; readers take 5 ft")
    return UvttCopy(written(data), tuple(losses.sentences()))


class _Losses:
    """What is lost, counted."""

    def __init__(self) -> None:
        self._counts: Counter[tuple[str, str]] = Counter()
        self._kinds: defaultdict[tuple[str, str], set[str]] = defaultdict(set)
        self._said: list[str] = []

    def add(self, count: int, noun: str, fate: str, kind: str = "") -> None:
        """Add so many of a noun, and of what kind they are."""
        if count:
            self._counts[noun, fate] += count
            self._kinds[noun, fate] |= {kind} - {""}

    def say(self, sentence: str) -> None:
        """Add a whole sentence."""
        self._said.append(sentence)

    def sentences(self) -> Iterator[str]:
        """Yield a sentence for each noun and what became of it."""
        for (noun, fate), count in self._counts.items():
            kinds = ", ".join(sorted(self._kinds[noun, fate]))
            told = _ONE_OR_MANY.sub(lambda found, n=count: found[1 + (n > 1)], f"{noun}[|s] {fate}")  # type: ignore[misc]
            yield f"{count} {told} ({kinds})" if kinds else f"{count} {told}"
        yield from self._said


def _barriers(battle_map: BattleMap, losses: _Losses) -> tuple[list[_Segment], list[tuple[_Segment, bool]]]:
    """Return in lattice units what is a wall, and what is a portal and whether it is closed."""
    found = [
        *_written_walls(battle_map, losses),
        *_outlines(_bits_of_squares(battle_map, losses), battle_map.subdivisions),
    ]
    n_windows = sum(stops == Stops.EFFECT for _, stops, _ in found)
    n_curtains = sum(stops == Stops.SIGHT for _, stops, _ in found)
    n_open = sum(stops == Stops.NOTHING for _, stops, _ in found)
    losses.add(
        n_windows,
        "window",
        'written as [a portal that is|portals that are] not closed; read the file with windows="open"',
    )
    losses.add(n_curtains, "curtain", "written as [a closed portal|closed portals] and so stopping effect, too")
    if n_windows:
        losses.add(n_open, "open door", "left out as [a gap|gaps], for a portal that is not closed is a window here")
        found = [one for one in found if one[1]]
    walls = [segment for segment, stops, is_door in found if stops == _BOTH and not is_door]
    portals = [(segment, bool(stops & Stops.SIGHT)) for segment, stops, is_door in found if stops != _BOTH or is_door]
    return walls, portals


def _written_walls(battle_map: BattleMap, losses: _Losses) -> Iterator[tuple[_Segment, Stops, bool]]:
    """Yield the walls that are written: the ends in lattice units, what it stops (an open door nothing), whether it is a door."""
    for index, wall in enumerate(battle_map.walls):
        is_door = KINDS[wall.kind].is_door
        stops = _written_stops(behaviour_of(wall), _floor_under(battle_map, index))
        if not (stops or wall.state == "open"):
            losses.add(1, "wall", "left out: [it hides|they hide] no standing human whole", wall.kind)
            continue
        for fate in _fates(wall):
            losses.add(1, "door" if is_door else "wall", fate)
        x0, y0, x1, y1 = battle_map.segments[index].tolist()
        yield (x0, y0, x1, y1), stops, is_door


def _written_stops(behaviour: Behaviour, floor: float) -> Stops:
    """Return what is written of a wall or square: all that it stops, or nothing where its band shows part of a human."""
    bottom, top = behaviour.band_above(floor)
    is_whole = (bottom is None or bottom <= floor) and (top is None or top >= floor + HEIGHT_BY_SIZE["medium"])
    return behaviour.stops if is_whole else Stops.NOTHING


def _floor_under(battle_map: BattleMap, index: int) -> float:
    """Return the highest floor, in feet, of the squares that the middle of a wall touches."""
    x0, y0, x1, y1 = (battle_map.segments[index] / battle_map.subdivisions).tolist()
    x, y = (x0 + x1) / 2, (y0 + y1) / 2
    columns, rows = ({int(-(-middle // 1)) - 1, int(middle // 1)} for middle in (x, y))
    floors = [
        float(battle_map.elevation[row, column])
        for row in rows
        for column in columns
        if battle_map.has_square(column, row)
    ]
    return max(floors, default=0.0)


def _fates(wall: Wall) -> Iterator[str]:
    """Yield what a wall loses that is written."""
    behaviour = behaviour_of(wall)
    losses = {
        "written as [a door|doors] that everybody sees": wall.kind == "secret door",
        "written as closed, not locked": wall.state == "locked",
        "written as blocking from both sides": behaviour.blocks_from is not None,
        "written as tall as the world": behaviour.bottom is not None or behaviour.top is not None,
        "written without word for its cover": behaviour.cover is not None,
        "written without what only two of them stop": bool(behaviour.limited),
        "written without id": wall.id is not None,
        "written without extra": wall.extra is not None,
    }
    return (fate for fate, is_lost in losses.items() if is_lost)


def _bits_of_squares(battle_map: BattleMap, losses: _Losses) -> Masks:
    """Return ``(rows, cols)`` uint8: what is written of each square."""
    counts = np.bincount(battle_map.squares.ravel(), minlength=len(battle_map.legend)).tolist()
    bits = []
    for kind, count in zip(battle_map.legend.values(), counts, strict=True):
        behaviour = behaviour_of(kind)
        bits.append(_written_stops(behaviour, kind.elevation or 0))
        losses.add(count if kind.elevation else 0, "square", "written without elevation")
        if not bits[-1]:
            losses.add(0 if _is_bare(kind) else count, "square", "written as [an open one|open ones]", kind.kind)
            continue
        has_band = behaviour.bottom is not None or behaviour.top is not None
        losses.add(count if has_band else 0, "square", "written as tall as the world", kind.kind)
        losses.add(count if behaviour.cover else 0, "square", "written without word for its cover", kind.kind)
        losses.add(count if KINDS[kind.kind].is_door else 0, "square", "written as [a wall|walls]", kind.kind)
    return np.array(bits, dtype=np.uint8)[battle_map.squares]


def _is_bare(kind: SquareKind) -> bool:
    return kind.kind == "open" and not kind.cover and concealment_of(kind) == Concealment.NONE


def _outlines(bits: Masks, size: int) -> Iterator[tuple[_Segment, Stops, bool]]:
    """Yield the sides of squares that stop something, straight runs of sides that stop the same as one, what they stop, no door.

    Between two squares that stop the same nobody can stand who could see a side of theirs, unless they are open to effect;
    around the map all is solid for every reader of ours.
    """
    for is_upright, squares in ((False, bits), (True, bits.T)):
        before, after = squares[:-1], squares[1:]
        sides = np.where((before == after) & (before & Stops.EFFECT != 0), 0, before | after)
        for line, row in enumerate(sides.tolist(), start=1):
            start = 0
            for stops, run in groupby(row):
                end = start + len([*run])
                if stops:
                    ends = (line, start, line, end) if is_upright else (start, line, end, line)
                    x0, y0, x1, y1 = (size * number for number in ends)
                    yield (x0, y0, x1, y1), Stops(stops), False
                start = end


def _check_lattice(segments: Iterable[_Segment], size: int, losses: _Losses) -> None:
    """Tell of coordinates that are no 512ths of a square."""
    units = np.array([*segments], dtype=np.int64).ravel() * _READ_TO
    shift = np.abs(units - np.rint(units / size) * size)
    n_moved = int(np.count_nonzero(shift))
    if n_moved:
        noun = f"wall coordinates are no {_READ_TO}ths" if n_moved > 1 else f"wall coordinate is no {_READ_TO}th"
        whom = "them" if n_moved > 1 else "it"
        largest = float(shift.max()) / size / _READ_TO
        losses.say(f"{n_moved} {noun} of a square; most readers shift {whom}, by up to {largest:.3g} squares")


def _point(x: float, y: float) -> dict[str, float]:
    """Return a point of the file, whole numbers without decimals."""
    x, y = round(x, _DECIMALS), round(y, _DECIMALS)
    return {"x": int(x) if x == int(x) else x, "y": int(y) if y == int(y) else y}


def _polylines(segments: Iterable[_Segment], size: int) -> Iterator[list[dict[str, float]]]:
    """Yield walls as polylines: a wall that begins where the one before it ends continues its polyline."""
    line: list[tuple[int, int]] = []
    for x0, y0, x1, y1 in segments:
        if line and line[-1] != (x0, y0):
            yield [_point(x / size, y / size) for x, y in line]
            line = []
        line += [(x1, y1)] if line else [(x0, y0), (x1, y1)]
    if line:
        yield [_point(x / size, y / size) for x, y in line]


def _portal(segment: _Segment, size: int, *, is_closed: bool) -> dict[str, Any]:
    x0, y0, x1, y1 = (number / size for number in segment)
    return {
        "position": _point((x0 + x1) / 2, (y0 + y1) / 2),
        "bounds": [_point(x0, y0), _point(x1, y1)],
        "rotation": round(float(np.arctan2(y1 - y0, x1 - x0)), _DECIMALS),
        "closed": is_closed,
        "freestanding": False,
    }


def _environment(scene: Scene, losses: _Losses) -> dict[str, Any]:
    """Return what the scene's own file said of the light around, else a colour for it."""
    kept = _mapping(scene.extra).get("environment")
    ambient, baked = _mapping(kept).get("ambient_light"), _mapping(kept).get("baked_lighting")
    if scene.light != "bright":
        losses.say(f"the light around, {scene.light}, is written as a colour, which says nothing to gridlos")
    is_own = scene.light == "bright" and isinstance(ambient, str) and _COLOUR.fullmatch(ambient)
    return {"baked_lighting": baked is True, "ambient_light": ambient if is_own else _AMBIENT[scene.light]}


def _lights(scene: Scene, losses: _Losses) -> Iterator[dict[str, Any]]:
    for light in scene.lights:
        if not light.on:
            losses.add(1, "light", "left out: [it does|they do] not burn")
            continue
        losses.add(light.bright != light.dim, "light", "written with one radius, the larger one")
        losses.add(light.hidden, "light", "written as not hidden")
        losses.add(light.id is not None, "light", "written without id")
        looks = _mapping(light.extra)
        colour, intensity = looks.get("color"), looks.get("intensity")
        yield {
            "position": _point(*light.at),
            "range": max(light.bright, light.dim) / scene.battle_map.feet_per_square,
            "intensity": intensity if _is_intensity(intensity) else 1,
            "color": colour if isinstance(colour, str) and _COLOUR.fullmatch(colour) else "ffffffff",
            "shadows": looks.get("shadows") is not False,
        }


def _is_intensity(value: Any) -> bool:  # noqa: ANN401 - whatever the scene's file holds
    return type(value) in (int, float) and abs(value) < _BRIGHTEST


def _mapping(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}

"""Objects of a map of Tiled on the lattice: which are walls, where they stand, what was rounded and welded."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from gridlos.errors import MapFileError, SceneError
from gridlos.formats.reading import Remarks, beyond, in_file, rounded
from gridlos.formats.squares import door_look
from gridlos.formats.tiled_objects import Point, lattice_for, outline_of
from gridlos.formats.tiled_words import door_state, properties_of
from gridlos.formats.tiled_xml import LINE
from gridlos.lattice import LATTICE_LIMIT
from gridlos.walls import Wall
from gridlos.weld import weld_walls

if TYPE_CHECKING:
    from gridlos.formats.files import Limits
    from gridlos.formats.tiled_file import Layer, TiledMap
    from gridlos.walls import KindWord

__all__ = ["ObjectWalls", "PlacedWalls", "object_walls"]

_NO_WALLS = frozenset({"water", "brush", "fog"})
_ROUNDED = 1e-5  # squares
_N_LAYERS_TOLD = 3
_OBJECTS_A_WALL = 4  # most objects of a game are no walls
KindOfLayer = Callable[["Layer"], str | None]
KindOfObject = Callable[[Mapping[str, Any], Mapping[str, Any], str | None], str | None]


@dataclass(frozen=True, slots=True)
class PlacedWalls:
    """Walls on the lattice; ``subdivisions`` is None where no wall asks for one."""

    walls: tuple[Wall, ...]
    subdivisions: int | None
    told: tuple[str, ...] = ()


@dataclass(slots=True)
class ObjectWalls:
    """The straight pieces of objects that are walls, in pixels, and what each is."""

    pieces: list[tuple[Point, Point]] = field(default_factory=list)
    looks: list[dict[str, Any]] = field(default_factory=list)
    places: list[str] = field(default_factory=list)
    told: tuple[str, ...] = ()

    def box(self, tile_size: tuple[int, int]) -> tuple[int, int, int, int] | None:
        """Return the rectangle of squares that holds them all: ``x, y, cols, rows``."""
        points = [point for piece in self.pieces for point in piece]
        if not points:
            return None
        found = []
        for axis, size in enumerate(tile_size):
            low = math.floor(min(point[axis] for point in points) / size)
            high = math.ceil(max(point[axis] for point in points) / size)
            found.append((low, max(high - low, 1)))
        (x, cols), (y, rows) = found
        return x, y, cols, rows

    def placed(
        self,
        tile_size: tuple[int, int],
        box: tuple[int, int, int, int],
        doors: Sequence[Wall],
        tolerance: float,
        file: str,
    ) -> PlacedWalls:
        """Return the walls on the lattice of the map, with the doors of its squares, welded."""
        if not self.pieces:
            return PlacedWalls(tuple(doors), 2 if doors else None)
        x0, y0, cols, rows = box
        points = [point for piece in self.pieces for point in piece]
        if doors:
            points.append((Fraction(tile_size[0], 2), Fraction(tile_size[1], 2)))
        units = lattice_for(points, tile_size, max(cols, rows))
        ends = self._ends(tile_size, (x0, y0), units, file)
        places = np.rint(ends)
        has_length = np.any(places[:, :2] != places[:, 2:], axis=1)
        told = [*rounded(np.abs(ends - places) / units, _ROUNDED, f"1/{units} of a square")]
        if not has_length.all():
            told.append(f"{int((~has_length).sum())} walls without length on the lattice, left out")
        walls = [
            Wall(start=(start_x, start_y), end=(end_x, end_y), **self.looks[index])
            for index, (start_x, start_y, end_x, end_y) in enumerate((places / units).tolist())
            if has_length[index]
        ]
        try:
            welded, done = weld_walls((*walls, *doors), subdivisions=units, tolerance=tolerance)
        except SceneError as error:
            raise in_file(error, file) from error
        return PlacedWalls(welded, units, (*done.sentences(), *told, *beyond(done.segments, cols, rows, units)))

    def _ends(
        self, tile_size: tuple[int, int], origin: tuple[int, int], units: int, file: str
    ) -> np.ndarray[Any, np.dtype[np.float64]]:
        """Return ``(n, 4)`` lattice units, not rounded; MapFileError for an object that is too far away."""
        width, height = tile_size
        found = []
        for index, ((ax, ay), (bx, by)) in enumerate(self.pieces):
            row = [
                float((x / size - start) * units)
                for x, size, start in ((ax, width, origin[0]), (ay, height, origin[1]), (bx, width, origin[0]), (by, height, origin[1]))
            ]
            if max(map(abs, row)) >= LATTICE_LIMIT - 1:
                problem = f"an object reaches {max(map(abs, row)) / units:.6g} squares far; move it to the map"
                raise MapFileError(file, problem, self.places[index])
            found.append(row)
        return np.array(found, dtype=np.float64).reshape(-1, 4)


def object_walls(
    tiled: TiledMap,
    kind_of_layer: KindOfLayer,
    kind_of: KindOfObject,
    file: str,
    limits: Limits,
    remarks: Remarks,
) -> ObjectWalls:
    """Return the walls among the objects of a map.

    Parameters
    ----------
    tiled
        The map.
    kind_of_layer
        The kind that a layer gives to its objects.
    kind_of
        For an object, its properties and the kind of its layer the kind of wall that it is.
    file, limits
        As for the map.
    remarks
        What is left out is told there.
    """
    found = ObjectWalls()
    n_objects, most = sum(len(layer.objects or ()) for layer in tiled.layers), _OBJECTS_A_WALL * limits.walls
    if n_objects > most:
        raise MapFileError(file, f"{n_objects} objects, and the limit is {most}; Limits(walls=...) allows more")
    n_left: Counter[str] = Counter()
    names = Counter(node.get("name") for layer in tiled.layers for node in layer.objects or () if isinstance(node.get("name"), str))
    for layer in tiled.layers:
        own = kind_of_layer(layer)
        for index, node in enumerate(layer.objects or ()):
            place = f"line {node[LINE]}" if LINE in node else f"{layer.place}, object {index}"
            if "template" in node:
                remarks.add("objects made from templates that cannot be read, left out", place)
                continue
            properties = properties_of(node, file, place)
            kind = kind_of(node, properties, own)
            if kind is None or kind in _NO_WALLS:
                n_left[layer.name] += 1
                continue
            outline = outline_of(node, file, place)
            if not outline:
                remarks.add("walls without an outline, left out", place)
                continue
            pieces = [
                ((x0 + layer.offset[0], y0 + layer.offset[1]), (x1 + layer.offset[0], y1 + layer.offset[1]))
                for (x0, y0), (x1, y1) in outline
            ]
            look = door_look(cast("KindWord", kind), door_state(properties))
            name = node.get("name")
            if len(pieces) == 1 and isinstance(name, str) and name and names[name] == 1:
                look["id"] = name
            found.pieces.extend(pieces)
            found.looks.extend([look] * len(pieces))
            found.places.extend([place] * len(pieces))
            limits.check(file, walls=len(found.pieces))
    if n_left:
        listed = ", ".join(f"{count} in layer {name[:40]!r}" for name, count in n_left.most_common(_N_LAYERS_TOLD))
        more = f" and {len(n_left) - _N_LAYERS_TOLD} more layers" if len(n_left) > _N_LAYERS_TOLD else ""
        found.told = (f"objects that are no walls, left out ({n_left.total()}): {listed}{more}",)
    return found

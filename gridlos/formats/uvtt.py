"""Universal VTT maps (``.dd2vtt``, ``.uvtt``, ``.df2vtt``): walls, doors and lights; their picture is not read."""

from __future__ import annotations

import math
import os
import re
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal, TypedDict

import numpy as np

from gridlos.battlemap import BattleMap
from gridlos.errors import MapFileError, SceneError
from gridlos.formats.files import DEFAULT_LIMITS, Limits
from gridlos.formats.reading import Remarks, beyond, check_word, in_file, is_number, noun, rounded
from gridlos.formats.uvtt_file import UvttFile, uvtt_from_bytes, uvtt_from_path
from gridlos.formats.uvtt_pieces import (
    FARTHEST,
    SUBDIVISIONS,
    Frame,
    Pieces,
    WindowsWord,
    add_foundry_walls,
    add_polylines,
    add_portals,
)
from gridlos.formats.uvtt_scale import Scale, scale_of
from gridlos.records import Light
from gridlos.scene import Scene
from gridlos.walls import Wall
from gridlos.weld import TOLERANCE, weld_segments

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Unpack

    from numpy.typing import NDArray

    from gridlos.facts import Ints

__all__ = ["UVTT_ENDINGS", "ObjectsWord", "UvttOptions", "WindowsWord", "load_uvtt", "scene_from_uvtt"]

UVTT_ENDINGS = (".dd2vtt", ".uvtt", ".df2vtt")
ObjectsWord = Literal["hard", "see-into", "ignore"]

_FOUNDRY_KEYS = tuple(key for key in UvttFile.__struct_fields__ if key.startswith("foundry_"))
_EXACT = 1e-5  # squares: six decimals, and floats of 32 bits on a map of 60 squares, lose less
_COLOUR = re.compile(r"[0-9a-fA-F]{6}(?:[0-9a-fA-F]{2})?")

_WALL: Mapping[str, Any] = MappingProxyType({"kind": "wall"})
_OUTLINES: Mapping[str, Mapping[str, Any]] = MappingProxyType({
    "hard": _WALL,
    "see-into": MappingProxyType({"kind": "terrain", "effect": "limited"}),
})  # fmt: skip


class UvttOptions(TypedDict, total=False):
    """How a Universal VTT map is read; see :func:`load_uvtt`."""

    windows: WindowsWord
    objects: ObjectsWord
    weld: float
    feet_per_square: float


def load_uvtt(
    path: str | os.PathLike[str], *, limits: Limits = DEFAULT_LIMITS, **options: Unpack[UvttOptions]
) -> Scene:
    """Return the scene in a Universal VTT file: a map of open squares with walls, doors and lights, and nobody on it.

    The origin of the export is subtracted from everything. Walls go to 1/512 of a square. What reaches beyond the map
    is kept. A portal is a door between the two ends of its ``bounds``. A light has one radius, both bright and dim. Walls
    under the keys that converters from Foundry VTT add (``foundry_terrain_walls`` and its like) are read by the numbers
    that these write. What was rounded, welded, fitted or left out is told in ``load_warnings``.

    Parameters
    ----------
    path
        The file.
    limits
        How much it may hold; ``file_bytes`` is for all but the picture.
    windows
        Which portals are windows, which stop effect and not sight: ``none`` (the default; a portal that is not closed
        is an open door), ``open`` (those that are not closed), ``short`` (those shorter than 0.85 squares, closed or
        not) or ``open-or-short``. The file does not say. Windows of public maps are 0.75 to 0.78 squares long and
        doors 1 and more, but some draw narrow doors: the default takes no portal for something to look through, and a
        warning counts the short ones. A portal with the numbers of Foundry VTT is what these say.
    objects
        What the outlines of objects are: ``hard`` (walls, the default), ``see-into`` (terrain: one such wall lets
        effect and sight through, two do not; not welded) or ``ignore``.
    weld
        Squares: ends nearer to something than that are put onto it; 0 turns it off, and leaves walls that are drawn too
        large where they are. See :mod:`gridlos.weld` and :mod:`gridlos.formats.uvtt_scale`.
    feet_per_square
        The file does not say.

    Raises
    ------
    MapFileError
        One line: the file, the place in it, what is wrong and what would be right.
    QuestionError
        For an unknown word in an option.
    """
    return _scene(uvtt_from_path(path, limits=limits), os.fspath(path), limits, options)


def scene_from_uvtt(
    content: bytes, *, file: str = "", limits: Limits = DEFAULT_LIMITS, **options: Unpack[UvttOptions]
) -> Scene:
    """Return the scene in the bytes of a Universal VTT file; see :func:`load_uvtt`.

    Examples
    --------
    >>> content = b'''{"resolution": {"map_origin": {"x": 3, "y": 1}, "map_size": {"x": 2, "y": 2}},
    ... "line_of_sight": [[{"x": 3, "y": 2}, {"x": 4, "y": 2}]],
    ... "portals": [{"bounds": [{"x": 4, "y": 2}, {"x": 5, "y": 2}], "closed": true}]}'''
    >>> scene = scene_from_uvtt(content)
    >>> scene.battle_map.north_edges.tolist(), scene.battle_map.wall_name(1), scene.warnings
    ([[0, 0], [3, 3], [0, 0]], 'door 1', ())
    """
    return _scene(uvtt_from_bytes(content, file=file, limits=limits), file, limits, options)


def _scene(held: UvttFile, file: str, limits: Limits, options: UvttOptions) -> Scene:
    windows, objects = options.get("windows", "none"), options.get("objects", "hard")
    for name, word, known in (("windows", windows, WindowsWord), ("objects", objects, ObjectsWord)):
        check_word(name, word, known)
    remarks = Remarks()
    frame = _frame(held.resolution, file, remarks)
    if held.line_of_sight is None:
        remarks.add("missing keys, read as empty", "line_of_sight")
    pieces = Pieces()
    add_polylines(pieces, "line_of_sight", held.line_of_sight, _WALL, frame)
    if objects != "ignore":
        add_polylines(pieces, "objects_line_of_sight", held.objects_line_of_sight, _OUTLINES[objects], frame)
    add_portals(pieces, held.portals, windows, frame)
    for name in _FOUNDRY_KEYS:
        add_foundry_walls(pieces, name, getattr(held, name), frame)
    limits.check(file, squares=frame.rows * frame.cols, walls=len(pieces.ends))
    feet, tolerance = options.get("feet_per_square", 5.0), options.get("weld", TOLERANCE)
    ends = np.array(pieces.ends, dtype=np.float64).reshape(-1, 4)
    scale = _scale(pieces, ends, frame) if tolerance else None
    try:
        segments, sources, told = _lattice_walls(pieces, ends if scale is None else scale.ends(ends), tolerance, frame)
        walls = [
            Wall(start=(x0, y0), end=(x1, y1), **pieces.looks[source])
            for (x0, y0, x1, y1), source in zip((segments / SUBDIVISIONS).tolist(), sources.tolist(), strict=True)
        ]
        battle_map = BattleMap.from_rows(
            ["." * frame.cols] * frame.rows, walls=walls, subdivisions=SUBDIVISIONS, feet_per_square=feet
        )
        return Scene(
            battle_map,
            lights=tuple(_lights(held.lights, feet, frame, scale)),
            name=Path(file).stem.encode(errors="replace").decode(),
            extra=_environment(held.environment),
            load_warnings=(*remarks.sentences(), *(scale.sentences() if scale else ()), *told),
        )
    except SceneError as error:
        raise in_file(error, file) from error


def _frame(resolution: object, file: str, remarks: Remarks) -> Frame:
    """Return the map's place and size; MapFileError where they are not known."""
    place = "$.resolution"
    if not isinstance(resolution, dict):
        right = "a Universal VTT map has an object with its map_size and map_origin there"
        raise MapFileError(file, f"expected an object, got {noun(resolution)}; {right}", place)
    if resolution.get("map_origin") is None:
        remarks.add("missing keys, taken as (0, 0)", "resolution.map_origin")
    origin = resolution.get("map_origin") or {"x": 0, "y": 0}
    found = []
    for name, point in (("map_origin", origin), ("map_size", resolution.get("map_size"))):
        if not isinstance(point, dict):
            raise MapFileError(file, f"expected an object with x and y, got {noun(point)}", f"{place}.{name}")
        for axis in ("x", "y"):
            number = point.get(axis)
            if not is_number(number):
                problem = f"expected a number of squares, got {noun(number)}"
                raise MapFileError(file, problem, f"{place}.{name}.{axis}")
            if name == "map_size" and not 0 < number < FARTHEST:
                problem = f"the map is {number} squares long; a side has from 1 to {FARTHEST - 1}"
                raise MapFileError(file, problem, f"{place}.{name}.{axis}")
            found.append(number)
    x, y, *size = found
    cols, rows = (max(1, math.ceil(number - _EXACT)) for number in size)
    if abs(cols - size[0]) > _EXACT or abs(rows - size[1]) > _EXACT:
        remarks.add(f"sizes that are no whole numbers, read as {cols} by {rows} squares", "resolution.map_size")
    return Frame(file, x, y, cols, rows, remarks)


def _lights(section: object, feet_per_square: float, frame: Frame, scale: Scale | None) -> Iterator[Light]:
    for i, light in enumerate(frame.entries("lights", section)):
        known = light if isinstance(light, dict) else {}
        at, squares = frame.point(known.get("position")), known.get("range")
        if at is None or not is_number(squares) or squares < 0:
            frame.remarks.add("lights without position and range, left out", f"lights[{i}]")
            continue
        if not (0 <= at[0] <= frame.cols and 0 <= at[1] <= frame.rows):
            frame.remarks.add("lights beyond the map, kept", f"lights[{i}]")
        radius = squares * feet_per_square
        x, y = (round(number, 9) for number in (scale.point(*at) if scale else at))
        yield Light(at=(x, y), bright=radius, dim=radius, extra=_looks_of_light(known))


def _looks_of_light(light: Mapping[str, Any]) -> dict[str, Any] | None:
    kept = {
        "color": isinstance(light.get("color"), str) and _COLOUR.fullmatch(light["color"]),
        "intensity": is_number(light.get("intensity")),
        "shadows": isinstance(light.get("shadows"), bool),
    }
    return {key: light[key] for key, is_kept in kept.items() if is_kept} or None


def _environment(environment: object) -> dict[str, Any] | None:
    """Return what the file says of the light around, which nothing uses: it does not say how dark a colour is."""
    if not isinstance(environment, dict):
        return None
    ambient, baked = environment.get("ambient_light"), environment.get("baked_lighting")
    kept: dict[str, Any] = {}
    if isinstance(ambient, str) and _COLOUR.fullmatch(ambient):
        kept["ambient_light"] = ambient
    if isinstance(baked, bool):
        kept["baked_lighting"] = baked
    return {"environment": kept} if kept else None


def _scale(pieces: Pieces, ends: NDArray[np.float64], frame: Frame) -> Scale | None:
    """Return the grid of a map that is drawn a little too large, by its walls and portals."""
    is_drawn = np.array([name in ("line_of_sight", "portals") for name, _, _ in pieces.places], dtype=bool)
    return scale_of(ends[is_drawn], frame.cols, frame.rows)


def _lattice_walls(
    pieces: Pieces, ends: NDArray[np.float64], tolerance: float, frame: Frame
) -> tuple[Ints, Ints, tuple[str, ...]]:
    """Return the walls on the lattice, the piece that each comes from, and what was rounded, welded, or lies outside."""
    exact = ends * SUBDIVISIONS
    units = np.rint(exact).astype(np.int32)
    told = rounded(np.abs(exact - units) / SUBDIVISIONS, _EXACT, f"1/{SUBDIVISIONS} of a square")
    has_length = np.any(units[:, :2] != units[:, 2:], axis=1)
    for index in np.flatnonzero(~has_length).tolist():
        name, i, j = pieces.places[index]
        frame.remarks.add(
            "walls without length, left out", f"{name}[{i}]" if name == "portals" else f"{name}[{i}][{j}]"
        )
    sources = np.flatnonzero(has_length).astype(np.int32)
    segments = units[sources]
    if tolerance:
        is_kept = np.array([_is_seen_into(pieces, index) for index in sources.tolist()], dtype=bool)
        welded = weld_segments(segments[~is_kept], subdivisions=SUBDIVISIONS, tolerance=tolerance)
        segments = np.concatenate([welded.segments, segments[is_kept]])
        sources = np.concatenate([sources[~is_kept][welded.sources], sources[is_kept]])
        order = np.argsort(sources, kind="stable")
        segments, sources = segments[order], sources[order]
        told += welded.sentences()
    return segments, sources, (*told, *beyond(segments, frame.cols, frame.rows, SUBDIVISIONS))


def _is_seen_into(pieces: Pieces, index: int) -> bool:
    """Return whether a piece is part of an outline that one sees into: it is not welded, for nothing is to stick to it."""
    return pieces.places[index][0] == "objects_line_of_sight" and pieces.looks[index]["kind"] == "terrain"

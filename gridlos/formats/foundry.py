"""Scenes of Foundry VTT, versions 8 to 14: walls, doors, tokens and lights of one, on the lattice of its pixels."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypedDict

import numpy as np

from gridlos.battlemap import BattleMap
from gridlos.errors import SceneError
from gridlos.formats.files import DEFAULT_LIMITS, Limits, text_from
from gridlos.formats.foundry_creatures import creatures_from
from gridlos.formats.foundry_file import WallFields, plain_name
from gridlos.formats.foundry_frame import entries_of, feet_by_level, frame_of
from gridlos.formats.foundry_lights import ambient_light, darkness_of, lights_from
from gridlos.formats.foundry_pack import Pack, pack_from_path, pack_from_text
from gridlos.formats.foundry_walls import EffectChannel, WallReader
from gridlos.formats.reading import Remarks, beyond, check_word, in_file, is_number, rounded
from gridlos.lattice import LATTICE_LIMIT
from gridlos.scene import Scene
from gridlos.walls import Wall
from gridlos.weld import TOLERANCE, weld_segments

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from typing import Unpack

    from numpy.typing import NDArray

    from gridlos.facts import Ints
    from gridlos.formats.foundry_creatures import Squares
    from gridlos.formats.foundry_file import Document

__all__ = [
    "EffectChannel",
    "FoundryOptions",
    "foundry_scene_names",
    "load_foundry",
    "scene_from_foundry",
    "scene_from_pack",
]

_PARTS_OF_PIXEL = (1, 2, 4)
_EXACT = 1e-6  # pixels
_FARTHEST = LATTICE_LIMIT // _PARTS_OF_PIXEL[-1]  # pixels
_NUMBERS = {int, float}


class FoundryOptions(TypedDict, total=False):
    """How a scene of Foundry VTT is read; see :func:`load_foundry`."""

    effect_channel: EffectChannel
    weld: float
    feet_per_square: float


def load_foundry(
    path: str | os.PathLike[str],
    *,
    scene: str | None = None,
    limits: Limits = DEFAULT_LIMITS,
    **options: Unpack[FoundryOptions],
) -> Scene:
    """Return a scene of Foundry VTT: a map of open squares with the walls, doors, tokens and lights of the file.

    The squares are those that the scene's rectangle inside of the padding reaches into. A square has as many lattice
    units as pixels, two or four times as many where walls end between pixels. Walls beyond the map are left out, those
    that stick out of it are kept. What was left out, rounded, welded or read for want of something better is told in
    ``load_warnings``.

    A wall stops effect if it stops ``effect_channel``, and sight if it stops sight. It is a *window* if it stops only
    effect, a *curtain* if only sight, *terrain* if sight passes one such wall and not two. What stops sight only from
    near or only from far is a wall of its own with a ``threshold``, which lets sight pass as yet. Shut doors stop what
    their numbers say, open ones nothing.

    The side of a token follows from its disposition: friendly ``party``, neutral ``neutral``, hostile ``monsters``,
    secret ``neutral``. Its id is its name, with a number where several have it. What no light reaches is ``bright`` up
    to a darkness of 0.25, ``dark`` from 0.75 on, else ``dim``; global light makes the dark dim.

    Parameters
    ----------
    path
        A scene or an adventure as JSON, a pack (``.db``), a LevelDB folder, or a folder of sources in JSON.
    scene
        Name or id; None: the only one.
    limits
        How much it may hold.
    effect_channel
        Which restriction of a wall stops effect: ``move`` (the default: what stops a body stops an arrow, and a curtain
        stops neither), ``sight``, ``light``, ``sound``, or ``both``, the milder of move and sight, for maps on which
        cliffs and water are walls that stop nothing but walking.
    weld
        Squares: ends nearer to something than that are put onto it; 0 turns it off. See :mod:`gridlos.weld`.
    feet_per_square
        In place of what the file says.

    Raises
    ------
    MapFileError
        One line: the file, the place in it, what is wrong and what would be right. So for scenes of hexagons or without
        grid, for units of length that nobody knows, and where several scenes are there and none is named.
    QuestionError
        For an unknown word in an option.
    """
    check_word("effect_channel", options.get("effect_channel", "move"), EffectChannel)
    return scene_from_pack(pack_from_path(path, limits=limits), scene=scene, limits=limits, **options)


def scene_from_foundry(
    content: bytes,
    *,
    file: str = "",
    scene: str | None = None,
    limits: Limits = DEFAULT_LIMITS,
    **options: Unpack[FoundryOptions],
) -> Scene:
    """Return a scene in the bytes of a file of JSON; see :func:`load_foundry`.

    Examples
    --------
    >>> content = b'''{"name": "Cell", "grid": 70, "gridType": 1, "gridDistance": 5, "gridUnits": "ft",
    ... "width": 140, "height": 140, "padding": 0, "walls": [{"c": [70, 0, 70, 70], "move": 1, "sense": 1}],
    ... "tokens": [{"name": "Rat", "x": 105, "y": 70, "width": 0.5, "height": 0.5, "disposition": -1}]}'''
    >>> cell = scene_from_foundry(content)
    >>> cell.battle_map.west_edges.tolist(), cell.battle_map.subdivisions, cell.creature("Rat").at, cell.warnings
    ([[0, 3, 0], [0, 0, 0]], 70, (1, 1), ())
    """
    check_word("effect_channel", options.get("effect_channel", "move"), EffectChannel)
    pack = pack_from_text(text_from(content, file), file, limits)
    return scene_from_pack(pack, scene=scene, limits=limits, **options)


def foundry_scene_names(path: str | os.PathLike[str], *, limits: Limits = DEFAULT_LIMITS) -> tuple[str, ...]:
    """Return what each scene in a file or folder is asked for by: its name, or its id where that is not the only one."""
    return pack_from_path(path, limits=limits).names


def scene_from_pack(
    pack: Pack, *, scene: str | None = None, limits: Limits = DEFAULT_LIMITS, **options: Unpack[FoundryOptions]
) -> Scene:
    """Return one of the scenes in a pack; see :func:`load_foundry`."""
    check_word("effect_channel", options.get("effect_channel", "move"), EffectChannel)
    remarks = Remarks()
    held = pack.scene(scene, remarks)
    try:
        return _scene(held, pack.file, limits, options, remarks)
    except SceneError as error:
        raise in_file(error, pack.file) from error


def _scene(held: Document, file: str, limits: Limits, options: FoundryOptions, remarks: Remarks) -> Scene:
    squares, feet_per_square = frame_of(held, file, options.get("feet_per_square"), remarks)
    entries, tokens, lights = (entries_of(held, name, file) for name in ("walls", "tokens", "lights"))
    limits.check(file, squares=squares.cols * squares.rows, walls=len(entries), creatures=len(tokens))
    levels = feet_by_level(held, squares.feet_per_unit, remarks)
    reader = WallReader(options.get("effect_channel", "move"), squares.feet_per_unit, levels)
    parts, walls, told = _walls(entries, reader, squares, options.get("weld", TOLERANCE), remarks)
    battle_map = BattleMap.from_rows(
        ["." * squares.cols] * squares.rows,
        walls=walls,
        subdivisions=squares.size * parts,
        feet_per_square=feet_per_square,
    )
    places = (f"tokens[{index}]" for index in range(len(tokens)))
    creatures = tuple(creatures_from(tokens, squares, places, remarks))
    darkness = darkness_of(held)
    lit = tuple(lights_from(lights, squares, darkness, remarks))
    light, told_of_light = ambient_light(held, darkness)
    _count_difficult_terrain(held, remarks)
    return Scene(
        battle_map,
        creatures=creatures,
        lights=lit,
        light=light,
        name=plain_name(held.name) or plain_name(Path(file).stem),
        load_warnings=(*remarks.sentences(), *told_of_light, *told),
    )


def _count_difficult_terrain(held: Document, remarks: Remarks) -> None:
    for index, region in enumerate(held.regions if isinstance(held.regions, list) else ()):
        behaviours = region.get("behaviors") if isinstance(region, dict) else None
        for one in behaviours if isinstance(behaviours, list) else ():
            if isinstance(one, dict) and one.get("type") == "modifyMovementCost" and one.get("disabled") is not True:
                remarks.add("regions of difficult terrain, which nothing uses", f"regions[{index}]")
                break


def _walls(
    entries: Sequence[Any], reader: WallReader, squares: Squares, tolerance: float, remarks: Remarks
) -> tuple[int, list[Wall], tuple[str, ...]]:
    """Return the lattice units in a pixel, the walls, and what was rounded or welded or sticks out."""
    indices, pixels = _ends(entries, squares, remarks)
    parts = next((parts for parts in _PARTS_OF_PIXEL if _is_exact(pixels, parts)), _PARTS_OF_PIXEL[-1])
    units = np.rint(pixels * parts).astype(np.int32)
    shift = np.abs(pixels - units / parts)
    told = rounded(shift / squares.size, _EXACT / squares.size, "a quarter of a pixel")
    has_length = np.any(units[:, :2] != units[:, 2:], axis=1)
    for row in np.flatnonzero(~has_length).tolist():
        remarks.add("walls without length, left out", f"walls[{indices[row]}]")
    rows, looks, names = [], [], []
    for row in np.flatnonzero(has_length).tolist():
        wall = entries[indices[row]]
        look = reader.look(wall)
        for remark in look.remarks:
            remarks.add(remark, f"walls[{indices[row]}]")
        for number, one in enumerate(look.walls):
            rows.append(row)
            looks.append(one)
            names.append(plain_name(wall.id) if "state" in one and not number else "")
    segments = units[np.array(rows, dtype=np.intp)]
    sources: Ints = np.arange(len(rows), dtype=np.int32)
    size = squares.size * parts
    if tolerance:
        welded = weld_segments(segments, subdivisions=size, tolerance=tolerance)
        segments, sources = welded.segments, welded.sources
        told += welded.sentences()
    told += beyond(segments, squares.cols, squares.rows, size)
    ends = (segments / size).tolist()
    return parts, list(_records(ends, sources.tolist(), looks, names)), told


def _records(
    ends: Iterable[Sequence[float]], sources: Sequence[int], looks: Sequence[Mapping[str, Any]], names: Sequence[str]
) -> Iterator[Wall]:
    """Return the walls; only doors have ids, and of a door that was cut in two the parts ``id``, ``id/2`` ..."""
    given: set[str] = set()
    for (x0, y0, x1, y1), source in zip(ends, sources, strict=True):
        if not (name := names[source]):
            yield Wall(start=(x0, y0), end=(x1, y1), **looks[source])
            continue
        part = 1
        while (full := name if part == 1 else f"{name}/{part}") in given:
            part += 1
        given.add(full)
        yield Wall(start=(x0, y0), end=(x1, y1), id=full, **looks[source])


def _ends(entries: Sequence[Any], squares: Squares, remarks: Remarks) -> tuple[Sequence[int], NDArray[np.float64]]:
    """Return the walls with two ends that meet the map, and their ends in pixels from the map's corner."""
    indices: Sequence[int] = range(len(entries))
    try:
        given = [entry.c for entry in entries]
        types: set[type] = set()
        for ends in given:
            types.update(map(type, ends))
        pixels = np.array(given, dtype=np.float64).reshape(-1, 4) if types <= _NUMBERS else None
    except (TypeError, AttributeError, ValueError, OverflowError):
        pixels = None
    if pixels is None or len(pixels) != len(entries):
        indices = [index for index, entry in enumerate(entries) if _has_ends(entry)]
        for index in sorted(set(range(len(entries))) - set(indices)):
            remarks.add("walls without two ends of finite numbers, left out", f"walls[{index}]")
        pixels = np.array([entries[index].c for index in indices], dtype=np.float64).reshape(-1, 4)
    pixels -= np.array([squares.x, squares.y] * 2)
    is_near = np.all(np.abs(pixels) < _FARTHEST, axis=1)
    low, high = np.minimum(pixels[:, :2], pixels[:, 2:]), np.maximum(pixels[:, :2], pixels[:, 2:])
    is_on_map = np.all((high >= 0) & (low <= np.array([squares.cols, squares.rows]) * squares.size), axis=1)
    for keep, remark in ((is_near, "walls too far away or not finite"), (is_on_map | ~is_near, "walls beyond the map")):
        for row in np.flatnonzero(~keep).tolist():
            remarks.add(f"{remark}, left out", f"walls[{indices[row]}]")
    kept = np.flatnonzero(is_near & is_on_map)
    return [indices[row] for row in kept.tolist()], pixels[kept]


def _is_exact(pixels: NDArray[np.float64], parts: int) -> bool:
    return bool(np.all(np.abs(pixels * parts - np.rint(pixels * parts)) < _EXACT * parts))


def _has_ends(entry: object) -> bool:
    ends = entry.c if isinstance(entry, WallFields) else None
    return isinstance(ends, list) and len(ends) == 4 and all(map(is_number, ends))

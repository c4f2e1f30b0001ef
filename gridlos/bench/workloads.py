"""The workloads by name: what is timed, how its result is checked, and what else could be asked for a part of it."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from itertools import cycle
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

import gridlos
from gridlos.bench import scenes
from gridlos.bench.peers import Peer, peers_of_lines, tcod_squares
from gridlos.bench.reference import (
    check,
    check_cover,
    creature_lines,
    least_of,
    places_of,
    sample_of,
    walked,
)
from gridlos.facts import Channel, Ints, Masks, Relation
from gridlos.questions import obstacles as walls
from gridlos.questions.choices import nibbles_of
from gridlos.questions.creatures import Bodies, bodies_of, soft_lines
from gridlos.questions.field import SquarePairs
from gridlos.questions.flanking import everybody_measured, flanked, relations
from gridlos.questions.obstacles import Obstacles, obstacles_of
from gridlos.questions.specials import specials_of
from gridlos.questions.table import LineTable, OneToAll
from gridlos.rules import corners
from gridlos.rules.corners import Choosing
from gridlos.rules.plain import LineTables, chosen_plainly, packed_lines
from gridlos.scene import Scene
from gridlos.verdict import Evaluation

__all__ = ["WORKLOADS", "Case", "SkippedError", "Workload", "evaluation", "every_square", "lines_between"]

Indices = NDArray[np.int64]
Lines = NDArray[np.uint16]

EDITION = "pathfinder1"
SAMPLE = 20_000
FIELD_SQUARES = 64


class SkippedError(Exception):
    """What a workload needs is not there."""


def _nothing() -> None:
    return None


@dataclass(frozen=True, slots=True)
class Case:
    """A workload made ready.

    Attributes
    ----------
    run
        What is timed; takes what ``fresh`` makes.
    check
        Raises if the result of ``run`` is not that of the plain reference.
    n_pairs, n_lines
        How many pairs, of creatures or squares, and lines from corner to corner one call answers.
    fresh
        Makes the argument of ``run`` anew before each call; that is not timed.
    peers
        Other ways, timed in the same run.
    nbytes
        Bytes that are kept afterwards, where that is known.
    facts
        What else is to be told: walls, squares.
    """

    run: Callable[[Any], Any]
    check: Callable[[], None]
    n_pairs: int
    n_lines: int
    fresh: Callable[[], Any] = _nothing
    peers: tuple[Peer, ...] = ()
    nbytes: int | None = None
    facts: dict[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Workload:
    """A question with a name, and how it is made ready; that raises :class:`SkippedError` where something is missing."""

    name: str
    title: str
    prepare: Callable[[], Case]


def _pairs(n: int) -> Indices:
    return np.stack(np.triu_indices(n, 1), axis=1).astype(np.int64)


def _obstacles(scene: Scene) -> Obstacles:
    return obstacles_of(scene.battle_map, Channel.EFFECT)


def every_square(make: Callable[[], Scene], *, tcod: bool = False) -> Case:
    """Return all lines between all squares, and the least blocked both ways; the table replaces an older one in its memory."""
    scene = make()
    obstacles = _obstacles(scene)
    kept = LineTable.of(obstacles.arms)
    n = obstacles.legs.size

    def checked() -> None:
        table = LineTable.of(obstacles.arms)
        squares = np.random.default_rng(1).integers(0, n, (SAMPLE, 2))
        lines = walked(obstacles, squares)
        check("every square", holds=np.array_equal(table.blocked_lines(squares), lines))
        check("every square", holds=np.array_equal(table.least_blocked(squares), least_of(lines)))

    def run(_: None) -> LineTable:
        return LineTable.of(obstacles.arms, instead_of=kept)

    peers = tcod_squares(scene) if tcod else ()
    n_pairs = n * (n + 1) // 2
    return Case(run, checked, n_pairs, 16 * n_pairs, peers=peers, nbytes=kept.nbytes, facts={"squares": n})


def _one_square(make: Callable[[], Scene]) -> Case:
    """Return the least lines blocked from one square to all."""
    scene = make()
    obstacles = _obstacles(scene)
    found, n = OneToAll.of(obstacles.arms), obstacles.legs.size
    square = int(places_of(scene)[0])

    def checked() -> None:
        squares = np.stack((np.full(n, square), np.arange(n)), axis=1)
        expected = least_of(walked(obstacles, squares))
        check("one square", holds=np.array_equal(found.least_blocked(square).ravel(), expected))

    return Case(lambda _: found.least_blocked(square), checked, n, 16 * n, facts={"squares": n})


@dataclass(frozen=True, slots=True)
class _Kernels:
    """What one call for all pairs of creatures finds without rules, arrays only."""

    hard: Lines
    soft: tuple[Lines, Lines]
    corner: Masks
    distance: Ints
    flanked: NDArray[np.bool_]


_RANKS = corners.ranks_of(
    np.where(
        (corners.class_parts()[0] > 1) | (corners.class_parts()[1] > 0), 4, 2 * (corners.class_parts()[0] == 1)
    ).astype(np.int64)
)
_TABLES = LineTables.of(_RANKS, "ignore")


def _kernels(scene: Scene, bodies: Bodies, pairs: Indices, obstacles: Obstacles) -> _Kernels:
    squares = places_of(scene)[pairs]
    hard = walls.blocked_lines(obstacles, squares)
    starts, shape = np.arange(len(pairs) + 1), obstacles.legs.shape
    soft = soft_lines(bodies, pairs, starts, squares, (shape[0], shape[1]))
    assert soft is not None
    every_corner = np.full(len(pairs), 15, np.uint8)
    packed = packed_lines(nibbles_of(hard), nibbles_of(soft[0]))
    choosing = Choosing(starts, every_corner)
    chosen, _ = chosen_plainly(choosing, packed, every_corner, (_TABLES, _TABLES), None)
    everybody, every_second_double = np.arange(len(scene.creatures)), (True, False, True)
    distance, _, _, reaches = everybody_measured(bodies, every_second_double)
    threatens = reaches & bodies.threatening(unarmed=False)[:, None]
    return _Kernels(hard, soft, chosen.corner, distance, flanked(bodies, everybody, everybody, threatens))


def _all_kernels(*, cold: bool) -> Case:
    """Return hard and soft lines, corners, distances and flanking of 40 creatures in a dungeon, without rules."""
    scene = scenes.dungeon(40, 60, 40)
    bodies, obstacles, pairs = bodies_of(scene.creatures), _obstacles(scene), _pairs(40)

    def run(given: Scene | None) -> _Kernels:
        if given is None:
            return _kernels(scene, bodies, pairs, obstacles)
        return _kernels(given, bodies_of(given.creatures, spaces=given.spaces), pairs, _obstacles(given))

    def checked() -> None:
        found, squares = run(scenes.anew(scene) if cold else None), places_of(scene)[pairs]
        check("kernels, walls", holds=np.array_equal(found.hard, walked(obstacles, squares)))
        bits = creature_lines(scene, pairs).reshape(-1, 16)
        check("kernels, creatures", holds=np.array_equal(found.soft[0], (bits << np.arange(16)).sum(axis=1)))
        nibbles = [nibbles_of(one) for one in (found.hard, found.soft[0])]
        costs = _RANKS.take(corners.class_of("ignore", np.full((len(pairs), 1), 15, np.uint8), *nibbles))
        check("kernels, corners", holds=np.array_equal(found.corner, costs.argmin(axis=1)))
        at = scene.spaces[:, :2].astype(np.int64)
        dx, dy = np.abs(at[:, None] - at).transpose(2, 0, 1)
        steps = np.maximum(dx, dy) + np.minimum(dx, dy) // 2
        check("kernels, distance", holds=np.array_equal(found.distance, steps))
        check("kernels, flanking", holds=np.array_equal(found.flanked, _flanked_slowly(scene)))

    fresh = partial(scenes.anew, scene) if cold else _nothing
    return Case(run, checked, 2 * len(pairs), 32 * len(pairs), fresh=fresh)


def _flanked_slowly(scene: Scene) -> NDArray[np.bool_]:
    """Return who flanks whom, all being Medium: some ally stands on the other side, both next to the target."""
    at = scene.spaces[:, :2].astype(np.int64)
    relation = relations(bodies_of(scene.creatures))
    n = len(at)
    found = np.zeros((n, n), np.bool_)
    near = np.abs(at[:, None] - at).max(axis=2) == 1
    for a, t in np.argwhere(near).tolist():
        for p in np.flatnonzero(near[:, t]).tolist():
            is_opposite = (at[a] + at[p] == 2 * at[t]).all()
            found[a, t] |= p != a and relation[a, p] == Relation.ALLY and is_opposite
    return found


def evaluation(make: Callable[[], Scene], *, known: Literal["scene", "map", "nothing"] = "scene") -> Case:
    """Return all pairs of a scene's creatures, by the rules of an edition.

    ``known``: the same scene has been asked before; it is another scene on the same map, as after moves; or nothing is known.
    """
    scene = make()
    obstacles = _obstacles(scene)
    ask = partial(gridlos.evaluate, edition=EDITION)

    def run(given: Scene | None) -> Evaluation:
        return ask(scene if given is None else given)

    def checked() -> None:
        found = run(fresh())
        if specials_of(scene) is None:
            check_cover("evaluate", scene, obstacles, found)
        for a, t in _ordered(len(scene.creatures), 20):
            alone = ask(scene, attackers=[scene.ids[a]], targets=[scene.ids[t]])
            same = all(column[0, 0] == found.columns[name][a, t] for name, column in alone.columns.items())
            check("evaluate", holds=same)

    n = len(scene.creatures)
    moved, anew = partial(scene.with_creatures, scene.creatures), partial(scenes.anew, scene)
    ways: dict[str, Callable[[], Any]] = {"scene": _nothing, "map": moved, "nothing": anew}
    fresh = ways[known]
    return Case(run, checked, n * (n - 1), 16 * n * (n - 1), fresh=fresh, facts=_facts(obstacles))


def _ordered(n: int, size: int) -> list[list[int]]:
    """Return some pairs of two creatures, as indices."""
    flat = sample_of(n * n, size)
    return [[a, t] for a, t in np.stack(np.divmod(flat, n), axis=1).tolist() if a != t]


def _facts(obstacles: Obstacles) -> dict[str, int]:
    return {"squares": obstacles.legs.size, "free_walls": len(obstacles.walls)}


def lines_between(make: Callable[[], Scene]) -> Case:
    """Return the lines between all creatures, the walls' index kept."""
    scene = make()
    obstacles = _obstacles(scene)
    pairs = _pairs(len(scene.creatures))
    squares = places_of(scene)[pairs]
    walls.blocked_lines(obstacles, squares)

    def run(_: None) -> Lines:
        found: Lines = walls.blocked_lines(obstacles, squares)
        return found

    def checked() -> None:
        check("lines", holds=np.array_equal(run(None), walked(obstacles, squares)))

    peers = peers_of_lines(scene, obstacles, squares)
    return Case(run, checked, len(pairs), 16 * len(pairs), peers=peers, facts=_facts(obstacles))


def _field(make: Callable[[], Scene]) -> Case:
    """Return the lines between all squares of a map with free walls.

    Where they are too many to be kept at once it is the least lines blocked from some squares to every square.
    """
    scene = make()
    obstacles = _obstacles(scene)
    rows, cols = obstacles.legs.shape
    n = rows * cols
    chosen = sample_of(n, FIELD_SQUARES).tolist()
    is_whole = gridlos.all_pairs(scene, edition=EDITION).reach is None

    def run(_: None) -> SquarePairs:
        pairs = gridlos.all_pairs(scene, edition=EDITION)
        for one in () if is_whole else chosen:
            pairs.least_blocked_from(one % cols, one // cols)
        return pairs

    def checked() -> None:
        pairs = run(None)
        squares = np.random.default_rng(1).integers(0, n, (SAMPLE, 2))
        row, column = np.divmod(squares, cols)
        places = np.stack((column[:, 0], row[:, 0], column[:, 1], row[:, 1]), axis=1)
        check("field", holds=np.array_equal(pairs.blocked_lines(places), walked(obstacles, squares)))
        for one in chosen[::16]:
            some = np.stack((np.full(n, one), np.arange(n)), axis=1)[::7]
            found = pairs.least_blocked_from(one % cols, one // cols).ravel()[::7]
            check("field", holds=np.array_equal(found, least_of(walked(obstacles, np.ascontiguousarray(some)))))

    n_pairs = n * (n + 1) // 2 if is_whole else len(chosen) * n
    return Case(run, checked, n_pairs, 16 * n_pairs, facts=_facts(obstacles))


def _move(n: int) -> Case:
    """Return a move of one of ``n`` creatures in a dungeon and what changes by it."""
    scene = scenes.dungeon(40, 60, n)
    places = cycle(_places(scene))
    board = gridlos.Board(scene, edition=EDITION)

    def run(_: None) -> object:
        found: object = board.move(*next(places))
        return found

    def checked() -> None:
        for _ in range(10):
            run(None)
        kept, anew = board.evaluation, gridlos.evaluate(scenes.anew(board.scene), edition=EDITION)
        same = all(np.array_equal(kept.columns[name], column) for name, column in anew.columns.items())
        check("move", holds=same)

    return Case(run, checked, 2 * (n - 1), 32 * (n - 1))


def _places(scene: Scene) -> Iterator[tuple[str, tuple[int, int]]]:
    """Yield moves, and after each the move back: to the free square beside the creature, for every creature that has one."""
    taken = {(x, y) for x, y in scene.spaces[:, :2].tolist()}
    for one in scene.creatures:
        x, y = int(one.at[0]), int(one.at[1])
        for at in ((x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)):
            if scene.battle_map.has_square(*at) and not scene.battle_map.is_solid(*at) and at not in taken:
                yield one.id, at
                yield one.id, (x, y)
                break


def _real(number: int, case: Callable[[Callable[[], Scene]], Case]) -> Case:
    """Return a case on one of the four real scenes."""
    if not os.environ.get(scenes.CORPUS):
        raise SkippedError(f"{scenes.CORPUS} names no folder of map files")
    files: tuple[Path, ...] = scenes.real_files()
    if number >= len(files):
        raise SkippedError(f"{scenes.CORPUS} has too few scenes of Foundry VTT")
    return case(partial(scenes.real, files[number]))


def _workloads() -> Iterator[Workload]:
    whole = "every square against every square, least lines blocked both ways"
    for name, make, tcod in (
        ("open 100×100", partial(scenes.open_field, 100, 100, 40), True),
        ("dungeon 100×100", partial(scenes.dungeon, 100, 100, 40), True),
        ("dungeon 60×40", partial(scenes.dungeon, 40, 60, 40), True),
    ):
        yield Workload(f"squares-{_name(name)}", f"{whole}, {name}", partial(every_square, make, tcod=tcod))
    one = partial(_one_square, partial(scenes.open_field, 100, 100, 40))
    yield Workload("one-square-open-100x100", "one square against all, open 100×100", one)
    lines = partial(lines_between, partial(scenes.dungeon, 40, 60, 40))
    yield Workload("lines-dungeon-60x40", "40 creatures, corner lines, dungeon 60×40", lines)
    title = "40 creatures, dungeon 60×40, hard and soft lines, corners, distances, flanking"
    yield Workload("kernels-40-cold", f"{title}; nothing known", partial(_all_kernels, cold=True))
    yield Workload("kernels-40-warm", f"{title}; map and creatures known", partial(_all_kernels, cold=False))
    for n, rows, cols in ((40, 40, 60), (200, 40, 60), (200, 100, 100)):
        make = partial(scenes.dungeon, rows, cols, n)
        label = f"`evaluate`, {n} creatures, dungeon {cols}×{rows}"
        yield Workload(f"evaluate-{n}-{cols}x{rows}", f"{label}, asked again", partial(evaluation, make))
        moved = partial(evaluation, make, known="map")
        yield Workload(f"evaluate-{n}-{cols}x{rows}-moved", f"{label}, new places on a known map", moved)
    for kind, label, case in (
        ("lines", "40 creatures, corner lines", lines_between),
        ("evaluate", "`evaluate`, 40 creatures, nothing kept", partial(evaluation, known="nothing")),
        ("field", "lines between all squares", _field),
    ):
        yield Workload(f"{kind}-cave-672", f"{label}, cave of 672 free walls", partial(case, partial(scenes.cave, 672)))
        for number, size in enumerate(scenes.SIZES):
            which = "the largest real scene" if size is None else f"real scene near {size:,} walls"
            yield Workload(f"{kind}-real-{size or 'largest'}", f"{label}, {which}", partial(_real, number, case))
    for n in (40, 200):
        yield Workload(f"move-{n}", f"`Board.move` among {n} creatures, dungeon 60×40", partial(_move, n))


def _name(text: str) -> str:
    return text.replace(" ", "-").replace("×", "x")


WORKLOADS: dict[str, Workload] = {one.name: one for one in _workloads()}
"""All workloads by name, in the order of the table."""

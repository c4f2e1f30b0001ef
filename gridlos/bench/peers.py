"""Other ways to get at a part of what a workload finds: other libraries where they are installed, plain Python, numpy."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import numpy as np
import shapely
from numpy.typing import NDArray

from gridlos.bench.reference import bits_of, check, walked
from gridlos.facts import Stops
from gridlos.kernels.walk import GRID_SECTORS
from gridlos.questions.obstacles import Obstacles
from gridlos.scene import Scene

__all__ = ["NOT_TOLD", "Peer", "corners_of", "peers_of_lines", "tcod_squares", "walk"]

Indices = NDArray[np.int64]
Bools = NDArray[np.bool_]

NOT_TOLD: Mapping[str, str] = MappingProxyType({
    "tcod": "sees squares, not lines: whether a square is seen from another one, by its own rule; no corners, no thin walls, "
    "no walls off the grid",
    "shapely": "whether a line meets the inside of what is solid, or with free walls any wall, a touch included; no joints, no "
    "cut-off corners, no doors; it rounds",
    "numpy": "the same lines as arrays, those along the grid left out; walls on the grid only",
    "plain Python": "the same lines one by one, those along the grid left out; walls on the grid only",
})  # fmt: skip
"""What each peer leaves open; none of them knows line of effect, the choice of a corner, creatures in the way, or rules."""

_LEFT_RIGHT = {(1, 1): (3, 12), (1, -1): (9, 6), (-1, 1): (6, 9), (-1, -1): (12, 3)}


@dataclass(frozen=True, slots=True)
class Peer:
    """Another way: its name, what is timed, and its check."""

    name: str
    run: Callable[[], Any]
    check: Callable[[], None]


def peers_of_lines(scene: Scene, obstacles: Obstacles, squares: Indices) -> tuple[Peer, ...]:
    """Return the peers for the 16 lines of each pair of squares."""
    bits = bits_of(walked(obstacles, squares)).ravel()
    lines = corners_of(squares, scene.battle_map.cols)
    if len(obstacles.walls):
        return (_shapely_of_walls(obstacles, lines, bits),)
    return (_shapely_of_squares(scene, lines, bits), _numpy(obstacles, lines, bits), _python(obstacles, lines, bits))


def corners_of(squares: Indices, cols: int) -> Indices:
    """Return ``(n, 16, 4)``: the ends ``x0, y0, x1, y1`` of the lines of each pair of squares."""
    row, column = np.divmod(np.asarray(squares), cols)
    c = np.arange(4)
    lines = np.empty((len(squares), 4, 4, 4), np.int64)
    lines[..., 0] = column[:, 0, None, None] + (c & 1)[:, None]
    lines[..., 1] = row[:, 0, None, None] + (c >> 1)[:, None]
    lines[..., 2] = column[:, 1, None, None] + (c & 1)
    lines[..., 3] = row[:, 1, None, None] + (c >> 1)
    return lines.reshape(len(squares), 16, 4)


def tcod_squares(scene: Scene) -> tuple[Peer, ...]:
    """Return tcod's symmetric field of view of every open square in turn; nothing where tcod is not installed."""
    try:
        maps, constants = (importlib.import_module(f"tcod.{part}") for part in ("map", "constants"))
    except ImportError:
        return ()
    clear = (scene.battle_map.terrain & Stops.EFFECT) == 0
    squares = np.argwhere(clear).tolist()

    def run() -> int:
        rule = constants.FOV_SYMMETRIC_SHADOWCAST
        return sum(int(maps.compute_fov(clear, tuple(one), algorithm=rule).sum()) for one in squares)

    return (Peer("tcod", run, lambda: check("tcod", holds=run() >= len(squares))),)


def _shapely_of_squares(scene: Scene, lines: Indices, bits: Bools) -> Peer:
    solid = np.argwhere(scene.battle_map.terrain & Stops.EFFECT)
    union = shapely.union_all([shapely.box(x, y, x + 1, y + 1) for y, x in solid.tolist()])
    shapely.prepare(union)
    asked = shapely.linestrings(lines.reshape(-1, 2, 2).astype(np.float64))

    def run() -> Bools:
        return np.asarray(shapely.relate_pattern(asked, union, "T********"), np.bool_)

    # What it calls blocked is blocked; doors and seams it does not see.
    return Peer("shapely", run, lambda: check("shapely", holds=not (run() & ~bits).any()))


def _shapely_of_walls(obstacles: Obstacles, lines: Indices, bits: Bools) -> Peer:
    walls = shapely.MultiLineString((obstacles.barriers / obstacles.size).reshape(-1, 2, 2).tolist())
    shapely.prepare(walls)
    asked = shapely.linestrings(lines.reshape(-1, 2, 2).astype(np.float64))

    def run() -> Bools:
        return np.asarray(shapely.intersects(walls, asked), np.bool_)

    # It sees most of what is blocked; not cut-off corners.
    return Peer("shapely", run, lambda: check("shapely", holds=bool((run() | ~bits).mean() > 0.9)))


def walk(arms: Any, x: int, y: int, dx: int, dy: int, ca: int, cb: int) -> bool:  # noqa: ANN401 - nested lists
    """Return whether a line on no axis from corner ``(x, y)`` along ``(dx, dy)`` is blocked: the kernel's walk in plain Python."""
    sx, sy = (1 if dx > 0 else -1), (1 if dy > 0 else -1)
    if not GRID_SECTORS[arms[y][x], ca, sy + 1, sx + 1] or not GRID_SECTORS[arms[y + dy][x + dx], cb, 1 - sy, 1 - sx]:
        return True
    a, b = abs(dx), abs(dy)
    left, right = _LEFT_RIGHT[sx, sy]
    error, rest = b - a, a + b - 2
    while rest > 0:
        if error < 0:
            x, error, rest = x + sx, error + b, rest - 1
            if arms[y if sy > 0 else y - 1][x] & 4:
                return True
        elif error > 0:
            y, error, rest = y + sy, error - a, rest - 1
            if arms[y][x if sx > 0 else x - 1] & 2:
                return True
        else:
            x, y, error, rest = x + sx, y + sy, b - a, rest - 2
            if arms[y][x] & left and arms[y][x] & right:
                return True
    return False


def _python(obstacles: Obstacles, lines: Indices, bits: Bools) -> Peer:
    arms = obstacles.arms.tolist()
    asked = [(k & 15, *ends) for k, ends in enumerate(lines.reshape(-1, 4).tolist())]
    oblique = [(k, x, y, u - x, v - y) for k, x, y, u, v in asked if u != x and v != y]
    expected = bits[_oblique(lines)].tolist()

    def run() -> list[bool]:
        return [walk(arms, x, y, dx, dy, k >> 2, k & 3) for k, x, y, dx, dy in oblique]

    return Peer("plain Python", run, lambda: check("plain Python", holds=run() == expected))


def _oblique(lines: Indices) -> Bools:
    ends = lines.reshape(-1, 4)
    return np.asarray((ends[:, 0] != ends[:, 2]) & (ends[:, 1] != ends[:, 3]))


def _numpy(obstacles: Obstacles, lines: Indices, bits: Bools) -> Peer:
    is_oblique = _oblique(lines)
    asked, corner = lines.reshape(-1, 4)[is_oblique], np.flatnonzero(is_oblique) & 15
    expected = bits[is_oblique]

    def run() -> Bools:
        return _walk_together(obstacles.arms, asked, corner)

    return Peer("numpy", run, lambda: check("numpy", holds=np.array_equal(run(), expected)))


def _walk_together(arms: NDArray[np.uint8], lines: Indices, corner: Indices) -> Bools:
    """Return which lines are blocked: the walk of all of them at once, an edge or a corner a step; who is done falls out."""
    x, y, dx, dy = lines[:, 0].copy(), lines[:, 1].copy(), lines[:, 2] - lines[:, 0], lines[:, 3] - lines[:, 1]
    sx, sy, a, b = np.sign(dx), np.sign(dy), np.abs(dx), np.abs(dy)
    starts = GRID_SECTORS[arms[y, x], corner >> 2, sy + 1, sx + 1] != 0
    ends = GRID_SECTORS[arms[y + dy, x + dx], corner & 3, 1 - sy, 1 - sx] != 0
    blocked: Bools = ~(starts & ends)
    sides = np.array([[_LEFT_RIGHT[i, j] if i and j else (0, 0) for j in (-1, 0, 1)] for i in (-1, 0, 1)])[
        sx + 1, sy + 1
    ]
    state = np.stack((np.arange(len(x)), x, y, b - a, a + b - 2, sx, sy, a, b, sides[:, 0], sides[:, 1]))[:, ~blocked]
    while state.shape[1]:
        state = state[:, state[4] > 0]
        who, x, y, error, rest, sx, sy, a, b, left, right = state
        across, down = error <= 0, error >= 0
        is_corner = across & down
        x += np.where(across, sx, 0)
        y += np.where(down, sy, 0)
        error += np.where(across, b, 0) - np.where(down, a, 0)
        rest -= 1 + is_corner
        row = np.where(across & ~is_corner & (sy < 0), y - 1, y)
        column = np.where(down & ~is_corner & (sx < 0), x - 1, x)
        met = arms[row, column].astype(np.int64)
        stops = np.where(is_corner, (met & left != 0) & (met & right != 0), met & np.where(across, 4, 2) != 0)
        blocked[who[stops]] = True
        state = state[:, ~stops]
    return blocked

"""The facts of all pairs of a scene's creatures: the kernels asked once for every two creatures, read both ways."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gridlos import grid
from gridlos.battlemap import BattleMap
from gridlos.questions.obstacles import Obstacles, are_channels_equal, obstacles_of
from gridlos.facts import Bools, Channel, Ints, Masks, PairFacts
from gridlos.kernels import effect, intruded, line

__all__ = ["has_lines_of_effect", "pair_facts"]

ALL_BLOCKED = 0xFFFF

_TURNED = np.zeros(1 << 16, np.uint16)
"""The 16 bits of a choice's lines, read from the other side: bit ``4 i + j`` becomes bit ``4 j + i``."""
for _i in range(4):
    for _j in range(4):
        _TURNED |= ((np.arange(1 << 16) >> (4 * _i + _j) & 1) << (4 * _j + _i)).astype(np.uint16)

_UNCUT = np.array([sum(1 << c for c in range(4) if legs >> (2 * c) & 3) for legs in range(256)], np.uint8)
"""The nibble of corners that their square's centre sees, by the low byte of its legs."""


@dataclass(frozen=True, slots=True)
class _Choices:
    """Squares against squares, pair by pair: ``starts (pairs + 1,)`` and the two squares of each choice, ``row * cols + column``."""

    starts: NDArray[np.int64]
    squares: NDArray[np.int64]


def _choices(spaces: Ints, first: NDArray[np.int64], second: NDArray[np.int64], cols: int) -> _Choices:
    """Return the choices of the pairs ``first[k]``, ``second[k]`` (indices into spaces), squares in reading order."""
    x, y, width, height = spaces.T.astype(np.int64)
    if (width[first] * height[first] == 1).all() and (width[second] * height[second] == 1).all():
        corner = y * cols + x
        return _Choices(np.arange(len(first) + 1), np.stack((corner[first], corner[second]), axis=1))
    n_first, n_second = (width * height)[first], (width * height)[second]
    counts = n_first * n_second
    starts = np.concatenate(([0], np.cumsum(counts)))
    pair = np.repeat(np.arange(len(first)), counts)
    place = np.arange(starts[-1]) - starts[pair]
    squares = np.empty((starts[-1], 2), np.int64)
    for column, (one, part) in enumerate(((first, place // n_second[pair]), (second, place % n_second[pair]))):
        who = one[pair]
        squares[:, column] = (y[who] + part // width[who]) * cols + x[who] + part % width[who]
    return _Choices(starts, squares)


def has_lines_of_effect(
    obstacles: Obstacles, spaces: Ints, pairs: NDArray[np.int64], choices: _Choices | None = None, blocked: np.ndarray | None = None
) -> Bools:
    """Return ``(n,)`` bool: does a line of effect join the two spaces of each pair (indices into ``spaces``)?

    ``choices`` and ``blocked`` are the pairs' corner lines, if they are known: most answers follow from them.
    """
    found = np.zeros(len(pairs), np.bool_)
    if choices is not None and blocked is not None:
        found = effect.tilt(*obstacles.lines, choices.squares, blocked, choices.starts, obstacles.size)
    rest = np.flatnonzero(~found)
    wide = spaces.astype(np.int64)
    answers = effect.effects(obstacles.arms, obstacles.barriers, obstacles.pivots, wide, pairs[rest], obstacles.size)
    found[rest] = answers == effect.YES
    for k in rest[answers == effect.UNDECIDED]:
        a, b = (grid.squares_of(spaces[one]).tolist() for one in pairs[k])
        found[k] = any(
            intruded.decide(obstacles.barriers, obstacles.pivots, tuple(p), tuple(q), obstacles.size) for p in a for q in b
        )
    return found


def pair_facts(battle_map: BattleMap, spaces: Ints, attackers: Ints, targets: Ints, diagonals: str) -> PairFacts:
    """Return the facts of ``attackers`` (A indices into ``spaces``) against ``targets`` (T indices).

    Each two creatures are asked about once; the lines of the way back are the same lines.
    """
    n = len(spaces)
    asked = np.zeros((n, n), np.bool_)
    asked[np.minimum.outer(attackers, targets), np.maximum.outer(attackers, targets)] = True
    np.fill_diagonal(asked, val=False)
    first, second = np.nonzero(asked)
    pairs = np.stack((first, second), axis=1)
    obstacles = obstacles_of(battle_map, Channel.EFFECT)
    choices = _choices(spaces, first, second, battle_map.cols)
    blocked = line.blocked_lines(*obstacles.lines, choices.squares, obstacles.size)
    has_effect = has_lines_of_effect(obstacles, spaces, pairs, choices, blocked)
    has_sight = has_effect
    if not are_channels_equal(battle_map):
        has_sight = has_lines_of_effect(obstacles_of(battle_map, Channel.SIGHT), spaces, pairs)
    is_free = np.zeros(len(pairs), np.bool_)
    if len(pairs):
        is_free = np.logical_or.reduceat(blocked != ALL_BLOCKED, choices.starts[:-1])
    pair_of = np.zeros((n, n), np.int64)
    pair_of[first, second] = pair_of[second, first] = np.arange(len(pairs))
    return _read_both_ways(battle_map, spaces, attackers, targets, diagonals, pair_of, choices, blocked, (has_effect, has_sight, is_free), obstacles)


def _read_both_ways(
    battle_map: BattleMap,
    spaces: Ints,
    attackers: Ints,
    targets: Ints,
    diagonals: str,
    pair_of: NDArray[np.int64],
    choices: _Choices,
    blocked: np.ndarray,
    answers: tuple[Bools, Bools, Bools],
    obstacles: Obstacles,
) -> PairFacts:
    """Return the facts of the ordered pairs from what was found for the unordered ones."""
    distinct = attackers[:, None] != targets[None, :]
    a, t = np.broadcast_arrays(attackers[:, None], targets[None, :])
    pair = np.where(distinct, pair_of[a, t], -1)
    effect_, sight, free = (np.where(distinct, np.append(one, True)[pair], True) for one in answers)  # noqa: FBT003
    starts, rows, turned = _ordered_choices(pair.ravel(), (a > t).ravel(), spaces[a.ravel()], spaces[t.ravel()], choices)
    masks = np.append(blocked, np.uint16(0))[rows]
    squares = np.append(choices.squares, [[0, 0]], axis=0)[rows]
    if turned is not None:
        masks = np.where(turned, _TURNED[masks], masks)
        squares = np.where(turned[:, None], squares[:, ::-1], squares)
    uncut = _UNCUT[(obstacles.legs & 0xFF).ravel()]
    hard = np.empty((len(masks), 4), np.uint8)
    for corner in range(4):
        hard[:, corner] = masks >> (4 * corner) & 15
    y, x = np.divmod(squares, battle_map.cols)
    return PairFacts(
        distinct=distinct,
        distance=grid.distance(spaces[attackers], spaces[targets], diagonals),
        adjacent=grid.adjacent(spaces[attackers], spaces[targets]),
        line_of_effect=effect_,
        line_of_sight=sight,
        any_free=free,
        choice_start=starts,
        attacker_square=np.stack((x[:, 0], y[:, 0]), axis=1).astype(np.int32),
        target_square=np.stack((x[:, 1], y[:, 1]), axis=1).astype(np.int32),
        hard=hard,
        usable=uncut[squares[:, 0]],
        counted=uncut[squares[:, 1]],
    )


def _ordered_choices(
    pair: NDArray[np.int64], turned: Bools, attackers: Ints, targets: Ints, choices: _Choices
) -> tuple[NDArray[np.int64], NDArray[np.int64], Masks]:
    """Return ``(starts, row of each ordered choice among the unordered ones, whether it is read from the other side)``.

    A creature against itself (pair -1) gets one choice, the row after the last.
    """
    none = len(choices.squares)
    if len(choices.starts) == none + 1:
        return np.arange(len(pair) + 1), np.where(pair < 0, none, pair), turned
    n_a, n_t = (spaces[:, 2].astype(np.int64) * spaces[:, 3] for spaces in (attackers, targets))
    counts = np.where(pair < 0, 1, n_a * n_t)
    starts = np.concatenate(([0], np.cumsum(counts)))
    who = np.repeat(np.arange(len(pair)), counts)
    place = np.arange(starts[-1]) - starts[who]
    i, j = np.divmod(place, n_t[who])
    back = turned[who]
    rows = choices.starts[pair[who]] + np.where(back, j * n_a[who] + i, place)
    return starts, np.where(pair[who] < 0, none, rows), back

"""The one line between the centres of two spaces: whether walls block it, what special ones hide, which creatures stand on it.

A centre is a corner of the grid of *half squares*, twice as fine as that of the map: ``(2 x + width, 2 y + height)`` of
a space. In doubled lattice units a half square is as wide as a square is in single ones, so the walks of corner lines
serve here, too. A line has no legs: it begins and ends where it is. What meets it only at an end neither cuts it nor
closes a side, since a centre on a wall counts as standing on both sides of it; a wall that runs along it parts its left
from its right all the same.
"""

from __future__ import annotations

import numpy as np

from gridlos.kernels.jit import Array, inner_kernel, int64, kernel
from gridlos.kernels.line import collect
from gridlos.kernels.special_cost import (
    ALL,
    ALONE,
    BITS,
    COLS,
    COVER,
    HALVES,
    IS_LINE,
    LEAST,
    MODE,
    N_ARM,
    N_BODY,
    N_COVERS,
    N_EVENTS,
    N_NOW,
    N_WORDS,
    ON_LEFT,
    ON_RIGHT,
    PLACE,
    PLACES,
    ROWS,
    SHOWS,
    SIZE,
    SPECIAL,
    START,
    TERMS,
    WORD,
    A,
    T,
    show,
)
from gridlos.kernels.special_walk import copy_rows, follow_met, squares_on
from gridlos.kernels.special_walk import meet as meet_special
from gridlos.kernels.walk import BOTH, follow, meet, new_scratch

__all__ = ["blocked_centre_lines", "hidden_centre_lines", "is_blocked_among", "soft_centre_lines"]

CREATURE, LARGER_CREATURE = 1, 2
"""What stands on a line: a creature; one that is two or more sizes larger than both ends."""

LARGER_BY = 2
"""Sizes."""


@kernel
def blocked_centre_lines(arms: Array, bins: Array, walls: Array, lines: Array, size: int) -> Array:
    """Return ``(n,)`` bool: which lines ``(n, 4)`` int64 ``x0, y0, x1, y1`` in half squares do plain walls block?

    ``arms``, ``bins`` and ``walls`` are those of the grid of half squares: of twice as many rows and columns, with walls
    in doubled lattice units, ``size`` of them a half square.
    """
    blocked = np.zeros(len(lines), np.bool_)
    scratch = new_scratch(arms, bins)
    cols = arms.shape[1] - 1
    for k in range(len(lines)):
        x, y, x1, y1 = int64(lines[k, 0]), int64(lines[k, 1]), int64(lines[k, 2]), int64(lines[k, 3])
        dx, dy = x1 - x, y1 - y
        n = collect(arms, bins, walls, scratch, size, 4 * (y * cols + x), 4 * (y1 * cols + x1))
        blocked[k] = n < 0 or follow(scratch, 0, n, size * (dx * dx + dy * dy), BOTH) == 0
    return blocked


@kernel
def is_blocked_among(walls: Array, line: Array, size: int) -> bool:
    """Would these walls, ``(n, 4)`` int32 doubled lattice units, block the ``line`` (4,) int64 in half squares if there were no others?"""
    scratch = np.empty((len(walls) + 1, 3), np.int64)
    x, y = int64(line[0]), int64(line[1])
    dx, dy = int64(line[2]) - x, int64(line[3]) - y
    n = 0
    for w in range(len(walls)):
        n = meet(walls, w, x * size, y * size, dx, dy, size, scratch, n)
        if n < 0:
            return True
    return follow(scratch, 0, n, size * (dx * dx + dy * dy), BOTH) == 0


@kernel
def hidden_centre_lines(
    walls: Array, traits: Array, bins: Array, bodies: Array, asks: Array, terms: Array
) -> tuple[Array, Array]:
    """Return ``(codes, words)`` of lines that plain walls do not block.

    ``codes (n,)`` uint8 of Hidden, 0 below the least code that counts; ``words (n, m)`` bool: whether walls with each cover
    word give cover.

    Parameters
    ----------
    walls, traits, bodies, terms
        As in :func:`gridlos.kernels.special.special_lines`.
    bins
        Of these walls in the grid of half squares.
    asks
        ``(n, 6)`` int64: attacker, target, and the line ``x0, y0, x1, y1`` in half squares.
    """
    codes, words = np.zeros(len(asks), np.uint8), np.zeros((len(asks), terms[N_WORDS]), np.bool_)
    now = np.zeros(N_NOW, walls.dtype)
    now[TERMS : TERMS + len(terms)] = terms
    now[IS_LINE] = now[HALVES] = 1
    events, covers = np.zeros((3 * len(walls) + 4, 4), walls.dtype), np.zeros((len(walls) + 2, 5), walls.dtype)
    met_events, met_covers = np.zeros_like(events), np.zeros_like(covers)
    arms = np.zeros((4 * len(walls) + 4, N_ARM), walls.dtype)
    stamps, passed = np.zeros(len(walls), np.int64), np.empty(2 * (terms[ROWS] + terms[COLS]) + 2, np.int64)
    traits = traits.copy()
    for k in range(len(asks)):
        now[A : A + N_BODY], now[T : T + N_BODY] = bodies[asks[k, 0]], bodies[asks[k, 1]]
        if not show(traits, now):
            continue
        now[START], now[START + 1] = asks[k, 2], asks[k, 3]
        now[START + 2], now[START + 3] = asks[k, 4] - asks[k, 2], asks[k, 5] - asks[k, 3]
        is_special, is_worded = _meet_all(walls, traits, bins, asks[k], k + 1, stamps, passed, met_events, met_covers, now)
        if not is_special:
            continue
        n_events, n_covers, least = now[N_EVENTS], now[N_COVERS], terms[LEAST]
        cover = _ask(walls, traits, COVER, 0, met_events, met_covers, n_events, n_covers, events, covers, now, arms)
        codes[k] = cover if cover >= least else 0
        if not is_worded or cover == ALL:
            continue
        for word in range(terms[N_WORDS]):
            cost = _ask(walls, traits, word, 0, met_events, met_covers, n_events, n_covers, events, covers, now, arms)
            if cost >= least and cover >= least:
                # Where more than the word's own walls hides, these have to hide enough alone.
                cost = _ask(walls, traits, word, 1, met_events, met_covers, n_events, n_covers, events, covers, now, arms)
            words[k, word] = cost >= least
    return codes, words


@inner_kernel
def _meet_all(
    walls: Array,
    traits: Array,
    bins: Array,
    ask: Array,
    stamp: int,
    stamps: Array,
    passed: Array,
    events: Array,
    covers: Array,
    now: Array,
) -> tuple[bool, bool]:
    """Meet every wall near a line once; return whether special ones are met, and such with a word."""
    size, rows, cols = now[TERMS + SIZE], 2 * now[TERMS + ROWS], 2 * now[TERMS + COLS]
    x, y, dx, dy = now[START], now[START + 1], now[START + 2], now[START + 3]
    now[N_EVENTS] = now[N_COVERS] = 0
    is_special = is_worded = False
    n = squares_on(int64(ask[3]) * cols + ask[2], 0, int64(ask[5]) * cols + ask[4], 0, rows, cols, passed)
    for m in range(n):
        for k in range(bins[passed[m]], bins[passed[m] + 1]):
            w = bins[k]
            if stamps[w] != stamp and traits[w, SHOWS]:
                stamps[w] = stamp
                before = now[N_EVENTS] + now[N_COVERS]
                meet_special(walls, w, x * size, y * size, dx, dy, size, events, covers, now)
                if traits[w, BITS] & SPECIAL and now[N_EVENTS] + now[N_COVERS] > before:
                    is_special = True
                    is_worded = is_worded or traits[w, WORD] >= 0
    return is_special, is_worded


@inner_kernel
def _ask(
    walls: Array,
    traits: Array,
    mode: int,
    alone: int,
    met_events: Array,
    met_covers: Array,
    n_events: int,
    n_covers: int,
    events: Array,
    covers: Array,
    now: Array,
    arms: Array,
) -> int:
    """Return what it costs in a mode to follow the line, where all that it meets is known."""
    copy_rows(met_events, events, n_events)
    copy_rows(met_covers, covers, n_covers)
    now[N_EVENTS], now[N_COVERS] = n_events, n_covers
    now[MODE], now[ALONE] = mode, alone
    now[ON_LEFT] = now[ON_RIGHT] = 0
    now[PLACE], now[PLACES] = 0, 1
    follow_met(walls, traits, events, covers, now[START + 2], now[START + 3], now[TERMS + SIZE], now, arms)
    return min(now[ON_LEFT], now[ON_RIGHT])


@kernel
def soft_centre_lines(
    spaces: Array, ranks: Array, blocks: Array, sharers: Array, asks: Array, rows: int, cols: int
) -> Array:
    """Return ``(n,)`` uint8: 0 where no creature stands on the line, else ``CREATURE`` or ``LARGER_CREATURE``.

    A line through the inside of a space has that creature on both its sides; one along the grid has those whose squares
    lie beside it. Where somebody is on either side somebody is on the line, and the smaller one of the two counts.

    Parameters
    ----------
    spaces, ranks
        ``(m, 4)`` int32 and ``(m,)`` int64 of all creatures, on the map: the larger the size, the larger the rank by one.
    blocks, sharers
        As in :func:`gridlos.kernels.soft.soft_lines`.
    asks
        ``(n, 7)`` int64: attacker, target, the group that asks, and the line ``x0, y0, x1, y1`` in half squares.
    rows, cols
        Squares of the map.
    """
    result = np.zeros(len(asks), np.uint8)
    starts, held = _by_square(spaces, rows, cols)
    stamps, passed = np.zeros(len(spaces), np.int64), np.empty(2 * (rows + cols) + 2, np.int64)
    for k in range(len(asks)):
        a, b, gives = asks[k, 0], asks[k, 1], blocks[asks[k, 2]]
        for end in (a, b):
            for place in range(sharers[end], sharers[end + 1]):
                stamps[sharers[place]] = k + 1
        large = max(ranks[a], ranks[b]) + LARGER_BY
        x, y, x1, y1 = int64(asks[k, 3]), int64(asks[k, 4]), int64(asks[k, 5]), int64(asks[k, 6])
        found = 0
        if not ((x == x1 and x % 2 == 0) or (y == y1 and y % 2 == 0)):
            for one in range(len(spaces)):
                if _passes(spaces[one], x, y, x1, y1) and gives[one] and stamps[one] != k + 1:
                    found = max(found, LARGER_CREATURE if ranks[one] >= large else CREATURE)
            result[k] = found
            continue
        # A line on a grid line runs between two squares: from the one that squares_on tells, the other lies back so far.
        beside = 1 if x == x1 else cols
        n = squares_on(y * 2 * cols + x, 0, y1 * 2 * cols + x1, 0, 2 * rows, 2 * cols, passed)
        for m in range(n):
            half = passed[m]
            square = (half // (2 * cols) >> 1) * cols + (half % (2 * cols) >> 1)
            here = _largest(starts, held, square, gives, ranks, stamps, k + 1, large)
            if here > found:
                here = min(here, _largest(starts, held, square - beside, gives, ranks, stamps, k + 1, large))
            found = max(found, here)
            if found == LARGER_CREATURE:
                break
        result[k] = found
    return result


@inner_kernel
def _passes(space: Array, x: int, y: int, x1: int, y1: int) -> bool:
    """Does the line, in half squares, pass the inside of the space?

    It does if neither an axis nor the line itself parts the two.
    """
    left, top = 2 * int64(space[0]), 2 * int64(space[1])
    right, bottom = left + 2 * space[2], top + 2 * space[3]
    if max(x, x1) <= left or min(x, x1) >= right or max(y, y1) <= top or min(y, y1) >= bottom:
        return False
    dx, dy = x1 - x, y1 - y
    side = dx * (top + bottom - 2 * y) - dy * (left + right - 2 * x)
    return abs(side) < abs(dx) * (bottom - top) + abs(dy) * (right - left)


@kernel
def _by_square(spaces: Array, rows: int, cols: int) -> tuple[Array, Array]:
    """Return ``(starts, held)``: the creatures on square ``k`` are ``held[starts[k] : starts[k + 1]]``."""
    starts = np.zeros(rows * cols + 1, np.int64)
    held = np.zeros(0, np.int64)
    for turn in range(2):
        if turn == 1:
            total = int64(0)
            for square in range(rows * cols + 1):
                count = starts[square]
                starts[square] = total
                total += count
            held = np.empty(total, np.int64)
            filled = starts.copy()
        for k in range(len(spaces)):
            for row in range(int64(spaces[k, 1]), int64(spaces[k, 1]) + spaces[k, 3]):
                for column in range(int64(spaces[k, 0]), int64(spaces[k, 0]) + spaces[k, 2]):
                    square = row * cols + column
                    if turn == 1:
                        held[filled[square]] = k
                        filled[square] += 1
                    else:
                        starts[square] += 1
    return starts, held


@inner_kernel
def _largest(
    starts: Array, held: Array, square: int, gives: Array, ranks: Array, stamps: Array, stamp: int, large: int
) -> int:
    """Return what stands on a square: nobody who counts, a creature, or one of at least the rank ``large``."""
    found = 0
    for place in range(starts[square], starts[square + 1]):
        k = held[place]
        if gives[k] and stamps[k] != stamp:
            found = max(found, LARGER_CREATURE if ranks[k] >= large else CREATURE)
    return found

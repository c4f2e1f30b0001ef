"""All lines between squares among walls that hide or stop only in part."""

from __future__ import annotations

import numpy as np

from gridlos.kernels.jit import Array, inner_kernel, kernel
from gridlos.kernels.special_cost import (
    ALL,
    ALONE,
    BITS,
    COLS,
    COVER,
    HARD,
    IGNORED,
    LEAST,
    LIMITED,
    MET,
    MODE,
    N_ARM,
    N_BODY,
    N_COVERS,
    N_EVENTS,
    N_NOW,
    N_WORDS,
    ON_LEFT,
    ON_RIGHT,
    ROWS,
    SHOWS,
    SIZE,
    SPECIAL,
    STOPPED,
    TERMS,
    TOLL,
    WORD,
    A,
    T,
    show,
)
from gridlos.kernels.special_walk import copy_rows, follow_leg, meet, pass_corners, squares_on
from gridlos.kernels.walk import LEFT, RIGHT

__all__ = ["MARK", "special_lines"]

MARK = 1 << 15
"""Bit of ``cells``: a special wall touches the square."""

_SPECIAL, _WORDED, _IGNORES, _AT_TARGET = 1, 2, 4, 8
"""What special walls do to a line or a leg: some are met, with a word, ignored, on the target's own leg."""


@kernel
def special_lines(
    walls: Array, traits: Array, bins: Array, cells: Array, bodies: Array, asks: Array, blocked: Array, terms: Array
) -> tuple[Array, Array, Array, Array]:
    """Return ``(codes, tolls, words, ends)`` of all lines from one square to another.

    ``codes (k, 16)`` uint8: what walls hide for cover, 0 below the least code that counts; ``tolls (k, 16)`` uint8;
    ``words (k, n)`` uint16: the lines on which walls with each cover word give cover; ``ends (k, 2)`` uint8: nibbles of the corners
    of the first and of the second square that no wall cuts off. Line ``4 i + j`` goes from corner ``i`` to corner ``j``.

    Parameters
    ----------
    walls
        ``(n, 4)`` int64 lattice units: all of a map's walls in one channel, plain ones first, the sides of solid squares and
        the map's border among them.
    traits
        ``(n, 6)`` int64: ``BOTTOM`` and ``TOP`` in height units, ``BITS``, ``WORD`` (-1: none), ``SQUARE`` whose side it is (-1:
        none), ``SHOWS``, not 0. A band without an end goes beyond all bodies.
    bins
        Of these walls, by :func:`gridlos.kernels.index.index_walls`.
    cells
        ``(rows * cols,)`` uint16: the low byte of the legs past plain walls (:data:`gridlos.kernels.index.GOOD`), of the
        squares that are asked about at least, and ``MARK``.
    bodies
        ``(m, 6)`` int64: space, feet and head in height units.
    asks
        ``(k, 4)`` int64: attacker, target, and their squares, ``row * cols + column``.
    blocked
        ``(k,)`` uint16: lines that plain walls block; they hide all.
    terms
        ``(7,)`` int64: ``SIZE, ROWS, COLS``; the ``LEAST`` code; ``FAR``, squares beyond which a low obstacle is nothing (-1: no such
        rule); ``DIAGONALS``, 2 if every second one counts double; the number of words.
    """
    codes, tolls = np.zeros((len(asks), 16), np.uint8), np.zeros((len(asks), 16), np.uint8)
    words, ends = np.zeros((len(asks), terms[N_WORDS]), np.uint16), np.zeros((len(asks), 2), np.uint8)
    now = np.zeros(N_NOW, walls.dtype)
    now[TERMS : TERMS + len(terms)] = terms
    events, covers = np.zeros((3 * len(walls) + 4, 4), walls.dtype), np.zeros((len(walls) + 2, 5), walls.dtype)
    met_events, met_covers = np.zeros_like(events), np.zeros_like(covers)
    arms = np.zeros((4 * len(walls) + 4, N_ARM), walls.dtype)
    stamps, passed = np.zeros(len(walls), np.int64), np.empty(terms[ROWS] + terms[COLS] + 2, np.int64)
    legs = np.zeros((2, 2, 4, 2), np.int64)  # costs on arrival by end, mode, corner and side
    touch = np.zeros((2, 4), np.int64)
    always_tolls, some_show, traits = _needs_tolls(traits), True, traits.copy()
    for k in range(len(asks)):
        if k == 0 or asks[k, 0] != asks[k - 1, 0] or asks[k, 1] != asks[k - 1, 1]:
            now[A : A + N_BODY], now[T : T + N_BODY] = bodies[asks[k, 0]], bodies[asks[k, 1]]
            some_show = show(traits, now)
        for end in range(2):
            square = asks[k, 2 + end]
            for corner in range(4):
                touch[end, corner] = _touch(walls, traits, bins, cells, square, corner, events, covers, now)
                if end and touch[end, corner]:
                    touch[end, corner] |= _AT_TARGET
            _find_legs(walls, traits, bins, cells, square, end, touch[end], legs[end], events, covers, now, arms)
            ends[k, end] = _uncut(legs[end], terms[LEAST])
        for place in range(16):
            if blocked[k] & (1 << place):
                codes[k, place], tolls[k, place] = ALL, STOPPED
                continue
            if not some_show:
                continue
            now[MET] = touch[0, place >> 2] | touch[1, place & 3]
            _meet_line(
                walls,
                traits,
                bins,
                cells,
                asks[k],
                place,
                (k << 4) + place + 1,
                stamps,
                passed,
                met_events,
                met_covers,
                now,
            )
            if now[MET]:
                _ask_line(
                    walls, traits, bins, asks[k], place, always_tolls, legs, events, covers, met_events, met_covers, now, arms,
                    codes[k], tolls[k], words[k],
                )  # fmt: skip
    return codes, tolls, words, ends


@inner_kernel
def _ask_line(
    walls: Array,
    traits: Array,
    bins: Array,
    ask: Array,
    place: int,
    always_tolls: bool,
    legs: Array,
    events: Array,
    covers: Array,
    met_events: Array,
    met_covers: Array,
    now: Array,
    arms: Array,
    codes: Array,
    tolls: Array,
    words: Array,
) -> None:
    """Write what special walls make of a line that plain ones leave open: cover, the words, and tolls where they are not known by then."""
    n_events, n_covers, met, least = now[N_EVENTS], now[N_COVERS], now[MET], now[TERMS + LEAST]
    cover = cost = now[IGNORED] = 0
    for turn in range(now[TERMS + N_WORDS] + 2):
        mode = turn + COVER if turn <= now[TERMS + N_WORDS] else TOLL
        if mode == TOLL and not (cover == ALL or always_tolls or now[IGNORED] or met & _IGNORES):
            continue
        if mode >= 0 and (cover == ALL or not met & _WORDED):
            continue
        for alone in range(2):
            # Where more than the word's own walls hides, these have to hide enough alone.
            if alone and not (mode >= 0 and cost >= least and cover >= least):
                continue
            now[MODE], now[ALONE] = mode, alone
            if mode >= 0:
                now[ON_LEFT] = now[ON_RIGHT] = 0
                follow_leg(walls, traits, bins, ask[2], place >> 2, True, events, covers, now, arms)
            else:
                now[ON_LEFT], now[ON_RIGHT] = legs[0, mode - TOLL, place >> 2, 0], legs[0, mode - TOLL, place >> 2, 1]
            copy_rows(met_events, events, n_events)
            copy_rows(met_covers, covers, n_covers)
            now[N_EVENTS], now[N_COVERS] = n_events, n_covers
            pass_corners(walls, traits, bins, ask[2], place >> 2, ask[3], place & 3, events, covers, now, arms)
            if mode >= 0 or met & _AT_TARGET:
                follow_leg(walls, traits, bins, ask[3], place & 3, False, events, covers, now, arms)
                cost = min(now[ON_LEFT], now[ON_RIGHT])
            else:
                cost = _arrived(now, legs[1, mode - TOLL, place & 3])
        if mode == TOLL:
            tolls[place] = cost
        elif mode == COVER:
            cover = cost
            codes[place] = cost if cost >= least else 0
        elif cost >= least:
            words[mode] |= 1 << place


@inner_kernel
def _touch(
    walls: Array,
    traits: Array,
    bins: Array,
    cells: Array,
    square: int,
    corner: int,
    events: Array,
    covers: Array,
    now: Array,
) -> int:
    """Return ``_SPECIAL`` and ``_WORDED``: do such walls meet the leg to a corner of the square, or contain the corner?"""
    found = 0
    if not cells[square] & MARK:
        return found
    size, cols = now[TERMS + SIZE], now[TERMS + COLS]
    ux, uy = 2 * (corner & 1) - 1, 2 * (corner >> 1) - 1
    cx, cy = (2 * (square % cols) + 1) * size, (2 * (square // cols) + 1) * size
    for k in range(bins[square], bins[square + 1]):
        w = bins[k]
        if not (traits[w, BITS] & SPECIAL and traits[w, SHOWS]):
            continue
        now[N_EVENTS] = now[N_COVERS] = 0
        meet(walls, w, cx, cy, ux, uy, size, events, covers, now)
        x, y = cx + ux * size, cy + uy * size
        x0, y0, x1, y1 = 2 * walls[w, 0] - x, 2 * walls[w, 1] - y, 2 * walls[w, 2] - x, 2 * walls[w, 3] - y
        if now[N_EVENTS] or now[N_COVERS] or (x0 * y1 - y0 * x1 == 0 and x0 * x1 + y0 * y1 <= 0):
            found |= _SPECIAL if traits[w, WORD] < 0 else _SPECIAL | _WORDED
    return found


@inner_kernel
def _needs_tolls(traits: Array) -> bool:
    """Can something stop that hides nothing: limited walls, or such as have a cover word?"""
    found = False
    for w in range(len(traits)):
        found = found or traits[w, BITS] & LIMITED != 0 or (traits[w, WORD] >= 0 and traits[w, BITS] & HARD != 0)
    return found


@inner_kernel
def _find_legs(
    walls: Array,
    traits: Array,
    bins: Array,
    cells: Array,
    square: int,
    end: int,
    touch: Array,
    legs: Array,
    events: Array,
    covers: Array,
    now: Array,
    arms: Array,
) -> None:
    """Write what the legs of a square cost, ``(mode, corner, side)``: from the attacker's centre (``end`` 0) or to the target's."""
    for corner in range(4):
        open_sides = cells[square] >> (2 * corner)
        for mode in (TOLL, COVER):
            if touch[corner]:
                now[MODE], now[ON_LEFT], now[ON_RIGHT], now[IGNORED] = mode, 0, 0, 0
                follow_leg(walls, traits, bins, square, corner, end == 0, events, covers, now, arms)
                legs[mode - TOLL, corner, 0], legs[mode - TOLL, corner, 1] = now[ON_LEFT], now[ON_RIGHT]
                if now[IGNORED]:
                    touch[corner] |= _IGNORES
            else:
                shut = STOPPED if mode == TOLL else ALL
                # The bits speak of the way to the corner: its left is the right of the way back.
                legs[mode - TOLL, corner, end] = 0 if open_sides & LEFT else shut
                legs[mode - TOLL, corner, 1 - end] = 0 if open_sides & RIGHT else shut


@inner_kernel
def _arrived(now: Array, leg: Array) -> int:
    """Return the cost at the centre, from what it is at the corner and what plain walls make of either side of the leg."""
    return min(max(now[ON_LEFT], leg[0]), max(now[ON_RIGHT], leg[1]))


@inner_kernel
def _meet_line(
    walls: Array,
    traits: Array,
    bins: Array,
    cells: Array,
    ask: Array,
    place: int,
    stamp: int,
    stamps: Array,
    passed: Array,
    events: Array,
    covers: Array,
    now: Array,
) -> None:
    """Meet every wall near the line ``place`` of an ask once, if a special one is near; add to ``MET`` whether special ones were met."""
    size, cols = now[TERMS + SIZE], now[TERMS + COLS]
    first, ca, second, cb = ask[2], place >> 2, ask[3], place & 3
    n = squares_on(first, ca, second, cb, now[TERMS + ROWS], cols, passed)
    near = now[MET]
    for m in range(n):
        near |= cells[passed[m]] & MARK
    now[N_EVENTS] = now[N_COVERS] = 0
    if not near:
        return
    x, y = first % cols + (ca & 1), first // cols + (ca >> 1)
    dx, dy = second % cols + (cb & 1) - x, second // cols + (cb >> 1) - y
    for m in range(n):
        for k in range(bins[passed[m]], bins[passed[m] + 1]):
            w = bins[k]
            if stamps[w] != stamp and traits[w, SHOWS]:
                stamps[w] = stamp
                before = now[N_EVENTS] + now[N_COVERS]
                meet(walls, w, 2 * x * size, 2 * y * size, dx, dy, 2 * size, events, covers, now)
                if traits[w, BITS] & SPECIAL and now[N_EVENTS] + now[N_COVERS] > before:
                    now[MET] |= _SPECIAL if traits[w, WORD] < 0 else _SPECIAL | _WORDED


@inner_kernel
def _uncut(legs: Array, least: int) -> int:
    """Return the nibble of corners whose legs ``(mode, corner, side)`` neither stop nor hide; if there is none, that do not stop."""
    passable = open_ones = 0
    for corner in range(4):
        if min(legs[0, corner, 0], legs[0, corner, 1]) < STOPPED:
            passable |= 1 << corner
            if min(legs[1, corner, 0], legs[1, corner, 1]) < least:
                open_ones |= 1 << corner
    return open_ones or passable

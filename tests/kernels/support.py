"""Walls of the oracle as the kernels read them, and the kernels' answers in the oracle's words."""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
import oracle
from oracle import Walls, squares_of

from gridlos.kernels import effect, index, intruded, line, tilt

PROFILE = os.environ.get("HYPOTHESIS_PROFILE", "default")
"""``reduced`` where kernels run as plain Python, ``default``, or ``thorough``."""


@dataclass(frozen=True, eq=False)
class Indexed:
    """The arrays of one oracle's walls."""

    walls: Walls
    arms: np.ndarray
    legs: np.ndarray
    bins: np.ndarray
    free: np.ndarray
    barriers: np.ndarray
    pivots: np.ndarray

    @property
    def lines(self):
        return self.arms, self.legs, self.bins, self.free

    @property
    def size(self):
        return self.walls.subdivisions


def grids(walls):
    """The occupancy array and the two edge arrays."""
    solid = np.zeros((walls.rows, walls.cols), np.uint8)
    west = np.zeros((walls.rows, walls.cols + 1), np.uint8)
    north = np.zeros((walls.rows + 1, walls.cols), np.uint8)
    for x, y in walls.solid:
        solid[y, x] = 1
    for x0, y0, x1, _ in walls.edges:
        if x0 == x1:
            west[y0, x0] = 1
        else:
            north[y0, x0] = 1
    return solid, west, north


@lru_cache(maxsize=64)
def indexed(walls: Walls) -> Indexed:
    """What the kernels are given of a map; walls without length never reach them (see BattleMap.free)."""
    s = walls.subdivisions
    solid, west, north = grids(walls)
    free = np.array([wall for wall in walls.segments if wall[:2] != wall[2:]], np.int32).reshape(-1, 4)
    arms = index.index_arms(solid, west, north)
    bins = index.index_walls(free, walls.rows, walls.cols, s)
    index.mark_free_arms(arms, free, s)
    legs, uncut = np.zeros((walls.rows, walls.cols), np.uint16), np.zeros(walls.rows * walls.cols, np.uint8)
    index.index_legs(legs, uncut, bins, free, np.arange(len(uncut)), s)
    barriers, pivots = index.index_barriers(solid, west, north, free, s)
    return Indexed(walls, arms, legs, bins, free, barriers, pivots)


def square_number(walls, square):
    return square[1] * walls.cols + square[0]


def contacts(walls, lines):
    """The contacts of lines (a, ca, b, cb)."""
    found = indexed(walls)
    ends = [(4 * square_number(walls, a) + ca, 4 * square_number(walls, b) + cb) for a, ca, b, cb in lines]
    return line.contacts(*found.lines, np.array(ends, np.int64).reshape(-1, 2), found.size).tolist()


def contact(walls, a, ca, b, cb):
    return contacts(walls, [(a, ca, b, cb)])[0]


def all_lines(a, b):
    """The sixteen lines between two squares, in the order of the bits of a mask."""
    return [(a, i, b, j) for i in range(4) for j in range(4)]


def masks(walls, pairs):
    """The sixteen bits of the blocked lines of pairs of squares."""
    found = indexed(walls)
    numbers = [(square_number(walls, a), square_number(walls, b)) for a, b in pairs]
    return line.blocked_lines(*found.lines, np.array(numbers, np.int64).reshape(-1, 2), found.size).tolist()


def oracle_mask(walls, a, b):
    return sum(nibble << (4 * i) for i, nibble in enumerate(oracle.blocked_nibbles(walls, a, b)))


def is_cut_off(walls, square, corner):
    return not indexed(walls).legs[square[1], square[0]] >> (2 * corner) & 3


def tilts(walls, a, b):
    """What the fast part says of two spaces."""
    found = indexed(walls)
    pairs = [(p, q) for p in squares_of(a) for q in squares_of(b)]
    numbers = np.array([(square_number(walls, p), square_number(walls, q)) for p, q in pairs], np.int64)
    blocked = line.blocked_lines(*found.lines, numbers, found.size)
    return bool(tilt.tilt(*found.lines, numbers, blocked, np.array([0, len(pairs)], np.int64), found.size)[0])


def effects(walls, pairs):
    """What the full part says of pairs of spaces: NO, YES or UNDECIDED."""
    found = indexed(walls)
    spaces = np.array([space for pair in pairs for space in pair], np.int64).reshape(-1, 4)
    numbers = np.arange(2 * len(pairs), dtype=np.int64).reshape(-1, 2)
    return effect.effects(found.arms, found.barriers, found.pivots, spaces, numbers, found.size).tolist()


def decides(walls, a, b):
    """What the exact search says of two spaces that share no square."""
    found = indexed(walls)
    regions = {
        square: intruded.regions_of(found.barriers, square, found.size) for square in squares_of(a) + squares_of(b)
    }
    return any(
        intruded.decide(found.barriers, found.pivots, (p, q), (regions[p], regions[q]), found.size)
        for p in squares_of(a)
        for q in squares_of(b)
    )


def line_of_effect(walls, a, b):
    """The answer that the parts give together, each asked only where the one before does not decide."""
    if tilts(walls, a, b):
        return True
    answer = effects(walls, [(a, b)])[0]
    return decides(walls, a, b) if answer == effect.UNDECIDED else answer == effect.YES


def disagreement_about_lines(walls, a, b):
    """The lines between two squares of which kernel and oracle say different things: (line, kernel, oracle)."""
    found = contacts(walls, all_lines(a, b))
    expected = [oracle.contact(walls, *one) for one in all_lines(a, b)]
    wrong = [(one, k, o) for one, k, o in zip(all_lines(a, b), found, expected, strict=True) if k != o]
    if masks(walls, [(a, b)])[0] != sum((k == oracle.BLOCKED) << bit for bit, k in enumerate(expected)):
        wrong.append("mask")
    return wrong


def disagreement_about_effect(walls, a, b):
    """What of the kernels' answers about two spaces the oracle denies."""
    expected = oracle.line_of_effect(walls, a, b)
    wrong = []
    if tilts(walls, a, b) and not expected:
        wrong.append("tilt says yes")
    answer = effects(walls, [(a, b)])[0]
    if answer != effect.UNDECIDED and (answer == effect.YES) != expected:
        wrong.append(f"effects says {answer}")
    if answer == effect.UNDECIDED and decides(walls, a, b) != expected:
        wrong.append(f"intruded says {not expected}")
    return wrong


def smallest(walls, is_wrong):
    """Walls of which none can be left out without the fault going away."""
    again = True
    while again:
        again = False
        for smaller in one_less(walls):
            if is_wrong(smaller):
                walls, again = smaller, True
                break
    return walls


def one_less(walls):
    for k in range(len(walls.segments)):
        yield replace(walls, segments=walls.segments[:k] + walls.segments[k + 1 :])
    for edge in sorted(walls.edges):
        yield replace(walls, edges=walls.edges - {edge})
    for square in sorted(walls.solid):
        yield replace(walls, solid=walls.solid - {square})

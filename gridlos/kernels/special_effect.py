"""Line of effect past special walls, where it is plain to see: some segments are tried, and walls that part two spaces looked for.

What a segment that is tried meets is known exactly, so one that is free is a proof. That there is none follows from walls
that hang together between the spaces (:mod:`gridlos.kernels.special_parted`). The rest is left open.
"""

from __future__ import annotations

import numpy as np

from gridlos.kernels.effect import NO, UNDECIDED, YES
from gridlos.kernels.jit import Array, inner_kernel, int64, kernel
from gridlos.kernels.parted import STAMP, frame_hull, stretch_of_hull
from gridlos.kernels.special_parted import (
    CROSSABLE,
    HARD,
    LIMITED,
    LINE,
    MAYBE,
    OFF,
    find_crossable,
    is_parted_by_hard,
    save,
)
from gridlos.kernels.special_stops import enters, set_when, stops_between
from gridlos.kernels.special_tried import BETWEEN, NOWHERE, PLACES, between, has_free, is_free, mark_seen, set_points

__all__ = ["lines_past", "walls_between"]

MOST = 64
"""Of more pairs of limited walls that enter the one and the other space, it is left open whether they part them."""


@inner_kernel
def _meets_hull(wall: Array, frame: Array, size: int) -> bool:
    """May the wall meet the inside of the hull of the two spaces of a frame?"""
    x0, y0, x1, y1 = int64(wall[0]), int64(wall[1]), int64(wall[2]), int64(wall[3])
    if max(x0, x1) <= frame[2, 0] * size or min(x0, x1) >= frame[3, 0] * size:
        return False
    if max(y0, y1) <= frame[2, 1] * size or min(y0, y1) >= frame[3, 1] * size:
        return False
    for k in range(2):
        p, q, r = frame[k, 0], frame[k, 1], frame[k, 2] * size
        if p * x0 + q * y0 + r <= 0 and p * x1 + q * y1 + r <= 0:
            return False
    return True


@inner_kernel
def _collect(joint: Array, first: int, band: Array, state: Array, stamp: int, frame: Array, map_size: Array, near: Array) -> int:
    """Put into ``near`` the walls of a band that may meet the inside of the hull, counted from ``first``; return how many."""
    rows, cols, size = map_size[0], map_size[1], map_size[2]
    along = 0 if frame[3, 0] - frame[2, 0] >= frame[3, 1] - frame[2, 1] else 1
    n = 0
    for u in range(frame[2, along], frame[3, along]):
        low, high = stretch_of_hull(frame, along, u)
        square = u * cols if along == 1 else rows * cols + 1 + u * rows
        for k in range(band[square + low], band[square + high + 1]):
            w = first + int64(band[k])
            if state[w, STAMP] != stamp:
                state[w, STAMP] = stamp
                if _meets_hull(joint[w], frame, size):
                    near[n] = w
                    n += 1
    return n


@inner_kernel
def _sort_special(
    joint: Array, terms: Array, a: Array, b: Array, near: Array, kinds: Array, n: int, m: int, size: int
) -> int:
    """Drop of the ``m`` special walls behind ``n`` plain ones those that stop nothing; tell of the others what; return how many."""
    n_plain = len(joint) - len(terms)
    for k in range(n):
        kinds[k] = HARD
    kept = n
    for k in range(n, n + m):
        w = near[k]
        kind = stops_between(joint[w], terms[w - n_plain], a, b, size)
        if kind != OFF:
            near[kept], kinds[kept] = w, kind
            kept += 1
    return kept - n


@inner_kernel
def _parts(joint: Array, near: Array, kinds: Array, n: int, space: Array, size: int) -> tuple[int, int]:
    """Return which parts of a space to look at: it as a whole (-1) where no wall that takes part enters it, else each square."""
    squares = space[2] * space[3]
    if squares == 1:
        return 0, 1
    for k in range(n):
        if kinds[k] != MAYBE and enters(joint[near[k]], space, -1, size):
            return 0, squares
    return -1, 0


@inner_kernel
def _entering(
    joint: Array, terms: Array, near: Array, kinds: Array, counts: tuple[int, int, int], space: Array, part: int, size: int, lines: Array
) -> int:
    """Put into ``lines`` those of limited walls that enter a part of a space, -1 if there are none; return how many."""
    n, m, n_plain = counts
    found = 0
    for k in range(n, n + m):
        if kinds[k] == LIMITED and enters(joint[near[k]], space, part, size):
            line = terms[near[k] - n_plain, LINE]
            is_new = True
            for i in range(found):
                is_new &= lines[i] != line
            if is_new:
                lines[found] = line
                found += 1
    if found == 0:
        lines[0] = -1
    return max(found, 1)


@inner_kernel
def _prepare(
    joint: Array,
    bands: tuple[Array, Array],
    terms: Array,
    both: tuple[Array, Array],
    state: Array,
    stamp: int,
    lists: tuple[Array, Array, Array],
    frame: Array,
    heights: Array,
    map_size: Array,
) -> tuple[int, int, int]:
    """Fill ``lists``: the walls near two spaces, what they do, the walls again; return how many plain, special, and plain of the map."""
    near, kinds, order = lists
    n_plain, size = len(joint) - len(terms), map_size[2]
    m = _collect(joint, n_plain, bands[1], state, stamp, frame, map_size, near)
    for k in range(m):
        set_when(terms[near[k] - n_plain], heights)
    m = _sort_special(joint, terms, both[0], both[1], near, kinds, 0, m, size)
    if m == 0:
        return 0, 0, n_plain
    for k in range(m):
        order[k] = near[k]
    n = _collect(joint, 0, bands[0], state, stamp + 1, frame, map_size, near)
    for k in range(m):
        near[n + k] = order[k]
    m = _sort_special(joint, terms, both[0], both[1], near, kinds, n, m, size)
    for k in range(n + m):
        order[k] = near[k]
    return n, m, n_plain


@inner_kernel
def _share_squares(a: Array, b: Array) -> bool:
    return a[0] < b[0] + b[2] and b[0] < a[0] + a[2] and a[1] < b[1] + b[3] and b[1] < a[1] + a[3]


@inner_kernel
def _are_parted(
    joint: Array,
    terms: Array,
    touching: tuple[Array, Array],
    state: Array,
    stamp: int,
    lists: tuple[Array, Array, Array],
    counts: tuple[int, int, int],
    scratch: tuple[Array, Array, Array],
    both: tuple[Array, Array],
    hull: tuple[Array, Array, Array],
    size: int,
    crossable: Array,
) -> tuple[bool, int]:
    """Return whether walls part the spaces, whichever limited walls a line of effect may cross, and the next stamp.

    These are those on one straight line, and one more on the leg to either end, where they enter its square. ``crossable (m,)``, if it is
    not empty, is filled with which limited walls may have to be crossed between the ends.
    """
    near, kinds, _ = lists
    saved, marks, lines = scratch
    regions, frame, centres = hull
    n, m, n_plain = counts
    first_a, last_a = _parts(joint, near, kinds, n + m, both[0], size)
    first_b, last_b = _parts(joint, near, kinds, n + m, both[1], size)
    is_all, is_parted = len(crossable) > 0, True
    for i in range(first_a, last_a):
        for j in range(first_b, last_b):
            if not (is_all or is_parted):
                continue
            stamp += 1
            frame_hull(both[0], i, both[1], j, size, regions, frame, centres)
            if is_parted_by_hard(joint, touching[0], touching[1], state, stamp, near, kinds, counts, frame, centres, size):
                continue
            save(state, near, counts, saved)
            n_a = _entering(joint, terms, near, kinds, counts, both[0], i, size, lines[0])
            n_b = _entering(joint, terms, near, kinds, counts, both[1], j, size, lines[1])
            for k in range(n_a * n_b):
                gone = (lines[0, k // n_b], lines[1, k % n_b])
                if k >= MOST or find_crossable(
                    joint, terms, touching[1], state, stamp, near, kinds, counts, saved, marks, frame, size, gone, is_all
                ):
                    is_parted = False
                for c in range(n, n + m if is_all else n):
                    if kinds[c] == LIMITED and (k >= MOST or marks[terms[near[c] - n_plain, LINE]] == CROSSABLE):
                        crossable[near[c] - n_plain] = True
                if k >= MOST or not (is_all or is_parted):
                    break
    return is_parted, stamp + 1


@kernel
def _new_work(
    n: int, m: int
) -> tuple[Array, tuple[Array, Array, Array], tuple[Array, Array, Array], tuple[Array, Array, Array]]:
    """Return what is written for two spaces: how walls hang together, lists of walls, scratch, the hull.

    ``n`` is one more than there are walls, ``m`` one more than there are special ones.
    """
    state = np.full((n, 4), -1, np.int64)
    lists = np.empty(n, np.int64), np.empty(n, np.int64), np.empty(n, np.int64)
    scratch = np.empty((n, 2), np.int64), np.zeros(m, np.int64), np.empty((2, m), np.int64)
    hull = np.empty((4, 4, 3), np.int64), np.zeros((4, 3), np.int64), np.empty(4, np.int64)
    return state, lists, scratch, hull


@kernel
def lines_past(
    joint: Array,
    band: Array,
    touching: Array,
    special_band: Array,
    special_touching: Array,
    terms: Array,
    asked: Array,
    map_size: Array,
) -> Array:
    """Return ``(n,)`` uint8: does a line of effect join two spaces? ``NO``, ``YES`` or ``UNDECIDED``.

    Parameters
    ----------
    joint
        ``(n + m, 4)`` int32: plain walls, and ``m`` special ones behind them.
    band, touching
        Of the plain walls, by :func:`gridlos.kernels.band.index_band` and :func:`gridlos.kernels.touching.index_touching`.
    special_band, special_touching
        Of the special walls, by the same two.
    terms
        ``(m, 10)`` int64 of the special walls: ``LINE`` (-1, or which straight line a limited wall lies on), ``SIDE``, ``BOTTOM`` and
        ``TOP`` in height units, of :mod:`gridlos.kernels.special_stops`; the other columns are for the kernel.
    asked
        ``(n, 12)`` int64: the two spaces, ``x, y, width, height`` in squares, then feet, head, feet and head. Plain walls leave
        them a line of effect.
    map_size
        Rows, columns, lattice units a square.
    """
    result, terms = np.full(len(asked), UNDECIDED, np.uint8), terms.copy()
    size = map_size[2]
    state, lists, scratch, hull = _new_work(len(joint) + 1, len(terms) + 1)
    points, seen = np.empty((2, len(PLACES), 2), np.int64), np.empty((2, len(PLACES)), np.uint8)
    stamp, nothing = 0, np.empty(0, np.bool_)
    for pair in range(len(asked)):
        both = asked[pair, :4], asked[pair, 4:8]
        if _share_squares(both[0], both[1]):
            result[pair] = YES
            continue
        frame_hull(both[0], -1, both[1], -1, size, hull[0], hull[1], hull[2])
        counts = _prepare(joint, (band, special_band), terms, both, state, stamp, lists, hull[1], asked[pair, 8:], map_size)
        stamp += 2
        n_near = counts[0] + counts[1]
        for end in range(2):
            set_points(both[end], points[end], size)
        if counts[1] == 0 or is_free(joint, terms, lists[2], n_near, between(points, 0, 0), NOWHERE, BETWEEN):
            result[pair] = YES
            continue
        is_parted, stamp = _are_parted(
            joint, terms, (touching, special_touching), state, stamp, lists, counts, scratch, both, hull, size, nothing
        )
        if is_parted:
            result[pair] = NO
            continue
        for end in range(2):
            mark_seen(joint, terms, lists[2], n_near, points[end], seen[end], end == 1, size)
        if has_free(joint, terms, lists[2], n_near, points, seen):
            result[pair] = YES
    return result


@kernel
def walls_between(
    joint: Array,
    band: Array,
    touching: Array,
    special_band: Array,
    special_touching: Array,
    terms: Array,
    asked: Array,
    map_size: Array,
) -> Array:
    """Return ``(m,)`` uint8: what each special wall does to segments between two spaces.

    ``OFF``, ``HARD``, ``LIMITED`` or ``MAYBE`` of :mod:`gridlos.kernels.special_parted`; ``CROSSABLE`` if it is limited
    and a line of effect may cross it between its ends: others do not. Arguments as for :func:`lines_past`,
    ``asked (1, 12)``.
    """
    found, crossable, terms = np.full(len(terms), OFF, np.uint8), np.zeros(len(terms), np.bool_), terms.copy()
    size = map_size[2]
    state, lists, scratch, hull = _new_work(len(joint) + 1, len(terms) + 1)
    both = asked[0, :4], asked[0, 4:8]
    frame_hull(both[0], -1, both[1], -1, size, hull[0], hull[1], hull[2])
    counts = _prepare(joint, (band, special_band), terms, both, state, 0, lists, hull[1], asked[0, 8:], map_size)
    _are_parted(joint, terms, (touching, special_touching), state, 2, lists, counts, scratch, both, hull, size, crossable)
    for k in range(counts[0], counts[0] + counts[1]):
        w = lists[0][k] - counts[2]
        found[w] = CROSSABLE if crossable[w] else lists[1][k]
    return found

"""Spaces between which there is no line of effect because walls that hang together, or they and the border, part them.

A line of effect stays inside the hull of the two spaces. If it is there, one can go from the centre of the one to the
centre of the other inside the hull without meeting a wall: along what the centres see of their squares, and along the
line of effect. A closed curve of walls, or of walls and of what lies outside of the hull, that crosses the segment
between the centres an odd number of times says that one cannot. All such curves are found by joining walls that touch,
each with the parity of crossings on the way from the beginning of the one to the beginning of the other.
"""

from __future__ import annotations

import numpy as np

from gridlos.kernels.effect import meets_open, outer_lines, set_region
from gridlos.kernels.jit import Array, inner_kernel, int64, kernel
from gridlos.kernels.touching import CROSSING

__all__ = [
    "PARENT",
    "PARITY",
    "SIDES",
    "STAMP",
    "are_parted",
    "frame_hull",
    "is_inside_hull",
    "join",
    "parity_of",
    "sides_of",
    "stretch_of_hull",
]

PARENT, PARITY, STAMP, SIDES = 0, 1, 2, 3
"""What ``state`` holds of a wall: whom it is joined with, by which parity, when it was asked, and its sides.

Sides are three bits: 1, 2 whether its ends lie left of the segment between the centres, 4 whether it crosses that.
"""


@inner_kernel
def join(state: Array, v: int, w: int, parity: int) -> bool:
    """Join two walls whose beginnings are ``parity`` crossings apart; return whether they were joined by the other parity."""
    while state[v, PARENT] != v:
        parity ^= state[v, PARITY]
        v = state[v, PARENT]
    while state[w, PARENT] != w:
        parity ^= state[w, PARITY]
        w = state[w, PARENT]
    if v == w:
        return parity != 0
    state[v, PARENT], state[v, PARITY] = w, parity
    return False


@inner_kernel
def _to_meeting(sides: int, is_left: int) -> int:
    """Return the parity of crossings from the beginning of a wall to a point of it on a side of the segment."""
    return (sides >> 2) & ((sides & 1) ^ is_left)


@inner_kernel
def parity_of(v: int, w: int, place: int) -> int:
    """Return the parity of crossings between the beginnings of two walls with sides ``v`` and ``w`` that touch, -1 if unknown."""
    if place < 2:
        is_left = (v >> place) & 1
    elif place < CROSSING:
        is_left = (w >> (place - 2)) & 1
    elif (v ^ (v >> 1)) & 1 == 0:
        is_left = v & 1
    elif (w ^ (w >> 1)) & 1 == 0 or (v | w) & 4 == 0:
        is_left = w & 1
    else:
        return -1
    return _to_meeting(v, is_left) ^ _to_meeting(w, is_left)


@inner_kernel
def is_inside_hull(frame: Array, x: int, y: int, size: int) -> bool:
    """Is the point, in lattice units, strictly inside of the hull?

    ``frame`` holds, in squares, the two outer lines of two spaces, their least coordinates and their largest ones.
    """
    return (
        frame[2, 0] * size < x < frame[3, 0] * size
        and frame[2, 1] * size < y < frame[3, 1] * size
        and frame[0, 0] * x + frame[0, 1] * y + frame[0, 2] * size > 0
        and frame[1, 0] * x + frame[1, 1] * y + frame[1, 2] * size > 0
    )


@inner_kernel
def stretch_of_hull(frame: Array, along: int, u: int) -> tuple[int, int]:
    """Return the first and the last square of the hull in column ``u`` (``along`` 0) or row ``u`` (1)."""
    low, high = frame[2, 1 - along], frame[3, 1 - along] - 1
    for k in range(2):
        p, q = frame[k, along], frame[k, 1 - along]
        most = max(p * u, p * (u + 1)) + frame[k, 2]  # a point v is on the inner side where most + q v >= 0
        if q > 0:
            low = max(low, -most // q)
        elif q < 0:
            high = min(high, most // -q)
    return low, high


@inner_kernel
def sides_of(barriers: Array, w: int, centres: Array) -> int:
    """Return the sides of a wall, -1 if the line of the wall passes one of the centres (in doubled lattice units)."""
    ax, ay, dx, dy = centres[0], centres[1], centres[2] - centres[0], centres[3] - centres[1]
    x0, y0 = 2 * int64(barriers[w, 0]) - ax, 2 * int64(barriers[w, 1]) - ay
    x1, y1 = 2 * int64(barriers[w, 2]) - ax, 2 * int64(barriers[w, 3]) - ay
    # What lies on the segment counts as right of it: as if the segment were a little to the left.
    side0, side1 = dx * y0 - dy * x0 < 0, dx * y1 - dy * x1 < 0
    turn_a = x0 * y1 - y0 * x1
    turn_b = (x0 - dx) * (y1 - dy) - (y0 - dy) * (x1 - dx)
    if turn_a == 0 or turn_b == 0:
        return -1
    crosses = side0 != side1 and (turn_a > 0) != (turn_b > 0)
    return side0 | side1 << 1 | crosses << 2


@inner_kernel
def _is_parted(
    barriers: Array,
    band: Array,
    touching: Array,
    state: Array,
    stamp: int,
    frame: Array,
    centres: Array,
    map_size: Array,
) -> bool:
    """Do walls part the two centres inside the hull? ``map_size`` holds rows, columns and lattice units a square."""
    rows, cols, size = map_size[0], map_size[1], map_size[2]
    outside = len(barriers)
    state[outside, PARENT], state[outside, PARITY] = outside, 0
    along = 0 if frame[3, 0] - frame[2, 0] >= frame[3, 1] - frame[2, 1] else 1
    for u in range(frame[2, along], frame[3, along]):
        low, high = stretch_of_hull(frame, along, u)
        square = u * cols if along == 1 else rows * cols + 1 + u * rows
        for k in range(band[square + low], band[square + high + 1]):
            w = band[k]
            if state[w, STAMP] == stamp:
                continue
            sides = sides_of(barriers, w, centres)
            state[w, STAMP], state[w, SIDES] = stamp, sides
            if sides < 0:
                continue
            state[w, PARENT], state[w, PARITY] = w, 0
            if not is_inside_hull(frame, int64(barriers[w, 0]), int64(barriers[w, 1]), size):
                state[w, PARENT] = outside
            ends_inside = is_inside_hull(frame, int64(barriers[w, 2]), int64(barriers[w, 3]), size)
            if not ends_inside and join(state, w, outside, sides >> 2):
                return True
            for m in range(touching[w], touching[w + 1]):
                v = touching[m] >> 3
                if state[v, STAMP] == stamp and state[v, SIDES] >= 0:
                    parity = parity_of(sides, state[v, SIDES], touching[m] & 7)
                    if parity >= 0 and join(state, w, v, parity):
                        return True
    return False


@inner_kernel
def _is_clean(barriers: Array, band: Array, space: Array, cols: int, size: int) -> bool:
    """Does no wall meet the inside of the space?"""
    x, y, right, bottom = space[0], space[1], space[0] + space[2], space[1] + space[3]
    for row in range(y, bottom):
        for k in range(band[row * cols + x], band[row * cols + right]):
            if meets_open(barriers[band[k]], x * size, y * size, right * size, bottom * size):
                return False
    return True


@inner_kernel
def frame_hull(a: Array, i: int, b: Array, j: int, size: int, regions: Array, frame: Array, centres: Array) -> None:
    """Fill ``frame`` and ``centres`` for square ``i`` of one space and square ``j`` of the other, -1 for a whole space."""
    for k in range(2):
        space, part = (b, j) if k else (a, i)
        x, y, width, height = space[0], space[1], space[2], space[3]
        if part >= 0:
            x, y, width, height = x + part % width, y + part // width, int64(1), int64(1)
        set_region(regions[2 * k], regions[2 * k + 1], x, y, width, height, 1)
        centres[2 * k], centres[2 * k + 1] = (2 * x + width) * size, (2 * y + height) * size
    outer_lines(regions[0], regions[2], frame[:2])
    for c in range(2):
        frame[2, c] = min(regions[0, 0, c], regions[2, 0, c])
        frame[3, c] = max(regions[0, 2, c], regions[2, 2, c])


@kernel
def are_parted(
    barriers: Array, band: Array, touching: Array, spaces: Array, pairs: Array, rows: int, cols: int, size: int
) -> Array:
    """Return ``(n,)`` bool: do walls part the two spaces of each pair, so that no line of effect joins them? False says nothing.

    ``spaces (s, 4)`` int64 are ``x, y, width, height`` in squares, ``pairs (n, 2)`` places in it; ``band`` comes from
    :func:`gridlos.kernels.band.index_band`, ``touching`` from :func:`gridlos.kernels.touching.index_touching`.
    """
    result = np.zeros(len(pairs), np.bool_)
    state = np.full((len(barriers) + 1, 4), -1, np.int64)
    regions, frame = np.empty((4, 4, 3), np.int64), np.zeros((4, 3), np.int64)
    centres, map_size = np.empty(4, np.int64), np.array([rows, cols, size], np.int64)
    stamp = 0
    for k in range(len(pairs)):
        a, b = spaces[pairs[k, 0]], spaces[pairs[k, 1]]
        if a[0] < b[0] + b[2] and b[0] < a[0] + a[2] and a[1] < b[1] + b[3] and b[1] < a[1] + a[3]:
            continue
        # What a centre sees of its square counts; a space that no wall enters is seen as a whole.
        first_a, last_a, first_b, last_b = -1, 0, -1, 0
        if a[2] * a[3] == 1 or not _is_clean(barriers, band, a, cols, size):
            first_a, last_a = 0, a[2] * a[3]
        if b[2] * b[3] == 1 or not _is_clean(barriers, band, b, cols, size):
            first_b, last_b = 0, b[2] * b[3]
        parted = True
        for i in range(first_a, last_a):
            for j in range(first_b, last_b):
                if parted:
                    frame_hull(a, i, b, j, size, regions, frame, centres)
                    parted = _is_parted(barriers, band, touching, state, stamp, frame, centres, map_size)
                    stamp += 1
        result[k] = parted
    return result

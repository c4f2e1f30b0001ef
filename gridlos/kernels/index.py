"""What the kernels want to know about a map once per revision: arms of corners, bins of free walls, legs of squares."""

from __future__ import annotations

import numpy as np

from gridlos.kernels.jit import Array, inner_kernel, int64, kernel
from gridlos.kernels.walk import BOTH, COVER, EAST, FREE, LEFT, NORTH, RIGHT, SOUTH, WEST, follow

GOOD = 8
"""Bits of ``legs (rows, cols) uint16``: two bits of state for each corner's leg (``corner * 2``), see
:func:`index_legs`; from bit ``GOOD`` on, one bit a corner: nothing touches the leg and no free wall leaves the corner
into the square."""


@kernel
def index_arms(solid: Array, west: Array, north: Array) -> Array:
    """Return ``arms (rows + 1, cols + 1)`` uint8.

    ``solid (rows, cols)``, ``west (rows, cols + 1)`` and ``north (rows + 1, cols)`` are 0 where nothing stands.
    """
    rows, cols = solid.shape
    arms = np.zeros((rows + 1, cols + 1), np.uint8)
    for y in range(rows):
        for x in range(cols + 1):
            if west[y, x] or x == 0 or x == cols or solid[y, x] or solid[y, x - 1]:
                arms[y, x] |= SOUTH
                arms[y + 1, x] |= NORTH
    for y in range(rows + 1):
        for x in range(cols):
            if north[y, x] or y == 0 or y == rows or solid[y, x] or solid[y - 1, x]:
                arms[y, x] |= EAST
                arms[y, x + 1] |= WEST
    return arms


@inner_kernel
def _meets_square(x0: int, y0: int, x1: int, y1: int, left: int, top: int, size: int) -> bool:
    """Does the closed segment, whose box meets the closed square, meet the closed square itself?"""
    dx, dy = x1 - x0, y1 - y0
    less = more = False
    for corner in range(4):
        side = dx * (top + size * (corner >> 1) - y0) - dy * (left + size * (corner & 1) - x0)
        less |= side <= 0
        more |= side >= 0
    return less and more


@kernel
def index_walls(walls: Array, rows: int, cols: int, size: int) -> Array:
    """Return ``bins``: for each square the walls that touch the closed square (a wall may touch none: it lies outside the map)."""
    counts = np.zeros(rows * cols + 1, np.int64)
    bins = np.zeros(0, np.int32)
    for turn in range(2):
        if turn == 1:
            start = rows * cols + 1
            for square in range(rows * cols):
                n = counts[square]
                counts[square] = start
                start += n
            counts[rows * cols] = start
            bins = np.empty(start, np.int32)
            for square in range(rows * cols + 1):  # a slice would take seconds more to compile
                bins[square] = counts[square]
        for w in range(len(walls)):
            x0, y0, x1, y1 = int64(walls[w, 0]), int64(walls[w, 1]), int64(walls[w, 2]), int64(walls[w, 3])
            first_x, last_x = max(-(-min(x0, x1) // size) - 1, 0), min(max(x0, x1) // size, cols - 1)
            first_y, last_y = max(-(-min(y0, y1) // size) - 1, 0), min(max(y0, y1) // size, rows - 1)
            for y in range(first_y, last_y + 1):
                for x in range(first_x, last_x + 1):
                    if _meets_square(x0, y0, x1, y1, x * size, y * size, size):
                        square = y * cols + x
                        if turn == 1:
                            bins[counts[square]] = w
                        counts[square] += 1
    return bins


@inner_kernel
def mark_free_arms(arms: Array, bins: Array, walls: Array, size: int) -> None:
    """Set the ``FREE`` bit of each grid corner that a free wall contains (in place)."""
    rows, cols = arms.shape[0] - 1, arms.shape[1] - 1
    for square in range(rows * cols):
        for k in range(bins[square], bins[square + 1]):
            w = bins[k]
            for corner in range(4):
                x, y = square % cols + (corner & 1), square // cols + (corner >> 1)
                if is_on(walls, w, x * size, y * size):
                    arms[y, x] |= FREE


@inner_kernel
def is_on(walls: Array, w: int, x: int, y: int) -> bool:
    """Does the closed wall contain the point?"""
    x0, y0 = int64(walls[w, 0]) - x, int64(walls[w, 1]) - y
    x1, y1 = int64(walls[w, 2]) - x, int64(walls[w, 3]) - y
    return x0 * y1 - y0 * x1 == 0 and x0 * x1 + y0 * y1 <= 0


@inner_kernel
def leg_of(
    walls: Array, bins: Array, square: int, cx: int, cy: int, ux: int, uy: int, size: int, scratch: Array
) -> tuple[int, bool]:
    """Return ``(state on arrival, whether nothing touches the leg)`` of the leg from a centre to a corner, in doubled lattice units.

    Walls through the centre are left out, and so is what continues one of them along the leg: a wall cut into pieces
    is the same wall. What happens at the corner itself is the sector's business, except that a free wall that leaves
    the corner into the square makes the leg touched.
    """
    n = 0
    end = int64(2 * size)  # d = (ux, uy), the leg reaches d · (point - centre) = 2 size
    clean = True
    for k in range(bins[square], bins[square + 1]):
        w = bins[k]
        x0, y0 = 2 * int64(walls[w, 0]) - cx, 2 * int64(walls[w, 1]) - cy
        x1, y1 = 2 * int64(walls[w, 2]) - cx, 2 * int64(walls[w, 3]) - cy
        o0, o1 = ux * y0 - uy * x0, ux * y1 - uy * x1
        if (o0 > 0 and o1 > 0) or (o0 < 0 and o1 < 0):
            continue
        t0, t1 = ux * x0 + uy * y0, ux * x1 + uy * y1
        if o0 == 0 and o1 == 0:
            low, high = max(min(t0, t1), int64(0)), min(max(t0, t1), end)
            if low < high:
                scratch[n, 0], scratch[n, 1], scratch[n, 2] = low, high, COVER
                n += 1
        elif o0 == 0 or o1 == 0:
            t = t0 if o0 == 0 else t1
            if 0 < t < end:
                scratch[n, 0], scratch[n, 1], scratch[n, 2] = t, t, (LEFT if o0 + o1 < 0 else RIGHT)
                n += 1
            elif t == end:
                # It ends at the corner: into the square, if its other end is on the square's side of both grid lines.
                ox, oy = (x1, y1) if o0 == 0 else (x0, y0)
                clean = clean and not ((ox - ux * size) * ux <= 0 and (oy - uy * size) * uy <= 0)
        else:
            # Crosses the infinite line at (t0 o1 - t1 o0) / (o1 - o0), which is 0 at the centre.
            over, under = t0 * o1 - t1 * o0, o1 - o0
            if under < 0:
                over, under = -over, -under
            if 0 < over < end * under:
                return 0, False
            if over == end * under:
                clean = False
    clean = clean and n == 0
    reached = int64(0)
    k = 0
    while k < n:
        if scratch[k, 2] == COVER and scratch[k, 0] <= reached < scratch[k, 1]:
            reached = scratch[k, 1]
            k = 0
        else:
            k += 1
    for k in range(n):
        if scratch[k, 2] == COVER and scratch[k, 1] <= reached:
            scratch[k, 0] = scratch[k, 1] = 0
    return follow(scratch, 0, n, end, BOTH), clean


@kernel
def index_legs(bins: Array, walls: Array, rows: int, cols: int, size: int) -> Array:
    """Return ``legs (rows, cols)`` uint16, the bits of which are explained at :data:`GOOD`."""
    legs = np.empty((rows, cols), np.uint16)
    scratch = np.empty((len(bins) + 1, 3), np.int64)
    for square in range(rows * cols):
        bits = 0xFFF
        if bins[square] < bins[square + 1]:
            x, y = square % cols, square // cols
            bits = 0
            for corner in range(4):
                ux, uy = 2 * (corner & 1) - 1, 2 * (corner >> 1) - 1
                state, clean = leg_of(
                    walls, bins, square, (2 * x + 1) * size, (2 * y + 1) * size, ux, uy, size, scratch
                )
                bits |= state << (2 * corner)
                if clean:
                    bits |= 1 << (GOOD + corner)
        legs[square // cols, square % cols] = bits
    return legs


@inner_kernel
def _grid_runs(solid: Array, edges: Array, turned: bool, size: int, runs: Array, n: int) -> int:
    """Add to ``runs`` the straight runs of walls and sides of solid squares on vertical grid lines; return the count.

    ``edges`` is ``west`` or, for horizontal lines (``turned``), ``north``. Edges between two solid squares are left out:
    what gets there has met a side before.
    """
    rows, cols = solid.shape
    for line in range((rows if turned else cols) + 1):
        open_run = False
        for m in range(cols if turned else rows):
            y, x = (line, m) if turned else (m, line)
            before = True if line == 0 else solid[y - 1, x] != 0 if turned else solid[y, x - 1] != 0
            after = True if line == (rows if turned else cols) else solid[y, x] != 0
            if before != after or (not before and edges[y, x]):
                if not open_run:
                    runs[n, 0], runs[n, 1] = x * size, y * size
                runs[n, 2], runs[n, 3] = (x + 1 if turned else x) * size, (y if turned else y + 1) * size
                open_run = True
            elif open_run:
                n += 1
                open_run = False
        if open_run:
            n += 1
    return n


@kernel
def index_barriers(solid: Array, west: Array, north: Array, walls: Array, size: int) -> tuple[Array, Array]:
    """Return ``(barriers (k, 4), pivots (p, 2))`` int32 in lattice units.

    Barriers are all that stops lines as segments; pivots the points round which a free line can turn: ends of free
    walls, and grid corners that walls leave within less than half a turn.
    """
    rows, cols = solid.shape
    runs = np.empty((2 * (rows + 1) * (cols + 1), 4), np.int32)
    n = _grid_runs(solid, west, False, size, runs, 0)
    n = _grid_runs(solid, north, True, size, runs, n)
    barriers = np.concatenate((runs[:n], walls))
    arms = np.zeros((rows + 1, cols + 1), np.uint8)
    for k in range(n):
        dx, dy = runs[k, 2] > runs[k, 0], runs[k, 3] > runs[k, 1]
        x, y = runs[k, 0] // size, runs[k, 1] // size
        for m in range((runs[k, 2] - runs[k, 0] + runs[k, 3] - runs[k, 1]) // size):
            arms[y + m * dy, x + m * dx] |= EAST if dx else SOUTH
            arms[y + (m + 1) * dy, x + (m + 1) * dx] |= WEST if dx else NORTH
    pivots = np.empty(((rows + 1) * (cols + 1) + 2 * len(walls), 2), np.int32)
    p = 0
    for y in range(rows + 1):
        for x in range(cols + 1):
            bits = arms[y, x]
            if bits and not (bits & EAST and bits & WEST) and not (bits & NORTH and bits & SOUTH):
                pivots[p, 0], pivots[p, 1] = x * size, y * size
                p += 1
    for w in range(len(walls)):
        for end in range(0, 4, 2):
            x, y = walls[w, end], walls[w, end + 1]
            # A grid corner is there already, or no pivot at all because of its grid walls.
            on_grid = x % size == 0 and y % size == 0 and 0 <= x // size <= cols and 0 <= y // size <= rows
            if not (on_grid and arms[y // size, x // size]):
                pivots[p, 0], pivots[p, 1] = x, y
                p += 1
    return barriers, _without_repeats(pivots[:p])


@kernel
def _without_repeats(points: Array) -> Array:
    """Return the points without repeats, sorted."""
    order = np.argsort(points[:, 0].astype(np.int64) * (1 << 32) + points[:, 1])
    kept = np.empty(points.shape, points.dtype)
    n = 0
    for k in order:
        if n == 0 or kept[n - 1, 0] != points[k, 0] or kept[n - 1, 1] != points[k, 1]:
            kept[n, 0], kept[n, 1] = points[k, 0], points[k, 1]
            n += 1
    return kept[:n]

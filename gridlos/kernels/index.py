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
def inverse_of(size: int) -> int:
    """Return what :func:`square_at` multiplies with."""
    return (int64(1) << 37) // size


@inner_kernel
def square_at(x: int, size: int, inverse: int) -> int:
    """Return ``x // size`` for ``x`` up to 2^25; a product that is put right takes a third of the time of a division."""
    found = (x * inverse) >> 37
    return found + ((found + 1) * size <= x) - (found * size > x)


@inner_kernel
def _columns(x0: int, y0: int, x1: int, y1: int, row: int, size: int) -> tuple[int, int]:
    """Return the first and the last column, map or not, of the closed squares of a row that a wall touches; ``y0 < y1``."""
    dx, dy = x1 - x0, y1 - y0
    low, high = dx * max(row * size - y0, 0), dx * min((row + 1) * size - y0, dy)
    if dx < 0:
        low, high = high, low
    return -(-(x0 * dy + low) // (dy * size)) - 1, (x0 * dy + high) // (dy * size)


@kernel
def list_touched(walls: Array, rows: int, cols: int, size: int) -> tuple[Array, Array, int]:
    """Return ``squares`` and ``whose``, int32, and ``n``: wall ``whose[k]`` touches the closed square ``squares[k]``, for ``k < n``."""
    squares = np.empty(4 * len(walls) + cols, np.int32)
    whose = np.empty(len(squares), np.int32)
    n, inverse = 0, inverse_of(size)
    for w in range(len(walls)):
        x0, y0, x1, y1 = int64(walls[w, 0]), int64(walls[w, 1]), int64(walls[w, 2]), int64(walls[w, 3])
        if y0 > y1:
            x0, y0, x1, y1 = x1, y1, x0, y0
        left, right = square_at(min(x0, x1) - 1, size, inverse), square_at(max(x0, x1), size, inverse)
        top, bottom = square_at(y0 - 1, size, inverse), square_at(y1, size, inverse)
        is_box = left == right or top == bottom or x0 == x1 or y0 == y1
        for row in range(max(top, 0), min(bottom, rows - 1) + 1):
            first, last = (left, right) if is_box else _columns(x0, y0, x1, y1, row, size)
            if n + cols > len(squares):
                longer, more = np.empty(2 * n + cols, np.int32), np.empty(2 * n + cols, np.int32)
                for k in range(n):
                    longer[k], more[k] = squares[k], whose[k]
                squares, whose = longer, more
            for column in range(max(first, 0), min(last, cols - 1) + 1):
                squares[n], whose[n] = row * cols + column, w
                n += 1
    return squares, whose, n


@inner_kernel
def sort_into(index: Array, n_keys: int, start: int, keys: Array, values: Array, n: int) -> None:
    """Write ``n`` values by their keys: those of key ``k`` to ``index[index[k] : index[k + 1]]``, in their order.

    The first of all stands at ``start``, behind the ``n_keys + 1`` places.
    """
    for key in range(n_keys + 1):
        index[key] = 0
    for k in range(n):
        index[keys[k] + 1] += 1
    index[0] = start
    for key in range(n_keys):
        index[key + 1] += index[key]
    for k in range(n):
        index[index[keys[k]]] = values[k]
        index[keys[k]] += 1
    for key in range(n_keys, 0, -1):
        index[key] = index[key - 1]
    index[0] = start


@kernel
def index_walls(walls: Array, rows: int, cols: int, size: int) -> Array:
    """Return ``bins``: for each square the walls that touch the closed square (a wall may touch none: it lies outside the map)."""
    squares, whose, n = list_touched(walls, rows, cols, size)
    bins = np.empty(rows * cols + 1 + n, np.int32)
    sort_into(bins, rows * cols, rows * cols + 1, squares, whose, n)
    return bins


@kernel
def index_last(band: Array, first: int, n_squares: int) -> Array:
    """Return the ``bins`` of the walls from the ``first`` on of those in ``band``, numbered anew."""
    n = 0
    for k in range(band[0], band[n_squares]):
        n += band[k] >= first
    bins = np.empty(n_squares + 1 + n, np.int32)
    place = n_squares + 1
    for square in range(n_squares):
        bins[square] = place
        for k in range(band[square], band[square + 1]):
            if band[k] >= first:
                bins[place] = band[k] - first
                place += 1
    bins[n_squares] = place
    return bins


@inner_kernel
def mark_free_arms(arms: Array, walls: Array, size: int) -> None:
    """Set the ``FREE`` bit of each grid corner that a free wall contains (in place)."""
    rows, cols, inverse = arms.shape[0] - 1, arms.shape[1] - 1, inverse_of(size)
    for w in range(len(walls)):
        x0, y0, x1, y1 = int64(walls[w, 0]), int64(walls[w, 1]), int64(walls[w, 2]), int64(walls[w, 3])
        left, right = square_at(min(x0, x1) - 1, size, inverse) + 1, square_at(max(x0, x1), size, inverse)
        top, bottom = square_at(min(y0, y1) - 1, size, inverse) + 1, square_at(max(y0, y1), size, inverse)
        for y in range(max(top, 0), min(bottom, rows) + 1):
            for x in range(max(left, 0), min(right, cols) + 1):
                if (x1 - x0) * (y * size - y0) == (y1 - y0) * (x * size - x0):
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
    if n == 0:
        return BOTH, clean
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
    return follow(scratch, 0, n, end, BOTH), False


@inner_kernel
def _near_legs(walls: Array, bins: Array, square: int, cx: int, cy: int) -> int:
    """Return a nibble that has the corners whose legs a wall meets: of a leg that it has not, a wall lies on one side or behind."""
    found = 0
    for k in range(bins[square], bins[square + 1]):
        w = bins[k]
        x0, y0 = 2 * int64(walls[w, 0]) - cx, 2 * int64(walls[w, 1]) - cy
        x1, y1 = 2 * int64(walls[w, 2]) - cx, 2 * int64(walls[w, 3]) - cy
        # Where the ends lie to the two diagonals: along the one is across the other.
        p0, p1, q0, q1 = x0 + y0, x1 + y1, x0 - y0, x1 - y1
        if not ((q0 > 0 and q1 > 0) or (q0 < 0 and q1 < 0)):
            found |= (p0 <= 0 or p1 <= 0) | (p0 >= 0 or p1 >= 0) << 3
        if not ((p0 > 0 and p1 > 0) or (p0 < 0 and p1 < 0)):
            found |= (q0 >= 0 or q1 >= 0) << 1 | (q0 <= 0 or q1 <= 0) << 2
    return found


@kernel
def index_legs(legs: Array, uncut: Array, bins: Array, walls: Array, squares: Array, size: int) -> None:
    """Fill ``legs (rows, cols)`` uint16, the bits of which are explained at :data:`GOOD`, for some squares (in place).

    ``uncut (rows * cols,)`` uint8 becomes the nibbles of the corners that a centre sees. Where ``legs`` are not 0, both are known.
    """
    cols = legs.shape[1]
    scratch = np.empty((len(bins) + 1, 3), np.int64)
    for square in squares:
        y, x = square // cols, square % cols
        if legs[y, x]:
            continue
        bits = 0xFFF
        if bins[square] < bins[square + 1]:
            cx, cy = (2 * x + 1) * size, (2 * y + 1) * size
            near = _near_legs(walls, bins, square, cx, cy)
            for corner in range(4):
                if near >> corner & 1:
                    ux, uy = 2 * (corner & 1) - 1, 2 * (corner >> 1) - 1
                    state, clean = leg_of(walls, bins, square, cx, cy, ux, uy, size, scratch)
                    bits ^= (state ^ BOTH) << (2 * corner) | (not clean) << (GOOD + corner)
        legs[y, x] = bits
        seen = bits | bits >> 1
        uncut[square] = seen & 1 | seen >> 1 & 2 | seen >> 2 & 4 | seen >> 3 & 8


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
    barriers = np.empty((n + len(walls), 4), np.int32)
    for k in range(len(barriers)):
        for c in range(4):
            barriers[k, c] = runs[k, c] if k < n else walls[k - n, c]
    arms = np.zeros((rows + 1, cols + 1), np.uint8)
    for k in range(n):
        dx, dy = runs[k, 2] > runs[k, 0], runs[k, 3] > runs[k, 1]
        x, y = runs[k, 0] // size, runs[k, 1] // size
        for m in range((runs[k, 2] - runs[k, 0] + runs[k, 3] - runs[k, 1]) // size):
            arms[y + m * dy, x + m * dx] |= EAST if dx else SOUTH
            arms[y + (m + 1) * dy, x + (m + 1) * dx] |= WEST if dx else NORTH
    pivots = np.empty(((rows + 1) * (cols + 1) + 2 * len(walls), 2), np.int32)
    p, inverse = 0, inverse_of(size)
    for y in range(rows + 1):
        for x in range(cols + 1):
            bits = arms[y, x]
            if bits and not (bits & EAST and bits & WEST) and not (bits & NORTH and bits & SOUTH):
                pivots[p, 0], pivots[p, 1] = x * size, y * size
                p += 1
    for w in range(len(walls)):
        for end in range(0, 4, 2):
            x, y = int64(walls[w, end]), int64(walls[w, end + 1])
            column, row = square_at(x, size, inverse), square_at(y, size, inverse)
            # A grid corner is there already, or no pivot at all because of its grid walls.
            on_grid = x == column * size and y == row * size and 0 <= column <= cols and 0 <= row <= rows
            if not (on_grid and arms[row, column]):
                pivots[p, 0], pivots[p, 1] = x, y
                p += 1
    return barriers, _without_repeats(pivots[:p])


@kernel
def _without_repeats(points: Array) -> Array:
    """Return the points without repeats, in their order."""
    size = 64
    while size < 2 * len(points):
        size *= 2
    table = np.full(size, -1, np.int32)
    kept = np.empty(points.shape, np.int32)
    n = 0
    for k in range(len(points)):
        x, y = int64(points[k, 0]), int64(points[k, 1])
        place = (x * 73856093 ^ y * 19349663) & (size - 1)
        while table[place] >= 0 and (kept[table[place], 0] != x or kept[table[place], 1] != y):
            place = (place + 1) & (size - 1)
        if table[place] < 0:
            table[place] = n
            kept[n, 0], kept[n, 1] = x, y
            n += 1
    return kept[:n].copy()

"""The sixteen lines between two squares at once, among free walls: each wall in the band between the squares is asked once.

Which lines a wall crosses follows from sides: of each line the sides of the wall's two ends, of the wall the sides of
the line's two ends. A line that nothing crosses is free if walls only touch it from one side and both its ends leave
it a way. The few others are walked by :func:`gridlos.kernels.line.contact`: those that run along a wall, those that are
touched from both sides, and those without length.

Masks hold 16 bits, bit ``4 i + j`` for the line from corner ``i`` of the first square to corner ``j`` of the second.
"""

from __future__ import annotations

import numpy as np

from gridlos.kernels.index import list_touched, sort_into
from gridlos.kernels.jit import Array, inner_kernel, int64, kernel
from gridlos.kernels.line import contact
from gridlos.kernels.walk import (
    BLOCKED,
    BOTH,
    EAST,
    FREE,
    GRID_SECTORS,
    NORTH,
    SOUTH,
    WEST,
    arms_at,
    new_scratch,
    sector,
)

__all__ = ["ALL", "blocked_lines", "cut_off", "decide", "index_band", "is_closed"]

ALL = 0xFFFF
FROM_CORNER, TO_CORNER = 0xF, 0x1111
"""Masks of the lines from corner 0 (shifted by four a corner) and to corner 0 (shifted by one)."""


@kernel
def index_band(barriers: Array, rows: int, cols: int, size: int) -> Array:
    """Return ``band`` int32: which barriers touch which closed square, row by row and column by column.

    Those of square ``k = row * cols + column`` are ``band[band[k] : band[k + 1]]``. Behind these ``rows * cols + 1``
    places stand as many for the squares in the order of columns, so that those of neighbours in a column, too, are one
    stretch.
    """
    squares, whose, total = list_touched(barriers, rows, cols, size)
    n = rows * cols + 1
    band = np.empty(2 * (n + total), np.int32)
    sort_into(band, n - 1, 2 * n, squares, whose, total)
    square, place = n, 2 * n + total
    for column in range(cols):
        for row in range(rows):
            band[square] = place
            square += 1
            for k in range(band[row * cols + column], band[row * cols + column + 1]):
                band[place] = band[k]
                place += 1
    band[square] = place
    return band


@inner_kernel
def _sides_of_lines(px: int, py: int, qx: int, qy: int, size: int) -> tuple[int, int]:
    """Return two masks: the lines that have a point on their left, and those that it lies on (or on what continues them).

    ``p`` and ``q`` lead from the point to corner 0 of the first and of the second square.
    """
    left, on = 0, 0
    turn = px * qy - py * qx
    # Corner i is s (i & 1, i >> 1) away from corner 0; the products of the differences with p, with q and with each other.
    for i in range(4):
        for j in range(4):
            side = (
                turn + (j >> 1) * (size * px) - (j & 1) * (size * py) + (i & 1) * (size * qy) - (i >> 1) * (size * qx)
            )
            side += ((i & 1) * (j >> 1) - (i >> 1) * (j & 1)) * (size * size)
            left |= (side < 0) << (4 * i + j)
            on |= (side == 0) << (4 * i + j)
    return left, on


@inner_kernel
def _sides_of_wall(ex: int, ey: int, turn: int, size: int) -> tuple[int, int]:
    """Return two nibbles: the corners of a square on the left of the wall's direction ``e``, and those in line with the wall.

    ``turn`` is the product of ``e`` with the way from the wall to corner 0.
    """
    left, on = 0, 0
    for corner in range(4):
        side = turn + (corner >> 1) * (ex * size) - (corner & 1) * (ey * size)
        left |= (side < 0) << corner
        on |= (side == 0) << corner
    return left, on


@inner_kernel
def _from_corners(nibble: int) -> int:
    """Return the mask of the lines from the first square's corners of the nibble."""
    return (nibble & 1) * 0xF | (nibble & 2) * 0x78 | (nibble & 4) * 0x3C0 | (nibble & 8) * 0x1E00


@inner_kernel
def _ask_walls(
    barriers: Array, band: Array, stamps: Array, stamp: int, first: Array, blocked: int, dx: int, dy: int
) -> tuple[int, int]:
    """Return two masks: ``blocked`` and what walls cross, and the lines that take a walk to tell.

    ``first`` holds column and row of the first square, columns and rows of the map, and its lattice units a square. The
    second square is ``(dx, dy)`` away. ``stamps`` of the walls that were asked become ``stamp``.
    """
    size = first[4]
    ax, ay = first[0] * size, first[1] * size
    bx, by = ax + dx * size, ay + dy * size
    # All lines lie between two lines along (dx, dy), on whose product with a point: between low and high.
    turn = dx * ay - dy * ax
    low = turn + min(dx * size, 0) - max(dy * size, 0)
    high = turn + max(dx * size, 0) - min(dy * size, 0)
    # Step i of n along the longer axis comes to the squares floor((i - 1) m / n) ... ceil((i + 1) m / n) of the other.
    n, m = max(abs(dx), abs(dy)), min(abs(dx), abs(dy))
    if abs(dx) >= abs(dy):
        step, forward = (first[3] if dx > 0 else -first[3]), dy > 0
        square = first[2] * first[3] + 1 + first[0] * first[3] + first[1]
    else:
        step, forward = (first[2] if dy > 0 else -first[2]), dx > 0
        square = first[1] * first[2] + first[0]
    begin, end = 0, (1 if m > 0 else 0)
    after_begin, before_end = -m, n * end - m
    one_side, other_side, along = 0, 0, 0
    x, y, left1, on1 = int64(1) << 40, int64(0), 0, 0  # nowhere
    for _ in range(n + 1):
        place = band[square + begin if forward else square - end]
        stop = band[(square + end if forward else square - begin) + 1]
        square += step
        after_begin += m
        if after_begin >= n:
            after_begin -= n
            begin += 1
        before_end -= m
        if before_end < 0:
            before_end += n
            end = min(end + 1, m)
        for k in range(place, stop):
            w = band[k]
            if stamps[w] == stamp:
                continue
            stamps[w] = stamp
            x0, y0 = int64(barriers[w, 0]), int64(barriers[w, 1])
            x1, y1 = int64(barriers[w, 2]), int64(barriers[w, 3])
            place0, place1 = dx * y0 - dy * x0, dx * y1 - dy * x1
            if (place0 < low and place1 < low) or (place0 > high and place1 > high):
                continue
            is_wide = (place0 < low and place1 > high) or (place0 > high and place1 < low)
            ex, ey = x1 - x0, y1 - y0
            least, most = min(ex, 0) - max(ey, 0), max(ex, 0) - min(ey, 0)
            least, most = least * size, most * size
            turn_a, turn_b = ex * (ay - y0) - ey * (ax - x0), ex * (by - y0) - ey * (bx - x0)
            if (turn_a + least > 0 and turn_b + least > 0) or (turn_a + most < 0 and turn_b + most < 0):
                continue
            if is_wide and ((turn_a + least > 0 and turn_b + most < 0) or (turn_a + most < 0 and turn_b + least > 0)):
                return ALL, 0
            near, on_a = _sides_of_wall(ex, ey, turn_a, size)
            far, on_b = _sides_of_wall(ex, ey, turn_b, size)
            between = (_from_corners(near) ^ (far * TO_CORNER)) & ~(_from_corners(on_a) | (on_b * TO_CORNER))
            if is_wide and (on_a == 0 or on_b == 0):
                # No end lies near a line, and none lies along the wall.
                blocked |= between
            else:
                if x0 == x and y0 == y:  # it continues the wall before it
                    left0, on0 = left1, on1
                else:
                    left0, on0 = _sides_of_lines(ax - x0, ay - y0, bx - x0, by - y0, size)
                left1, on1 = _sides_of_lines(ax - x1, ay - y1, bx - x1, by - y1, size)
                x, y = x1, y1
                blocked |= (left0 ^ left1) & ~(on0 | on1) & between
                if on0 | on1:
                    along |= on0 & on1
                    touched = (on0 ^ on1) & between
                    # An end on the line is on the left of no line.
                    one_side |= touched & (left0 | left1)
                    other_side |= touched & ~(left0 | left1)
            if blocked == ALL:
                return ALL, 0
    return blocked, along | (one_side & other_side)


@inner_kernel
def _ask_corner(
    arms: Array, bins: Array, walls: Array, scratch: Array, leg: int, size: int, corner: int, dx: int, dy: int
) -> int:
    """Return the nibble of lines that arms at their first end block: to the four corners of the square ``(dx, dy)`` away.

    ``corner`` is ``4 * square + corner`` of the first end, ``leg`` the state on arrival there.
    """
    cols = arms.shape[1] - 1
    c, square = corner & 3, corner >> 2
    x, y = square % cols + (c & 1), square // cols + (c >> 1)
    bits, n = arms[y, x], 0
    if bits & FREE:
        n = arms_at(walls, bins, square, x * size, y * size, scratch, 0)
    found = 0
    for j in range(4):
        ex, ey = dx + (j & 1) - (c & 1), dy + (j >> 1) - (c >> 1)
        if bits & FREE or leg != BOTH:
            state = sector(bits, scratch, 0, n, 1 - 2 * (c & 1), 1 - 2 * (c >> 1), leg, ex, ey)
        else:
            state = int64(GRID_SECTORS[bits, c, (ey > 0) - (ey < 0) + 1, (ex > 0) - (ex < 0) + 1])
        found |= (state == 0) << j
    return found


@inner_kernel
def is_closed(arms: Array, x: int, y: int) -> bool:
    """Is there a grid wall on all four sides of the square?"""
    return arms[y, x] & (EAST | SOUTH) == EAST | SOUTH and arms[y + 1, x + 1] & (NORTH | WEST) == NORTH | WEST


@inner_kernel
def cut_off(leg_a: int, leg_b: int) -> int:
    """Return the mask of the lines from or to a corner that its own square's centre does not see."""
    mask = 0
    for corner in range(4):
        if (leg_a >> (2 * corner)) & BOTH == 0:
            mask |= FROM_CORNER << (4 * corner)
        if (leg_b >> (2 * corner)) & BOTH == 0:
            mask |= TO_CORNER << corner
    return mask


@inner_kernel
def _without_length(dx: int, dy: int) -> int:
    """Return the mask of the lines between squares ``(dx, dy)`` apart whose ends are one."""
    mask = 0
    for i in range(4):
        for j in range(4):
            mask |= (dx + (j & 1) == (i & 1) and dy + (j >> 1) == (i >> 1)) << (4 * i + j)
    return mask


@kernel
def decide(
    arms: Array, legs: Array, bins: Array, walls: Array, scratch: Array, size: int, a: int, b: int, asked: Array
) -> int:
    """Return the mask of blocked lines between two different squares; ``asked`` holds the answers of :func:`_ask_walls`."""
    cols = legs.shape[1]
    xa, ya, xb, yb = a % cols, a // cols, b % cols, b // cols
    dx, dy = xb - xa, yb - ya
    leg_a, leg_b = int64(legs[ya, xa]), int64(legs[yb, xb])
    blocked, undecided = asked[0], asked[1]
    if abs(dx) <= 1 and abs(dy) <= 1:
        undecided |= _without_length(dx, dy)
    undecided &= ~blocked
    for c in range(4):
        rest = FROM_CORNER << (4 * c)
        if arms[ya + (c >> 1), xa + (c & 1)] and rest & ~(blocked | undecided):
            leg = (leg_a >> (2 * c)) & BOTH
            found = _ask_corner(arms, bins, walls, scratch, leg, size, 4 * a + c, dx, dy)
            blocked |= (found << (4 * c)) & ~undecided
    for c in range(4):
        rest = TO_CORNER << c
        if arms[yb + (c >> 1), xb + (c & 1)] and rest & ~(blocked | undecided):
            leg = (leg_b >> (2 * c)) & BOTH
            found = _ask_corner(arms, bins, walls, scratch, leg, size, 4 * b + c, -dx, -dy)
            blocked |= ((found & 1) | (found & 2) << 3 | (found & 4) << 6 | (found & 8) << 9) << c & ~undecided
    place = 0
    while undecided >> place:
        if (undecided >> place) & 1:
            found = contact(arms, legs, bins, walls, scratch, size, 4 * a + (place >> 2), 4 * b + (place & 3))
            blocked |= (found == BLOCKED) << place
        place += 1
    return blocked


@kernel
def blocked_lines(
    arms: Array, legs: Array, bins: Array, walls: Array, barriers: Array, band: Array, squares: Array, size: int
) -> Array:
    """Return ``(n,)`` uint16: which of the 16 lines between two squares are blocked, as :func:`gridlos.kernels.line.blocked_lines`.

    ``barriers`` come from :func:`gridlos.kernels.index.index_barriers`: what the other arguments know as walls and arms,
    as segments; ``band`` comes from :func:`index_band`.
    """
    rows, cols = legs.shape
    result = np.empty(len(squares), np.uint16)
    scratch = new_scratch(arms, bins)
    stamps = np.full(len(barriers), -1, np.int64)
    first, asked = np.array([0, 0, cols, rows, size], np.int64), np.empty(2, np.int64)
    for k in range(len(squares)):
        a, b = int64(squares[k, 0]), int64(squares[k, 1])
        xa, ya, xb, yb = a % cols, a // cols, b % cols, b // cols
        if a == b:
            # Lines along the sides and across the square itself: no band, 16 walks.
            asked[0], asked[1] = 0, ALL
        elif is_closed(arms, xa, ya) or is_closed(arms, xb, yb):
            # Every way in or out is shut. (Barriers have no walls between solid squares, which a line between two would need.)
            asked[0], asked[1] = ALL, 0
        else:
            first[0], first[1] = xa, ya
            blocked = cut_off(int64(legs[ya, xa]), int64(legs[yb, xb]))
            asked[0], asked[1] = _ask_walls(barriers, band, stamps, k, first, blocked, xb - xa, yb - ya)
        if asked[0] == ALL:
            result[k] = ALL
        else:
            result[k] = decide(arms, legs, bins, walls, scratch, size, a, b, asked)
    return result

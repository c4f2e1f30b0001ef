"""Lines from a corner of a square to a corner of another: the contact of each with all walls, in integers."""

from __future__ import annotations

import numpy as np

from gridlos.kernels.jit import Array, inner_kernel, int64, kernel
from gridlos.kernels.walk import (
    BLOCKED,
    BOTH,
    CLEAR,
    COVER,
    EAST,
    FREE,
    GRID_SECTORS,
    LEFT,
    RIGHT,
    SOUTH,
    TOUCHES,
    add_axis_arms,
    arms_at,
    follow,
    follow_axis,
    left_arms,
    new_scratch,
    sector,
    walk_axis,
    walk_oblique,
)

__all__ = ["blocked_lines", "collect", "contact", "contact_on_grid", "contacts", "lines_along"]


@inner_kernel
def contact_on_grid(flat: Array, width: int, x: int, y: int, dx: int, dy: int, ca: int, cb: int) -> int:
    """Return the contact of the line from the grid corner ``(x, y)`` along ``(dx, dy)``, if there are no free walls.

    ``flat`` is ``arms`` in one dimension, ``width`` its number of columns. The ends are corner ``ca`` of the first
    square and corner ``cb`` of the second.
    """
    place = y * width + x
    bits, last = flat[place], flat[place + dy * width + dx]
    if dx == 0 and dy == 0:
        if GRID_SECTORS[bits, ca, 2 - 2 * (cb >> 1), 2 - 2 * (cb & 1)] == 0:
            return BLOCKED
        return TOUCHES if bits else CLEAR
    sx, sy = (dx > 0) - (dx < 0), (dy > 0) - (dy < 0)
    state = int64(GRID_SECTORS[bits, ca, sy + 1, sx + 1])
    finish = int64(GRID_SECTORS[last, cb, 1 - sy, 1 - sx])
    if state == 0 or finish == 0:
        return BLOCKED
    touches = bits != 0 or last != 0
    left = left_arms(dx, dy)
    right = left_arms(-dx, -dy)
    if dx == 0 or dy == 0:
        state, on_the_way = follow_axis(flat, place, sy * width + sx, abs(dx + dy), dx, dy, state)
        if state & (((finish & LEFT) << 1) | ((finish & RIGHT) >> 1)) == 0:
            return BLOCKED
        return TOUCHES if touches or on_the_way else CLEAR
    # From the corner behind an edge to the corner that has it as its SOUTH or EAST arm.
    to_south, to_east = (0 if sy > 0 else -width), (0 if sx > 0 else -1)
    a, b = abs(dx), abs(dy)
    error = b - a  # (u + 1) b - (v + 1) a for the square (u, v) from P on: which edge comes next
    rest = a + b - 2
    while rest > 0:
        if error != 0:
            # Both cases in one line of code without a branch: which edge comes next cannot be guessed.
            vertical = error < 0
            place += sx if vertical else sy * width
            error += b if vertical else -a
            rest -= 1
            if flat[place + (to_south if vertical else to_east)] & (SOUTH if vertical else EAST):
                return BLOCKED
        else:
            place += sy * width + sx
            error = b - a
            rest -= 2
            bits = flat[place]
            if bits & left and bits & right:
                return BLOCKED
            touches = touches or bits != 0
    return TOUCHES if touches else CLEAR


@kernel
def contact(arms: Array, legs: Array, bins: Array, walls: Array, scratch: Array, size: int, a: int, b: int) -> int:
    """Return the contact of the line from corner ``a`` to corner ``b``: 0 clear, 1 touches, 2 blocked.

    ``a`` and ``b`` are ``4 * square + corner``, ``square`` being ``row * cols + column``; ``size`` is the number of
    lattice units a square; ``scratch`` comes from :func:`gridlos.kernels.walk.new_scratch`.
    """
    cols = arms.shape[1] - 1
    ca, cb = a & 3, b & 3
    sa, sb = a >> 2, b >> 2
    ya, xa = sa // cols, sa % cols
    yb, xb = sb // cols, sb % cols
    leg_a, leg_b = (legs[ya, xa] >> (2 * ca)) & BOTH, (legs[yb, xb] >> (2 * cb)) & BOTH
    if leg_a == 0 or leg_b == 0:
        return BLOCKED
    x, y = xa + (ca & 1), ya + (ca >> 1)
    dx, dy = xb + (cb & 1) - x, yb + (cb >> 1) - y
    ux, uy = 1 - 2 * (ca & 1), 1 - 2 * (ca >> 1)
    vx, vy = 1 - 2 * (cb & 1), 1 - 2 * (cb >> 1)
    if len(walls) == 0:
        return contact_on_grid(arms.ravel(), cols + 1, x, y, dx, dy, ca, cb)
    bits = arms[y, x]
    n = 0
    if bits & FREE:
        n = arms_at(walls, bins, sa, x * size, y * size, scratch, 0)
    if dx == 0 and dy == 0:
        state = sector(bits, scratch, 0, n, ux, uy, leg_a, vx, vy)
        # The leg of b speaks of the way to the corner: its left is the right of the way from the corner.
        if (state & LEFT and leg_b & RIGHT) or (state & RIGHT and leg_b & LEFT):
            return TOUCHES if bits else CLEAR
        return BLOCKED
    if bits & FREE or leg_a != BOTH:
        state = sector(bits, scratch, 0, n, ux, uy, leg_a, dx, dy)
    else:
        state = int64(GRID_SECTORS[bits, ca, (dy > 0) - (dy < 0) + 1, (dx > 0) - (dx < 0) + 1])
    if state == 0:
        return BLOCKED
    last = arms[y + dy, x + dx]
    first = n
    if last & FREE:
        n = arms_at(walls, bins, sb, (x + dx) * size, (y + dy) * size, scratch, n)
    if last & FREE or leg_b != BOTH:
        finish = sector(last, scratch, first, n, vx, vy, leg_b, -dx, -dy)
    else:
        finish = int64(GRID_SECTORS[last, cb, (dy < 0) - (dy > 0) + 1, (dx < 0) - (dx > 0) + 1])
    finish = ((finish & LEFT) << 1) | ((finish & RIGHT) >> 1)  # now of the direction d
    if finish == 0:
        return BLOCKED
    first = n
    touches = bits != 0 or last != 0
    if dx == 0 or dy == 0:
        n, n_free = walk_axis(arms, bins, walls, scratch, size, x, y, dx, dy, n)
        if n_free:
            n = add_axis_arms(arms, scratch, size, x, y, dx, dy, n)
        elif n >= 0:
            step = ((dy > 0) - (dy < 0)) * (cols + 1) + (dx > 0) - (dx < 0)
            state, on_the_way = follow_axis(arms.ravel(), y * (cols + 1) + x, step, abs(dx + dy), dx, dy, state)
            touches = touches or on_the_way
    else:
        n, n_free = walk_oblique(arms, bins, walls, scratch, size, x, y, dx, dy, n)
    if n < 0:
        return BLOCKED
    if n_free:
        state = follow(scratch, first, n, size * (dx * dx + dy * dy), state)
    if state & finish == 0:
        return BLOCKED
    return TOUCHES if touches or n > first else CLEAR


@inner_kernel
def collect(arms: Array, bins: Array, walls: Array, scratch: Array, size: int, a: int, b: int) -> int:
    """Put all that the inside of a line touches into ``scratch``; return how many, -1 if something crosses it."""
    cols = arms.shape[1] - 1
    sa, sb = a >> 2, b >> 2
    x, y = sa % cols + (a & 1), sa // cols + ((a & 3) >> 1)
    dx, dy = sb % cols + (b & 1) - x, sb // cols + ((b & 3) >> 1) - y
    if dx != 0 and dy != 0:
        n, _ = walk_oblique(arms, bins, walls, scratch, size, x, y, dx, dy, 0)
        return n
    n, _ = walk_axis(arms, bins, walls, scratch, size, x, y, dx, dy, 0)
    return add_axis_arms(arms, scratch, size, x, y, dx, dy, n) if n >= 0 else n


@kernel
def contacts(arms: Array, legs: Array, bins: Array, walls: Array, ends: Array, size: int) -> Array:
    """Return ``(n,)`` uint8: the contact of each line ``ends[k] = (a, b)``, corners as in :func:`contact`."""
    result = np.empty(len(ends), np.uint8)
    scratch = new_scratch(arms, bins)
    for k in range(len(ends)):
        result[k] = contact(arms, legs, bins, walls, scratch, size, int64(ends[k, 0]), int64(ends[k, 1]))
    return result


@kernel
def blocked_lines(arms: Array, legs: Array, bins: Array, walls: Array, squares: Array, size: int) -> Array:
    """Return ``(n,)`` uint16: which of the 16 lines between two squares are blocked.

    ``squares (n, 2)`` holds ``row * cols + column`` twice; bit ``4 i + j`` is the line from corner ``i`` of the first
    square to corner ``j`` of the second.
    """
    result = np.zeros(len(squares), np.uint16)
    if len(walls) == 0:
        flat, cols = arms.ravel(), arms.shape[1] - 1
        for k in range(len(squares)):
            a, b = int64(squares[k, 0]), int64(squares[k, 1])
            xa, ya = a % cols, a // cols
            dx, dy = b % cols - xa, b // cols - ya
            bits = 0
            for i in range(4):
                for j in range(4):
                    ex, ey = dx + (j & 1) - (i & 1), dy + (j >> 1) - (i >> 1)
                    if contact_on_grid(flat, cols + 1, xa + (i & 1), ya + (i >> 1), ex, ey, i, j) == BLOCKED:
                        bits |= 1 << (4 * i + j)
            result[k] = bits
        return result
    scratch = new_scratch(arms, bins)
    for k in range(len(squares)):
        a, b = 4 * int64(squares[k, 0]), 4 * int64(squares[k, 1])
        bits = 0
        for i in range(4):
            for j in range(4):
                if contact(arms, legs, bins, walls, scratch, size, a + i, b + j) == BLOCKED:
                    bits |= 1 << (4 * i + j)
        result[k] = bits
    return result


@inner_kernel
def _is_on_axis(cols: int, a: int, b: int) -> bool:
    """Do two corners, numbered as in :func:`contact`, lie on one line of the grid?"""
    sa, sb = a >> 2, b >> 2
    dx, dy = sb % cols + (b & 1) - sa % cols - (a & 1), sb // cols + (b >> 1 & 1) - sa // cols - (a >> 1 & 1)
    return dx == 0 or dy == 0


@kernel
def lines_along(
    arms: Array, legs: Array, bins: Array, walls: Array, squares: Array, blocked: Array, size: int
) -> Array:
    """Return ``(n,)`` uint16: the ``blocked`` lines of :func:`blocked_lines`, and those that run along a wall over some length."""
    result = blocked.copy()
    scratch = new_scratch(arms, bins)
    for k in range(len(squares)):
        for place in range(16):
            if blocked[k] & (1 << place):
                continue
            a, b = 4 * int64(squares[k, 0]) + (place >> 2), 4 * int64(squares[k, 1]) + (place & 3)
            if len(walls) == 0 and not _is_on_axis(arms.shape[1] - 1, a, b):
                continue
            for m in range(collect(arms, bins, walls, scratch, size, a, b)):
                if scratch[m, 2] == COVER:
                    result[k] |= 1 << place
    return result

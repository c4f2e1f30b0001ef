"""One line from a corner of a square to a corner of another: its contact with all walls, in integers.

The path *centre of the first square → P → Q → centre of the second* is followed with two bits of state, ``LEFT`` and
``RIGHT``: on which sides of it can a tube, however thin, still pass? A wall that crosses ends it; a wall end on the
line closes the side on which that wall leaves; a stretch covered by a wall keeps the two sides apart. At P and Q the
walls that meet there cut the surroundings into sectors.
"""

from __future__ import annotations

import numpy as np

from gridlos.facts import Contact
from gridlos.kernels.jit import Array, inner_kernel, int64, kernel

NORTH, EAST, SOUTH, WEST, FREE = 1, 2, 4, 8, 16
GRID_ARMS = 15
LEFT, RIGHT, BOTH = 1, 2, 3
CLEAR, TOUCHES, BLOCKED = int(Contact.CLEAR), int(Contact.TOUCHES), int(Contact.BLOCKED)

COVER, ARM = 0, 3
"""What a row of scratch holds: a covered stretch ``(t0, t1, COVER)``, a contact ``(t, _, LEFT or RIGHT)``, or an arm ``(x, y, ARM)``."""


@kernel
def new_scratch(arms: Array, bins: Array) -> Array:
    """Return ``(n, 3)`` int64 with room for all that one line can meet on a map."""
    return np.empty((2 * len(bins) + 4 * (arms.shape[0] + arms.shape[1]) + 16, 3), np.int64)


@inner_kernel
def is_in_arc(ux: int, uy: int, ax: int, ay: int, dx: int, dy: int) -> bool:
    """Is ``a`` strictly inside the arc from ``u`` to a different ``d``, turning with positive cross products?"""
    turn = ux * dy - uy * dx
    if turn > 0:
        return ux * ay - uy * ax > 0 and ax * dy - ay * dx > 0
    if turn < 0:
        return not (dx * ay - dy * ax >= 0 and ax * uy - ay * ux >= 0)
    return ux * ay - uy * ax > 0


@kernel
def sector(bits: int, scratch: Array, first: int, last: int, ux: int, uy: int, leg: int, dx: int, dy: int) -> int:
    """Return which sides of the direction ``d`` a tube can reach round a corner, if it comes along the leg from ``u`` on the sides ``leg``.

    ``bits`` are the grid arms of the corner, ``scratch[first:last]`` its free arms. ``leg`` speaks of the way centre
    → corner, the result of the way corner → ``d``.
    """
    same = ux * dy - uy * dx == 0 and ux * dx + uy * dy > 0
    on_arm = False
    left_way = True  # no arm between u and d on the left of the turn
    right_way = True
    others = False  # an arm in a third direction
    for k in range(4 + last - first):
        if k < 4:
            if not bits & (1 << k):
                continue
            ax = (k == 1) - (k == 3)
            ay = (k == 2) - (k == 0)
        else:
            ax = scratch[first + k - 4, 0]
            ay = scratch[first + k - 4, 1]
        if ax * dy - ay * dx == 0 and ax * dx + ay * dy > 0:
            on_arm = True
        elif same:
            others = True
        elif is_in_arc(ux, uy, ax, ay, dx, dy):
            left_way = False
        elif is_in_arc(dx, dy, ax, ay, ux, uy):
            right_way = False
    if same:
        left = (leg & RIGHT) != 0 or ((leg & LEFT) != 0 and not others)
        right = (leg & LEFT) != 0 or ((leg & RIGHT) != 0 and not others)
    else:
        left = (leg & LEFT) != 0 and left_way
        right = (leg & RIGHT) != 0 and right_way
    if not on_arm and (left or right):
        return BOTH
    return (LEFT if left else 0) | (RIGHT if right else 0)


EIGHTHS = {(1, 0): 0, (1, 1): 1, (0, 1): 2, (-1, 1): 3, (-1, 0): 4, (-1, -1): 5, (0, -1): 6, (1, -1): 7}
"""Directions by the signs of ``dx`` and ``dy``, as eighths of a turn with positive cross products."""


def _grid_sectors() -> Array:
    """Return ``(16 arms, 4 own corners, 3, 3)`` uint8: :func:`sector` for grid arms only, by the signs of ``dy`` and ``dx`` plus one."""
    table = np.zeros((16, 4, 3, 3), np.uint8)
    for bits in range(16):
        arms = {eighth for eighth, bit in ((0, EAST), (2, SOUTH), (4, WEST), (6, NORTH)) if bits & bit}
        for corner, start in enumerate((1, 3, 7, 5)):
            for (dx, dy), end in EIGHTHS.items():
                left = not any((start + k) % 8 in arms for k in range(1, (end - start) % 8))
                right = not any((start - k) % 8 in arms for k in range(1, (start - end) % 8))
                if end not in arms and (left or right):
                    left = right = True
                table[bits, corner, dy + 1, dx + 1] = LEFT * left + RIGHT * right
    return table


GRID_SECTORS = _grid_sectors()


@inner_kernel
def meet(walls: Array, w: int, px: int, py: int, dx: int, dy: int, size: int, scratch: Array, n: int) -> int:
    """Add to ``scratch`` how wall ``w`` meets the inside of the line from P to ``P + size d``; return the new ``n``, -1 if it crosses.

    Places along the line are ``t = d · (point - P)``, integers from 0 to ``size d²``.
    """
    x0, y0 = int64(walls[w, 0]), int64(walls[w, 1])
    x1, y1 = int64(walls[w, 2]), int64(walls[w, 3])
    o0 = dx * (y0 - py) - dy * (x0 - px)
    o1 = dx * (y1 - py) - dy * (x1 - px)
    if (o0 > 0 and o1 > 0) or (o0 < 0 and o1 < 0):
        return n
    if o0 == 0 or o1 == 0:
        end = size * (dx * dx + dy * dy)
        t0 = dx * (x0 - px) + dy * (y0 - py)
        t1 = dx * (x1 - px) + dy * (y1 - py)
        if o0 == o1:
            low, high = max(min(t0, t1), int64(0)), min(max(t0, t1), end)
            if low < high:
                scratch[n, 0], scratch[n, 1], scratch[n, 2] = low, high, COVER
                return n + 1
            return n
        t = t0 if o0 == 0 else t1
        if t <= 0 or t >= end:
            return n
        scratch[n, 0], scratch[n, 1], scratch[n, 2] = t, t, (LEFT if o0 + o1 < 0 else RIGHT)
        return n + 1
    # The wall crosses the infinite line; the sides of P and Q tell whether between them.
    wx, wy = x1 - x0, y1 - y0
    before = wx * (py - y0) - wy * (px - x0)
    after = before + size * (wx * dy - wy * dx)
    if (before > 0 and after < 0) or (before < 0 and after > 0):
        return -1
    return n


@inner_kernel
def arms_at(walls: Array, bins: Array, square: int, x: int, y: int, scratch: Array, n: int) -> int:
    """Add to ``scratch`` the free arms that leave the point ``(x, y)`` of the closed square; return the new ``n``."""
    for k in range(bins[square], bins[square + 1]):
        w = bins[k]
        x0, y0 = int64(walls[w, 0]) - x, int64(walls[w, 1]) - y
        x1, y1 = int64(walls[w, 2]) - x, int64(walls[w, 3]) - y
        if x0 * y1 - y0 * x1 != 0 or x0 * x1 + y0 * y1 > 0:
            continue
        if x0 != 0 or y0 != 0:
            scratch[n, 0], scratch[n, 1], scratch[n, 2] = x0, y0, ARM
            n += 1
        if x1 != 0 or y1 != 0:
            scratch[n, 0], scratch[n, 1], scratch[n, 2] = x1, y1, ARM
            n += 1
    return n


@inner_kernel
def follow(scratch: Array, first: int, n: int, end: int, state: int) -> int:
    """Return the state at the end of a line with the contacts ``scratch[first:n]`` and the state ``state`` after P.

    Contacts at one place close both their sides; where the next stretch is not covered, what is left of the two sides
    joins again.
    """
    now = int64(0)
    while True:
        covered = False
        following = end
        for k in range(first, n):
            t0, t1 = scratch[k, 0], scratch[k, 1]
            if scratch[k, 2] == COVER and t0 <= now < t1:
                covered = True
            if now < t0 < following:
                following = t0
            if now < t1 < following:
                following = t1
        if state != 0 and not covered:
            state = BOTH
        if state == 0 or following == end:
            return state
        now = following
        for k in range(first, n):
            if scratch[k, 2] != COVER and scratch[k, 0] == now:
                state &= ~scratch[k, 2]


@inner_kernel
def left_arms(dx: int, dy: int) -> int:
    """Return the grid arms that lie left of the direction ``d``."""
    left = 0
    if dx > 0:
        left |= NORTH
    elif dx < 0:
        left |= SOUTH
    if dy > 0:
        left |= EAST
    elif dy < 0:
        left |= WEST
    return left


@inner_kernel
def _add_contact(scratch: Array, n: int, t: int, left: int, right: int) -> int:
    if left:
        scratch[n, 0], scratch[n, 1], scratch[n, 2] = t, t, LEFT
        n += 1
    if right:
        scratch[n, 0], scratch[n, 1], scratch[n, 2] = t, t, RIGHT
        n += 1
    return n


@inner_kernel
def walk_oblique(
    arms: Array, bins: Array, walls: Array, scratch: Array, size: int, x: int, y: int, dx: int, dy: int, n: int
) -> tuple[int, int]:
    """Add all contacts of a line that is on no axis; return ``(n, free contacts)``, ``n`` -1 if something blocks it between P and Q."""
    cols = arms.shape[1] - 1
    left = left_arms(dx, dy)
    right = GRID_ARMS & ~left
    sx, sy = (1 if dx > 0 else -1), (1 if dy > 0 else -1)
    # The square that the line is in, and the corners whose SOUTH and EAST arms are its next vertical and horizontal edge.
    column, row = (x if sx > 0 else x - 1), (y if sy > 0 else y - 1)
    a, b = abs(dx), abs(dy)
    u, v, n_free = 0, 0, 0
    error = b - a  # (u + 1) b - (v + 1) a: which edge comes next
    square, to_next_row = row * cols + column, sy * cols
    px, py = x * size, y * size
    while True:
        for k in range(bins[square], bins[square + 1]):
            before = n
            n = meet(walls, bins[k], px, py, dx, dy, size, scratch, n)
            if n < 0:
                return -1, 0
            n_free += n - before
        if u == a - 1 and v == b - 1:
            return n, n_free
        if error < 0:
            u += 1
            error += b
            square += sx
            if arms[row + sy * v, x + sx * u] & SOUTH:
                return -1, 0
        elif error > 0:
            v += 1
            error -= a
            square += to_next_row
            if arms[y + sy * v, column + sx * u] & EAST:
                return -1, 0
        else:
            u += 1
            v += 1
            error += b - a
            square += sx + to_next_row
            bits = arms[y + sy * v, x + sx * u]
            if bits & left and bits & right:
                return -1, 0
            n = _add_contact(scratch, n, size * (u * a + v * b), bits & left, bits & right)


@inner_kernel
def walk_axis(
    arms: Array, bins: Array, walls: Array, scratch: Array, size: int, x: int, y: int, dx: int, dy: int, n: int
) -> tuple[int, int]:
    """Add the contacts of an axis line with free walls; return ``(n, free contacts)`` as above."""
    if walls.shape[0] == 0:
        return n, 0
    rows, cols = arms.shape[0] - 1, arms.shape[1] - 1
    sx, sy = (dx > 0) - (dx < 0), (dy > 0) - (dy < 0)
    column = min(x, cols - 1) if dx == 0 else (x if dx > 0 else x - 1)
    row = min(y, rows - 1) if dy == 0 else (y if dy > 0 else y - 1)
    square, step = row * cols + column, sy * cols + sx
    before = n
    for _ in range(abs(dx + dy)):
        for k in range(bins[square], bins[square + 1]):
            n = meet(walls, bins[k], x * size, y * size, dx, dy, size, scratch, n)
            if n < 0:
                return -1, 0
        square += step
    return n, n - before


@inner_kernel
def add_axis_arms(arms: Array, scratch: Array, size: int, x: int, y: int, dx: int, dy: int, n: int) -> int:
    """Add the contacts of an axis line with grid arms between P and Q; return the new ``n``."""
    sx, sy = (dx > 0) - (dx < 0), (dy > 0) - (dy < 0)
    ahead = EAST if dx > 0 else WEST if dx < 0 else SOUTH if dy > 0 else NORTH
    left = left_arms(dx, dy)
    right = left_arms(-dx, -dy)
    length = abs(dx + dy)
    step = size * length
    for k in range(length):
        bits = arms[y + k * sy, x + k * sx]
        if k > 0:
            n = _add_contact(scratch, n, k * step, bits & left, bits & right)
        if bits & ahead:
            scratch[n, 0], scratch[n, 1], scratch[n, 2] = k * step, (k + 1) * step, COVER
            n += 1
    return n


@inner_kernel
def follow_axis(flat: Array, place: int, step: int, length: int, dx: int, dy: int, state: int) -> tuple[int, bool]:
    """Return ``(state at the end, whether anything touches)`` of an axis line that meets grid arms only, from ``flat[place]`` on."""
    ahead = EAST if dx > 0 else WEST if dx < 0 else SOUTH if dy > 0 else NORTH
    left = left_arms(dx, dy)
    right = left_arms(-dx, -dy)
    touches = False
    for k in range(length):
        bits = flat[place] & GRID_ARMS
        place += step
        touches = touches or bits != 0
        if k > 0:
            if bits & left:
                state &= ~LEFT
            if bits & right:
                state &= ~RIGHT
        if state == 0:
            return 0, True
        if not bits & ahead:
            state = BOTH
    return state, touches

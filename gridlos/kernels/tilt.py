"""Line of effect, the fast part: can a free corner line be turned clear of all it touches?

It can if its contacts on the left all come before those on the right, or all after, and if its two ends can move off to
the sides that this needs without leaving their squares.
"""

from __future__ import annotations

import numpy as np

from gridlos.kernels.jit import Array, inner_kernel, int64, kernel
from gridlos.kernels.line import collect
from gridlos.kernels.walk import COVER, FREE, LEFT, RIGHT, new_scratch

ALL_BLOCKED = 0xFFFF


@inner_kernel
def _end_contacts(bits: int, ux: int, uy: int, dx: int, dy: int) -> tuple[int, bool]:
    """Return ``(contacts, ok)`` at the end P of a line that leaves it along ``d``, the own square lying towards ``u``.

    ``contacts`` has ``LEFT`` if something is in the way of passing P on the left, ``RIGHT`` likewise. Not ok: free
    walls leave P, too much for the fast part.
    """
    forward_x, forward_y = dx * ux, dy * uy
    if forward_x > 0 and forward_y > 0:
        return 0, True  # through the own square: start ahead of P
    side = dx * uy - dy * ux
    own_left, own_right = side < 0, side > 0
    result = 0
    if own_left:
        result |= RIGHT
    if own_right:
        result |= LEFT
    if forward_x >= 0 and forward_y >= 0:
        return result, True  # along the own border: start ahead of P, on the own side
    if bits & FREE:
        return 0, False
    behind = forward_x < 0 and forward_y < 0
    if behind:
        result = 0
    for k in range(4):
        if bits & (1 << k):
            ax, ay = (k == 1) - (k == 3), (k == 2) - (k == 0)
            turn = dx * ay - dy * ax
            if turn < 0 and (behind or (own_left and dx * ax + dy * ay >= 0)):
                result |= LEFT
            if turn > 0 and (behind or (own_right and dx * ax + dy * ay >= 0)):
                result |= RIGHT
    return result, True


@inner_kernel
def _is_tiltable(scratch: Array, n: int, end: int, at_start: int, at_end: int, cover_side: int) -> bool:
    """Do all contacts on the left come before all on the right, or after? Covered stretches count on ``cover_side``."""
    first_left = first_right = end + 1
    last_left = last_right = -1
    if at_start & LEFT:
        first_left = last_left = 0
    if at_start & RIGHT:
        first_right = last_right = 0
    if at_end & LEFT:
        first_left, last_left = min(first_left, end), end
    if at_end & RIGHT:
        first_right, last_right = min(first_right, end), end
    for k in range(n):
        side = cover_side if scratch[k, 2] == COVER else scratch[k, 2]
        if side == LEFT:
            first_left, last_left = min(first_left, scratch[k, 0]), max(last_left, scratch[k, 1])
        else:
            first_right, last_right = min(first_right, scratch[k, 0]), max(last_right, scratch[k, 1])
    if last_left < 0 or last_right < 0:
        return True
    return last_left < first_right or last_right < first_left


@inner_kernel
def _is_clear_beside(
    arms: Array, legs: Array, bins: Array, walls: Array, scratch: Array, size: int, a: int, b: int
) -> bool:
    """Can the free line from corner ``a`` to corner ``b`` be moved off all it touches?"""
    cols = arms.shape[1] - 1
    sa, sb, ca, cb = a >> 2, b >> 2, a & 3, b & 3
    if not legs[sa // cols, sa % cols] & (256 << ca) or not legs[sb // cols, sb % cols] & (256 << cb):
        return False
    x, y = sa % cols + (ca & 1), sa // cols + (ca >> 1)
    dx, dy = sb % cols + (cb & 1) - x, sb // cols + (cb >> 1) - y
    if dx == 0 and dy == 0:
        return False
    at_start, ok = _end_contacts(arms[y, x], 1 - 2 * (ca & 1), 1 - 2 * (ca >> 1), dx, dy)
    if not ok:
        return False
    at_end, ok = _end_contacts(arms[y + dy, x + dx], 1 - 2 * (cb & 1), 1 - 2 * (cb >> 1), -dx, -dy)
    if not ok:
        return False
    at_end = ((at_end & LEFT) << 1) | ((at_end & RIGHT) >> 1)
    n = collect(arms, bins, walls, scratch, size, a, b)
    end = size * (dx * dx + dy * dy)
    return n >= 0 and (
        _is_tiltable(scratch, n, end, at_start, at_end, LEFT) or _is_tiltable(scratch, n, end, at_start, at_end, RIGHT)
    )


@kernel
def tilt(
    arms: Array, legs: Array, bins: Array, walls: Array, squares: Array, blocked: Array, starts: Array, size: int
) -> Array:
    """Return ``(n,)`` bool: can some free corner line of the pair be moved off all it touches? False says nothing.

    ``squares`` and ``blocked`` are argument and result of :func:`gridlos.kernels.line.blocked_lines`; those of pair
    ``k`` are ``starts[k] : starts[k + 1]``.
    """
    result = np.zeros(len(starts) - 1, np.bool_)
    scratch = new_scratch(arms, bins)
    for k in range(len(starts) - 1):
        for choice in range(starts[k], starts[k + 1]):
            if blocked[choice] == ALL_BLOCKED:
                continue
            for line in range(16):
                if result[k] or blocked[choice] & (1 << line):
                    continue
                a, b = 4 * int64(squares[choice, 0]) + (line >> 2), 4 * int64(squares[choice, 1]) + (line & 3)
                result[k] = _is_clear_beside(arms, legs, bins, walls, scratch, size, a, b)
            if result[k]:
                break
    return result

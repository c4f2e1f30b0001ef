"""Convex hulls of two spaces each, and what meets them."""

from __future__ import annotations

import numpy as np

from gridlos.kernels.jit import Array, inner_kernel, int64, kernel

__all__ = ["hulls_meeting"]


@inner_kernel
def _sides(distance: int, reach: int) -> int:
    """Return on which side of a shape a space lies: bits 0 and 1, at least beside it; bits 2 and 3, apart from it as well."""
    sides = 0
    if distance >= reach:
        sides |= 1
    if distance <= -reach:
        sides |= 2
    if distance > reach:
        sides |= 4
    if distance < -reach:
        sides |= 8
    return sides


@kernel
def hulls_meeting(spaces: Array, shapes: Array, scale: int, is_closed: bool) -> Array:
    """Return for which two spaces the convex hull of both meets one of some shapes, ``(n, n)`` bool.

    The hull is taken of two spaces as wide and as high as the larger of the two, so it may be said of some more pairs.
    Entries of a space with itself are False. Numbers stay below 2^24 lattice units.

    Parameters
    ----------
    spaces
        ``(n, 4)`` int32: ``x, y, width, height`` in squares.
    shapes
        ``(k, 6)`` int64: twice the centre ``x, y`` of each, and two arms ``dx, dy``: a parallelogram with these as its
        sides. A rectangle has arms along the axes; a segment has one from end to end, the second one is zero.
    scale
        Units of the shapes in a square.
    is_closed
        Whether it is enough to touch the hull anywhere. Otherwise a shape meets the inside, or touches a side of the hull
        that is a stretch of a row or column from one space to the other.
    """
    n = len(spaces)
    found = np.zeros((n, n), np.bool_)
    codes = np.zeros((3, n), np.int64)
    for shape in range(len(shapes)):
        cx, cy = int64(shapes[shape, 0]), int64(shapes[shape, 1])
        ax, ay, bx, by = (
            int64(shapes[shape, 2]),
            int64(shapes[shape, 3]),
            int64(shapes[shape, 4]),
            int64(shapes[shape, 5]),
        )
        is_segment = bx == 0 and by == 0
        for k in range(n):
            w, h = scale * int64(spaces[k, 2]), scale * int64(spaces[k, 3])
            x, y = 2 * scale * int64(spaces[k, 0]) + w - cx, 2 * scale * int64(spaces[k, 1]) + h - cy
            codes[0, k] = _sides(x, w + abs(ax) + abs(bx))
            codes[1, k] = _sides(y, h + abs(ay) + abs(by))
            codes[2, k] = _sides(ax * y - ay * x, abs(ay) * w + abs(ax) * h) if is_segment else 0
        for i in range(n):
            for j in range(i + 1, n):
                is_apart = False
                for axis in range(3):
                    one, other = codes[axis, i], codes[axis, j]
                    if is_closed:
                        is_apart |= (one & other & 12) != 0
                    else:
                        is_apart |= ((one & (other >> 2) | (one >> 2) & other) & 3) != 0
                if is_apart or found[i, j]:
                    continue
                w, h = scale * max(int64(spaces[i, 2]), int64(spaces[j, 2])), scale * max(int64(spaces[i, 3]), int64(spaces[j, 3]))
                dx, dy = (
                    scale * (int64(spaces[j, 0]) - int64(spaces[i, 0])),
                    scale * (int64(spaces[j, 1]) - int64(spaces[i, 1])),
                )
                x, y = cx - 2 * scale * int64(spaces[i, 0]) - w, cy - 2 * scale * int64(spaces[i, 1]) - h
                beside = abs(dx * y - dy * x)
                reach = abs(dy) * w + abs(dx) * h + abs(dx * ay - dy * ax) + abs(dx * by - dy * bx)
                if beside < reach or (beside == reach and (is_closed or dx == 0 or dy == 0)):
                    found[i, j] = found[j, i] = True
    return found

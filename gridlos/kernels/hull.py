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


@inner_kernel
def _write_sides(spaces: Array, shape: Array, scale: int, sides: Array) -> None:
    """Write on which sides of a shape each space lies, four bits for each of three ways to part them: columns, rows, along a segment."""
    cx, cy, ax, ay = int64(shape[0]), int64(shape[1]), int64(shape[2]), int64(shape[3])
    bx, by = int64(shape[4]), int64(shape[5])
    for k in range(len(spaces)):
        w, h = scale * int64(spaces[k, 2]), scale * int64(spaces[k, 3])
        x, y = 2 * scale * int64(spaces[k, 0]) + w - cx, 2 * scale * int64(spaces[k, 1]) + h - cy
        sides[k] = _sides(x, w + abs(ax) + abs(bx)) | _sides(y, h + abs(ay) + abs(by)) << 4
        if bx == 0 and by == 0:
            sides[k] |= _sides(ax * y - ay * x, abs(ay) * w + abs(ax) * h) << 8


@inner_kernel
def _is_met(x: int, y: int, w: int, h: int, dx: int, dy: int, shape: Array, is_closed: bool) -> bool:
    """Does the way of a space of size ``w, h`` along ``(dx, dy)`` meet a shape that is not on one side of both ends?

    ``x, y`` is twice the place of the space.
    """
    beside = abs(dx * (shape[1] - y - h) - dy * (shape[0] - x - w))
    reach = abs(dy) * w + abs(dx) * h + abs(dx * shape[3] - dy * shape[2]) + abs(dx * shape[5] - dy * shape[4])
    return beside < reach or (beside == reach and (is_closed or dx == 0 or dy == 0))


@kernel
def hulls_meeting(spaces: Array, shapes: Array, scale: int, is_closed: bool) -> Array:
    """Return the two spaces each whose convex hull meets one of some shapes, ``(m, 2)`` int64, the lower index first, ascending.

    The hull is taken of two spaces as wide and as high as the larger of the two, so it may be said of some more pairs.
    Numbers stay below 2^24 lattice units.

    Parameters
    ----------
    spaces
        ``(n, 4)`` int32: ``x, y, width, height`` in squares.
    shapes
        ``(k, 6)`` int64, ``k`` up to 8: twice the centre ``x, y`` of each, and two arms ``dx, dy``: a parallelogram with
        these as its sides. A rectangle has arms along the axes; a segment has one from end to end, the second one is zero.
    scale
        Units of the shapes in a square.
    is_closed
        Whether it is enough to touch the hull anywhere. Otherwise a shape meets the inside, or touches a side of the hull
        that is a stretch of a row or column from one space to the other.
    """
    n = len(spaces)
    sides, near = np.empty((len(shapes), n), np.int32), np.empty(n, np.uint8)
    for s in range(len(shapes)):
        _write_sides(spaces, shapes[s], scale, sides[s])
    found, count = np.empty((4 * n, 2), np.int64), 0
    for i in range(n):
        near[i + 1 :] = 0
        for s in range(len(shapes)):
            row = sides[s]
            own, apart = row[i], row[i] >> 2
            if is_closed:
                for j in range(i + 1, n):
                    near[j] |= np.uint8((own & row[j] & 0xCCC) == 0) << s
            else:
                for j in range(i + 1, n):
                    near[j] |= np.uint8(((own & row[j] >> 2 | apart & row[j]) & 0x333) == 0) << s
        if count + n > len(found):
            larger = np.empty((4 * (count + n), 2), np.int64)
            larger[:count] = found[:count]
            found = larger
        x, y = scale * int64(spaces[i, 0]), scale * int64(spaces[i, 1])
        for j in range(i + 1, n):
            if near[j] == 0:
                continue
            w, h = scale * max(int64(spaces[i, 2]), int64(spaces[j, 2])), scale * max(int64(spaces[i, 3]), int64(spaces[j, 3]))
            dx, dy = scale * int64(spaces[j, 0]) - x, scale * int64(spaces[j, 1]) - y
            for s in range(len(shapes)):
                if near[j] >> s & 1 and _is_met(2 * x, 2 * y, w, h, dx, dy, shapes[s], is_closed):
                    found[count, 0], found[count, 1] = i, j
                    count += 1
                    break
    return found[:count].copy()

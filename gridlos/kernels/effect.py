"""Line of effect, strictly: does a segment join an inner point of one space to an inner point of the other and meet no wall?

Fast part (:func:`tilt`): a free corner line whose contacts on the left all come before those on the right, or all after, can be turned off
them. Full part (:func:`stab`): if any segment is free, then either the segment between two centres is, or a free one can be moved until it
touches the end of a wall, the *pivot*. So for each pivot the directions are counted that lead back into the one space and on into the
other; every wall in front of either of them takes an interval of these directions away; what is left is a line of effect.
"""

from __future__ import annotations

import numpy as np

from gridlos.kernels.jit import kernel
from gridlos.kernels.line import COVER, EAST, FREE, LEFT, RIGHT, SOUTH, collect

NO, YES, UNDECIDED = 0, 1, 2
"""UNDECIDED: a free wall meets the inside of a space, and only exact rational vertices can tell (:mod:`gridlos.kernels.intruded`)."""


# ---------------------------------------------------------------------------------------------------------------- fast part


@kernel
def _end_contacts(bits, ux, uy, dx, dy):
    """Return ``(contacts, ok)`` at the end P of a line that leaves it along ``d``, the own square lying towards ``u``.

    ``contacts`` has ``LEFT`` if something is in the way of passing P on the left, ``RIGHT`` likewise. Not ok: free walls leave P, too
    much for the fast part.
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


@kernel
def _is_tiltable(scratch, n, end, at_start, at_end, cover_side):
    """Do all contacts on the left come before all on the right, or after? Covered stretches count on ``cover_side``."""
    first, last = np.empty(3, np.int64), np.empty(3, np.int64)
    for side in (LEFT, RIGHT):
        first[side], last[side] = end + 1, -1
        if at_start & side:
            first[side], last[side] = 0, 0
        if at_end & side:
            first[side], last[side] = min(first[side], end), end
    for k in range(n):
        side = cover_side if scratch[k, 2] == COVER else scratch[k, 2]
        first[side] = min(first[side], scratch[k, 0])
        last[side] = max(last[side], scratch[k, 1])
    if last[LEFT] < 0 or last[RIGHT] < 0:
        return True
    return last[LEFT] < first[RIGHT] or last[RIGHT] < first[LEFT]


@kernel
def _is_clear_beside(arms, legs, bins, walls, scratch, size, a, b):
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
def tilt(arms, legs, bins, walls, squares, blocked, starts, size):
    """Return ``(n,)`` bool: can some free corner line of the pair be moved off all it touches? False says nothing.

    ``squares`` and ``blocked`` are argument and result of :func:`gridlos.kernels.line.blocked_lines`; those of pair ``k`` are
    ``starts[k] : starts[k + 1]``.
    """
    result = np.zeros(len(starts) - 1, np.bool_)
    scratch = np.empty((2 * len(bins) + 4 * (arms.shape[0] + arms.shape[1]) + 16, 3), np.int64)
    for k in range(len(starts) - 1):
        for choice in range(starts[k], starts[k + 1]):
            for line in range(16):
                if result[k] or blocked[choice] & (1 << line):
                    continue
                a, b = 4 * np.int64(squares[choice, 0]) + (line >> 2), 4 * np.int64(squares[choice, 1]) + (line & 3)
                result[k] = _is_clear_beside(arms, legs, bins, walls, scratch, size, a, b)
            if result[k]:
                break
    return result


# ---------------------------------------------------------------------------------------------------------------- full part


@kernel
def _is_later(ax, ay, bx, by):
    """Does ``b`` come after ``a``, for directions of one arc of at most half a turn?"""
    turn = ax * by - ay * bx
    return turn > 0 or (turn == 0 and ax * bx + ay * by < 0)


@kernel
def _cone(region, ex, ey):
    """Return the two outermost directions ``(x0, y0, x1, y1)`` in which the convex region is seen from ``e``, which is not inside it."""
    x0 = y0 = x1 = y1 = ex * 0
    started = False
    for turn in range(2 * len(region)):  # twice round: the first two directions may be opposite ones
        k = turn % len(region)
        x, y = region[k, 0] - ex * region[k, 2], region[k, 1] - ey * region[k, 2]
        if x == 0 and y == 0:
            continue
        if not started:
            x0, y0, x1, y1 = x, y, x, y
            started = True
        if x0 * y - y0 * x < 0:
            x0, y0 = x, y
        if x1 * y - y1 * x > 0:
            x1, y1 = x, y
    return x0, y0, x1, y1


@kernel
def _common(ax0, ay0, ax1, ay1, bx0, by0, bx1, by1):
    """Return ``(x0, y0, x1, y1, whether it is more than one direction)``: what two arcs of at most half a turn have in common."""
    if not _is_later(ax0, ay0, ax1, ay1) or not _is_later(bx0, by0, bx1, by1):
        return ax0, ay0, ax1, ay1, False
    if _is_from(ax0, ay0, ax1, ay1, bx0, by0):
        x0, y0 = bx0, by0
    elif _is_from(bx0, by0, bx1, by1, ax0, ay0):
        x0, y0 = ax0, ay0
    else:
        return ax0, ay0, ax1, ay1, False
    if ax1 * by1 - ay1 * bx1 >= 0:  # both ends come within half a turn of the common start
        return x0, y0, ax1, ay1, True
    return x0, y0, bx1, by1, True


@kernel
def _is_from(x0, y0, x1, y1, x, y):
    """Is the direction in the arc, its first direction included and its last not?"""
    start = x0 * y - y0 * x
    if start == 0:
        return x0 * x + y0 * y > 0
    if start < 0:
        return False
    rest = x * y1 - y * x1
    return rest > 0


@kernel
def _is_inside(x0, y0, x1, y1, x, y):
    """Is the direction strictly inside the arc?"""
    return x0 * y - y0 * x > 0 and x * y1 - y * x1 > 0


@kernel
def _is_behind(lines, ex, ey, x, y):
    """Does the point, seen from ``e`` within the cone of the convex region but not inside it, lie behind the region?"""
    for k in range(len(lines)):
        if lines[k, 0] * ex + lines[k, 1] * ey + lines[k, 2] > 0 and lines[k, 0] * x + lines[k, 1] * y + lines[k, 2] <= 0:
            return True
    return False


@kernel
def _is_in_front(region, lines, ex, ey, wall, cone):
    """Does the wall stand between ``e`` and the convex region, whose inside it does not meet, where they overlap as seen from ``e``?"""
    x0, y0, x1, y1 = wall[0], wall[1], wall[2], wall[3]
    if _is_inside(cone[0], cone[1], cone[2], cone[3], x0 - ex, y0 - ey):
        return not _is_behind(lines, ex, ey, x0, y0)
    if _is_inside(cone[0], cone[1], cone[2], cone[3], x1 - ex, y1 - ey):
        return not _is_behind(lines, ex, ey, x1, y1)
    wx, wy = x1 - x0, y1 - y0
    here = wx * (ey - y0) - wy * (ex - x0)
    for k in range(len(region)):
        w = region[k, 2]
        there = wx * (region[k, 1] - y0 * w) - wy * (region[k, 0] - x0 * w)
        if there != 0:
            return (there > 0) != (here > 0)
    return False


@kernel
def _add_arc(arcs, n, cone, x0, y0, x1, y1):
    """Put the part of the arc that lies in the cone among the arcs, sorted by start; return the new ``n``."""
    cx0, cy0, cx1, cy1, some = _common(cone[0], cone[1], cone[2], cone[3], x0, y0, x1, y1)
    if not some:
        return n
    k = n
    while k > 0 and _is_later(cx0, cy0, arcs[k - 1, 0], arcs[k - 1, 1]):
        for c in range(4):
            arcs[k, c] = arcs[k - 1, c]
        k -= 1
    arcs[k, 0], arcs[k, 1], arcs[k, 2], arcs[k, 3] = cx0, cy0, cx1, cy1
    return n + 1


@kernel
def _has_gap(arcs, n, cone):
    """Do the sorted arcs leave some directions of the cone free?"""
    x, y = cone[0], cone[1]
    for k in range(n):
        if _is_later(x, y, arcs[k, 0], arcs[k, 1]):
            return True
        if _is_later(x, y, arcs[k, 2], arcs[k, 3]):
            x, y = arcs[k, 2], arcs[k, 3]
    return _is_later(x, y, cone[2], cone[3])


@kernel
def stab(region_a, lines_a, region_b, lines_b, walls, pivots, arcs, cones):
    """Return whether some line through a pivot, moved off it, joins the insides of two convex regions without meeting a wall between them.

    ``region (n, 3)``: corners in homogeneous integers ``x, y, w`` (``w > 0``), turning with positive cross products; ``lines (n, 3)``: its
    sides, ``lines · (x, y, 1) > 0`` inside. No wall meets the inside of a region. ``walls (k, 4)`` and ``pivots (p, 2)`` are those near the
    hull of the two, ``arcs (2 k + 2, 4)`` and ``cones (4, 4)`` scratch.
    """
    common, cone_a, cone_b, fan = cones[0], cones[1], cones[2], cones[3]
    for p in range(len(pivots)):
        ex, ey = pivots[p, 0], pivots[p, 1]
        cone_a[0], cone_a[1], cone_a[2], cone_a[3] = _cone(region_a, ex, ey)
        cone_b[0], cone_b[1], cone_b[2], cone_b[3] = _cone(region_b, ex, ey)
        common[0], common[1], common[2], common[3], some = _common(
            -cone_a[0], -cone_a[1], -cone_a[2], -cone_a[3], cone_b[0], cone_b[1], cone_b[2], cone_b[3]
        )
        if not some:
            continue
        n, n_arms, possible = 0, 0, True
        for k in range(len(walls)):
            x0, y0, x1, y1 = walls[k, 0] - ex, walls[k, 1] - ey, walls[k, 2] - ex, walls[k, 3] - ey
            turn = x0 * y1 - y0 * x1
            if turn == 0:
                if x0 * x1 + y0 * y1 <= 0:  # the wall contains the pivot
                    for x, y in ((x0, y0), (x1, y1)):
                        if x != 0 or y != 0:
                            possible = possible and _widen(fan, n_arms, x, y)
                            n_arms += 1
                continue
            if turn < 0:
                x0, y0, x1, y1 = x1, y1, x0, y0
            if _common(common[0], common[1], common[2], common[3], x0, y0, x1, y1)[4] and _is_in_front(
                region_b, lines_b, ex, ey, walls[k], cone_b
            ):
                n = _add_arc(arcs, n, common, x0, y0, x1, y1)
            if _common(common[0], common[1], common[2], common[3], -x0, -y0, -x1, -y1)[4] and _is_in_front(
                region_a, lines_a, ex, ey, walls[k], cone_a
            ):
                n = _add_arc(arcs, n, common, -x0, -y0, -x1, -y1)
        if not possible:
            continue
        if n_arms > 1:
            n = _add_arc(arcs, n, common, fan[0], fan[1], fan[2], fan[3])
            n = _add_arc(arcs, n, common, -fan[0], -fan[1], -fan[2], -fan[3])
        if _has_gap(arcs, n, common):
            return True
    return False


@kernel
def _widen(fan, n, x, y):
    """Widen the fan of ``n`` arms by one more; return False if they no longer fit into less than half a turn."""
    if n == 0:
        fan[0], fan[1], fan[2], fan[3] = x, y, x, y
        return True
    first, last = fan[0] * y - fan[1] * x, fan[2] * y - fan[3] * x
    if first == 0 and last == 0:
        return fan[0] * x + fan[1] * y > 0
    if first >= 0 and last <= 0:
        return True
    if first > 0 and last > 0:
        fan[2], fan[3] = x, y
        return True
    if first < 0 and last < 0:
        fan[0], fan[1] = x, y
        return True
    return False


# ------------------------------------------------------------------------------------------------------------- pairs of spaces


@kernel
def _is_reachable(arms, a, b, reach):
    """Can one walk from space ``a`` to space ``b`` through open edges, never away from ``b`` on an axis on which they lie apart?

    Where not, no straight segment joins them either. ``a`` and ``b`` are ``x, y, width, height`` and share no square.
    """
    turned = not (a[1] + a[3] <= b[1] or b[1] + b[3] <= a[1])  # apart in x only: sweep columns instead of rows
    i = 1 - turned
    a0, a1, b0, b1 = a[i], a[i] + a[2 + i], b[i], b[i] + b[2 + i]
    i = 1 - i
    c0, c1, d0, d1 = a[i], a[i] + a[2 + i], b[i], b[i] + b[2 + i]
    low, high = min(c0, d0), max(c1, d1)
    up, down = d1 > c0, d0 < c1  # may it move to larger, to smaller minor coordinates?
    step = 1 if b0 >= a1 else -1
    start, stop = (a0, b1 - 1) if step > 0 else (a1 - 1, b0)
    for m in range(low, high):
        reach[m] = 0
    across = SOUTH if turned == 0 else EAST
    along = EAST if turned == 0 else SOUTH
    line = start
    while True:
        border = line if step > 0 else line + 1
        some = False
        for m in range(low, high):
            if reach[m] and (arms[border, m] if turned == 0 else arms[m, border]) & along:
                reach[m] = 0
            if a0 <= line < a1 and c0 <= m < c1:
                reach[m] = 1
            if up and m > low and reach[m - 1] and not (arms[line, m] if turned == 0 else arms[m, line]) & across:
                reach[m] = 1
            some = some or reach[m] != 0
        if down:
            for m in range(high - 2, low - 1, -1):
                if reach[m + 1] and not (arms[line, m + 1] if turned == 0 else arms[m + 1, line]) & across:
                    reach[m] = 1
        if not some:
            return False
        if b0 <= line < b1:
            for m in range(d0, d1):
                if reach[m]:
                    return True
        if line == stop:
            return False
        line += step


@kernel
def _meets_open(wall, left, top, right, bottom):
    """Does the wall meet the open rectangle?"""
    x0, y0, x1, y1 = wall[0], wall[1], wall[2], wall[3]
    if max(x0, x1) <= left or min(x0, x1) >= right or max(y0, y1) <= top or min(y0, y1) >= bottom:
        return False
    dx, dy = x1 - x0, y1 - y0
    less, more = False, False
    for corner in range(4):
        side = dx * ((bottom if corner & 2 else top) - y0) - dy * ((right if corner & 1 else left) - x0)
        less = less or side < 0
        more = more or side > 0
    return less and more


@kernel
def _is_clean(barriers, x, y, width, height, size):
    for k in range(len(barriers)):
        if _meets_open(barriers[k], x * size, y * size, (x + width) * size, (y + height) * size):
            return False
    return True


@kernel
def _set_region(region, lines, x, y, width, height, size):
    """Fill ``region`` and ``lines`` of :func:`stab` with a rectangle of squares."""
    left, top, right, bottom = x * size, y * size, (x + width) * size, (y + height) * size
    for k in range(4):
        region[k, 0] = right if k in (1, 2) else left
        region[k, 1] = bottom if k >= 2 else top
        region[k, 2] = 1
    for k in range(4):
        lines[k, 0] = lines[k, 1] = 0
    lines[0, 1], lines[0, 2] = 1, -top
    lines[1, 0], lines[1, 2] = -1, right
    lines[2, 1], lines[2, 2] = -1, bottom
    lines[3, 0], lines[3, 2] = 1, -left


@kernel
def _outer_lines(region_a, region_b, outer):
    """Fill ``outer (2, 3)`` with the two common tangents of the rectangles, positive on the side of the rectangles."""
    found = 0
    for i in range(4):
        for j in range(4):
            x, y = region_a[i, 0], region_a[i, 1]
            dx, dy = region_b[j, 0] - x, region_b[j, 1] - y
            low, high = np.int64(0), np.int64(0)
            for k in range(4):
                side = dx * (region_a[k, 1] - y) - dy * (region_a[k, 0] - x)
                low, high = min(low, side), max(high, side)
                side = dx * (region_b[k, 1] - y) - dy * (region_b[k, 0] - x)
                low, high = min(low, side), max(high, side)
            if low == 0 and high > 0 and not found & 1:
                outer[0, 0], outer[0, 1], outer[0, 2] = -dy, dx, dy * x - dx * y
                found |= 1
            elif high == 0 and low < 0 and not found & 2:
                outer[1, 0], outer[1, 1], outer[1, 2] = dy, -dx, dx * y - dy * x
                found |= 2


@kernel
def _side(outer, k, x, y):
    return outer[k, 0] * x + outer[k, 1] * y + outer[k, 2]


@kernel
def _select(barriers, pivots, region_a, region_b, near, points, outer):
    """Copy to ``near`` and ``points`` the walls that meet the open hull of two rectangles and the pivots inside it; return how many."""
    _outer_lines(region_a, region_b, outer)
    left, top = min(region_a[0, 0], region_b[0, 0]), min(region_a[0, 1], region_b[0, 1])
    right, bottom = max(region_a[2, 0], region_b[2, 0]), max(region_a[2, 1], region_b[2, 1])
    n, p = 0, 0
    for k in range(len(barriers)):
        x0, y0 = np.int64(barriers[k, 0]), np.int64(barriers[k, 1])
        x1, y1 = np.int64(barriers[k, 2]), np.int64(barriers[k, 3])
        if max(x0, x1) <= left or min(x0, x1) >= right or max(y0, y1) <= top or min(y0, y1) >= bottom:
            continue
        if (_side(outer, 0, x0, y0) <= 0 and _side(outer, 0, x1, y1) <= 0) or (
            _side(outer, 1, x0, y0) <= 0 and _side(outer, 1, x1, y1) <= 0
        ):
            continue
        near[n, 0], near[n, 1], near[n, 2], near[n, 3] = x0, y0, x1, y1
        n += 1
    for k in range(len(pivots)):
        x, y = np.int64(pivots[k, 0]), np.int64(pivots[k, 1])
        if left < x < right and top < y < bottom and _side(outer, 0, x, y) > 0 and _side(outer, 1, x, y) > 0:
            points[p, 0], points[p, 1] = x, y
            p += 1
    return n, p


@kernel
def _is_joined(near, n, region_a, region_b):
    """Does the segment between the centres of two rectangles meet no wall but those that contain one of the centres?"""
    ax, ay = region_a[0, 0] + region_a[2, 0], region_a[0, 1] + region_a[2, 1]  # in doubled lattice units
    bx, by = region_b[0, 0] + region_b[2, 0], region_b[0, 1] + region_b[2, 1]
    dx, dy = bx - ax, by - ay
    for k in range(n):
        x0, y0, x1, y1 = 2 * near[k, 0], 2 * near[k, 1], 2 * near[k, 2], 2 * near[k, 3]
        o0, o1 = dx * (y0 - ay) - dy * (x0 - ax), dx * (y1 - ay) - dy * (x1 - ax)
        if (o0 > 0 and o1 > 0) or (o0 < 0 and o1 < 0):
            continue
        wx, wy = x1 - x0, y1 - y0
        side_a, side_b = wx * (ay - y0) - wy * (ax - x0), wx * (by - y0) - wy * (bx - x0)
        if (side_a > 0 and side_b > 0) or (side_a < 0 and side_b < 0):
            continue
        # It meets the segment, unless all four are on one line and it lies beside it.
        if o0 == 0 and o1 == 0 and (max(x0, x1) < min(ax, bx) or min(x0, x1) > max(ax, bx) or max(y0, y1) < min(ay, by) or min(y0, y1) > max(ay, by)):
            continue
        contains_a = side_a == 0 and min(x0, x1) <= ax <= max(x0, x1) and min(y0, y1) <= ay <= max(y0, y1)
        contains_b = side_b == 0 and min(x0, x1) <= bx <= max(x0, x1) and min(y0, y1) <= by <= max(y0, y1)
        if not contains_a and not contains_b:
            return False
    return True


@kernel
def _drop_intruders(near, n, region):
    """Drop the walls that meet the inside of the rectangle; return how many are left."""
    kept = 0
    for k in range(n):
        if not _meets_open(near[k], region[0, 0], region[0, 1], region[2, 0], region[2, 1]):
            for c in range(4):
                near[kept, c] = near[k, c]
            kept += 1
    return kept


@kernel
def _decide(barriers, pivots, boxes, regions, near, points, arcs, size):
    """Return NO, YES or UNDECIDED for two rectangles ``boxes (2, 5)``: ``x, y, width, height, clean``, ``regions (6, 4, 3)`` being scratch."""
    region_a, lines_a, region_b, lines_b, outer, cones = regions[0], regions[1], regions[2], regions[3], regions[4], regions[5]
    _set_region(region_a, lines_a, boxes[0, 0], boxes[0, 1], boxes[0, 2], boxes[0, 3], size)
    _set_region(region_b, lines_b, boxes[1, 0], boxes[1, 1], boxes[1, 2], boxes[1, 3], size)
    n, p = _select(barriers, pivots, region_a, region_b, near, points, outer)
    if _is_joined(near, n, region_a, region_b):
        return YES
    clean = boxes[0, 4] and boxes[1, 4]
    if not clean:
        # Fewer walls and wider spaces than in truth: a NO is certain.
        n = _drop_intruders(near, _drop_intruders(near, n, region_a), region_b)
        p = _drop_inner(points, _drop_inner(points, p, region_a), region_b)
        if _is_joined(near, n, region_a, region_b):
            return UNDECIDED
    if not stab(region_a, lines_a, region_b, lines_b, near[:n], points[:p], arcs, cones):
        return NO
    return YES if clean else UNDECIDED


@kernel
def _drop_inner(points, p, region):
    kept = 0
    for k in range(p):
        x, y = points[k, 0], points[k, 1]
        if not (region[0, 0] < x < region[2, 0] and region[0, 1] < y < region[2, 1]):
            points[kept, 0], points[kept, 1] = x, y
            kept += 1
    return kept


@kernel
def _set_box(box, barriers, space, part, whole, size):
    if whole:
        box[0], box[1], box[2], box[3], box[4] = space[0], space[1], space[2], space[3], 1
        return
    x, y = space[0] + part % space[2], space[1] + part // space[2]
    box[0], box[1], box[2], box[3] = x, y, 1, 1
    box[4] = _is_clean(barriers, x, y, 1, 1, size)


@kernel
def effects(arms, barriers, pivots, spaces, pairs, size):
    """Return ``(n,)`` uint8, for each pair of spaces ``pairs (n, 2)``: is there a line of effect? ``NO``, ``YES`` or ``UNDECIDED``.

    ``spaces (s, 4)`` int64 are ``x, y, width, height`` in squares; ``barriers`` and ``pivots`` come from
    :func:`gridlos.kernels.index.index_barriers`.
    """
    result = np.zeros(len(pairs), np.uint8)
    near = np.empty((len(barriers) + 1, 4), np.int64)
    points = np.empty((len(pivots) + 1, 2), np.int64)
    arcs = np.empty((2 * len(barriers) + 4, 4), np.int64)
    regions = np.empty((6, 4, 4), np.int64)
    boxes = np.empty((2, 5), np.int64)
    reach = np.zeros(arms.shape[0] + arms.shape[1], np.uint8)
    whole = np.empty(len(spaces), np.bool_)
    for k in range(len(spaces)):
        whole[k] = _is_clean(barriers, spaces[k, 0], spaces[k, 1], spaces[k, 2], spaces[k, 3], size)
    for k in range(len(pairs)):
        a, b = spaces[pairs[k, 0]], spaces[pairs[k, 1]]
        if a[0] < b[0] + b[2] and b[0] < a[0] + a[2] and a[1] < b[1] + b[3] and b[1] < a[1] + a[3]:
            result[k] = YES
            continue
        if not _is_reachable(arms, a, b, reach):
            continue
        for i in range(1 if whole[pairs[k, 0]] else a[2] * a[3]):
            _set_box(boxes[0], barriers, a, i, whole[pairs[k, 0]], size)
            for j in range(1 if whole[pairs[k, 1]] else b[2] * b[3]):
                _set_box(boxes[1], barriers, b, j, whole[pairs[k, 1]], size)
                found = _decide(barriers, pivots, boxes, regions, near, points, arcs, size)
                if found == YES or result[k] == NO:
                    result[k] = found
                if found == YES:
                    break
            if result[k] == YES:
                break
    return result

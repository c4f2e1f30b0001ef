"""Line of effect, the full part: is there a line through two convex regions that meets no wall between them?

If any segment between the regions is free, then either the segment between two inner points given beforehand is, or a
free one can be moved until it touches the end of a wall, the *pivot*. So for each pivot the directions are counted
that lead back into the one region and on into the other; every wall in front of either region takes an interval of
these directions away; what is left is a line of effect.

The code is plain integer arithmetic on whatever integers it is given: jitted it works on int64, interpreted on
Python's big integers.
"""

from __future__ import annotations

from gridlos.kernels.jit import Array, inner_kernel


@inner_kernel
def _is_later(ax: int, ay: int, bx: int, by: int) -> bool:
    """Does ``b`` come after ``a``, for directions of one arc of at most half a turn?"""
    turn = ax * by - ay * bx
    return turn > 0 or (turn == 0 and ax * bx + ay * by < 0)


@inner_kernel
def _cone(region: Array, ex: int, ey: int) -> tuple[int, int, int, int]:
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


@inner_kernel
def _common(
    ax0: int, ay0: int, ax1: int, ay1: int, bx0: int, by0: int, bx1: int, by1: int
) -> tuple[int, int, int, int, bool]:
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


@inner_kernel
def _is_from(x0: int, y0: int, x1: int, y1: int, x: int, y: int) -> bool:
    """Is the direction in the arc, its first direction included and its last not?"""
    start = x0 * y - y0 * x
    if start == 0:
        return x0 * x + y0 * y > 0
    if start < 0:
        return False
    rest = x * y1 - y * x1
    return rest > 0


@inner_kernel
def _is_inside(x0: int, y0: int, x1: int, y1: int, x: int, y: int) -> bool:
    """Is the direction strictly inside the arc?"""
    return x0 * y - y0 * x > 0 and x * y1 - y * x1 > 0


@inner_kernel
def _is_behind(lines: Array, ex: int, ey: int, x: int, y: int) -> bool:
    """Does the point, seen from ``e`` within the cone of the convex region but not inside it, lie behind the region?"""
    for k in range(len(lines)):
        if (
            lines[k, 0] * ex + lines[k, 1] * ey + lines[k, 2] > 0
            and lines[k, 0] * x + lines[k, 1] * y + lines[k, 2] <= 0
        ):
            return True
    return False


@inner_kernel
def _is_in_front(region: Array, lines: Array, ex: int, ey: int, wall: Array, cone: Array) -> bool:
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


@inner_kernel
def _add_arc(arcs: Array, n: int, cone: Array, x0: int, y0: int, x1: int, y1: int) -> int:
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


@inner_kernel
def _add_gap(gaps: Array, n: int, back: bool, x0: int, y0: int, x1: int, y1: int) -> int:
    sign = -1 if back else 1
    gaps[n, 0], gaps[n, 1], gaps[n, 2], gaps[n, 3] = sign * x0, sign * y0, sign * x1, sign * y1
    return n + 1


@inner_kernel
def _find_gaps(
    region: Array,
    lines: Array,
    walls: Array,
    ex: int,
    ey: int,
    back: bool,
    cone: Array,
    arcs: Array,
    gaps: Array,
    n: int,
) -> int:
    """Add to ``gaps`` the arcs of directions in which the region is seen from ``e``, reversed if ``back``; return the new ``n``."""
    cone[0], cone[1], cone[2], cone[3] = _cone(region, ex, ey)
    if not _is_later(cone[0], cone[1], cone[2], cone[3]):
        return n
    n_arcs = 0
    for k in range(len(walls)):
        x0, y0, x1, y1 = walls[k, 0] - ex, walls[k, 1] - ey, walls[k, 2] - ex, walls[k, 3] - ey
        turn = x0 * y1 - y0 * x1
        if turn == 0:
            continue
        if turn < 0:
            x0, y0, x1, y1 = x1, y1, x0, y0
        if _common(cone[0], cone[1], cone[2], cone[3], x0, y0, x1, y1)[4] and _is_in_front(
            region, lines, ex, ey, walls[k], cone
        ):
            n_arcs = _add_arc(arcs, n_arcs, cone, x0, y0, x1, y1)
    x, y = cone[0], cone[1]
    for k in range(n_arcs):
        if _is_later(x, y, arcs[k, 0], arcs[k, 1]):
            n = _add_gap(gaps, n, back, x, y, arcs[k, 0], arcs[k, 1])
        if _is_later(x, y, arcs[k, 2], arcs[k, 3]):
            x, y = arcs[k, 2], arcs[k, 3]
    if _is_later(x, y, cone[2], cone[3]):
        n = _add_gap(gaps, n, back, x, y, cone[2], cone[3])
    return n


@inner_kernel
def _spread(walls: Array, ex: int, ey: int, fan: Array) -> int:
    """Put the outermost of the arms that leave ``e`` into ``fan``; return their number, -1 if they fill half a turn or more."""
    n = 0
    for k in range(len(walls)):
        x0, y0, x1, y1 = walls[k, 0] - ex, walls[k, 1] - ey, walls[k, 2] - ex, walls[k, 3] - ey
        if x0 * y1 - y0 * x1 == 0 and x0 * x1 + y0 * y1 <= 0:
            if (x0 != 0 or y0 != 0) and not _widen(fan, n, x0, y0):
                return -1
            n += x0 != 0 or y0 != 0
            if (x1 != 0 or y1 != 0) and not _widen(fan, n, x1, y1):
                return -1
            n += x1 != 0 or y1 != 0
    return n


@inner_kernel
def _is_outside_fan(fan: Array, x0: int, y0: int, x1: int, y1: int) -> bool:
    """Does the arc hold a direction for which all arms of the fan lie on one side of the line?"""
    # Closed arcs round the fan and its opposite are taken away; what is left of one arc starts or ends at one of its ends or theirs.
    for sign in (1, -1):
        fx0, fy0, fx1, fy1 = sign * fan[0], sign * fan[1], sign * fan[2], sign * fan[3]
        if _is_inside(x0, y0, x1, y1, fx0, fy0) or _is_inside(x0, y0, x1, y1, fx1, fy1):
            return True  # just before the fan's start, or just after its end
    # No end of the fan inside: the arc is wholly in it, wholly in its opposite, or outside.
    for sign in (1, -1):
        fx0, fy0, fx1, fy1 = sign * fan[0], sign * fan[1], sign * fan[2], sign * fan[3]
        if _common(x0, y0, x1, y1, fx0, fy0, fx1, fy1)[4]:
            return False
    return True


@inner_kernel
def _can_pass(region_a: Array, region_b: Array, ex: int, ey: int) -> bool:
    """Does some line through ``e`` lead from the one region to the other?"""
    ax0, ay0, ax1, ay1 = _cone(region_a, ex, ey)
    bx0, by0, bx1, by1 = _cone(region_b, ex, ey)
    return _common(-ax0, -ay0, -ax1, -ay1, bx0, by0, bx1, by1)[4]


@inner_kernel
def stab(
    regions_a: Array,
    lines_a: Array,
    regions_b: Array,
    lines_b: Array,
    walls: Array,
    pivots: Array,
    arcs: Array,
    gaps: Array,
) -> bool:
    """Return whether a line through a pivot, moved off it, joins one of the regions ``a`` to one of ``b`` and meets no wall between.

    ``regions (r, n, 3)``: convex regions, each by its corners in homogeneous integers ``x, y, w`` (``w > 0``), turning with
    positive cross products; ``lines (r, n, 3)``: their sides, ``lines · (x, y, 1) > 0`` inside. No wall meets the inside
    of a region. ``walls (k, 4)`` and ``pivots (p, 2)`` are those near the hull of the regions. Scratch: ``arcs (k + 2, 4)``,
    ``gaps ((k + 1) * (regions a and b) + 2, 4)``.
    """
    cone, fan = gaps[len(gaps) - 1], gaps[len(gaps) - 2]
    for p in range(len(pivots)):
        ex, ey = pivots[p, 0], pivots[p, 1]
        n_arms = _spread(walls, ex, ey, fan)
        if n_arms < 0:
            continue
        if len(regions_a) == 1 and len(regions_b) == 1 and not _can_pass(regions_a[0], regions_b[0], ex, ey):
            continue
        n_back = 0
        for k in range(len(regions_a)):
            n_back = _find_gaps(regions_a[k], lines_a[k], walls, ex, ey, True, cone, arcs, gaps, n_back)
        if n_back == 0:
            continue
        n = n_back
        for k in range(len(regions_b)):
            n = _find_gaps(regions_b[k], lines_b[k], walls, ex, ey, False, cone, arcs, gaps, n)
        for i in range(n_back):
            for j in range(n_back, n):
                x0, y0, x1, y1, some = _common(
                    gaps[i, 0], gaps[i, 1], gaps[i, 2], gaps[i, 3], gaps[j, 0], gaps[j, 1], gaps[j, 2], gaps[j, 3]
                )
                if some and (n_arms < 2 or _is_outside_fan(fan, x0, y0, x1, y1)):
                    return True
    return False


@inner_kernel
def _widen(fan: Array, n: int, x: int, y: int) -> bool:
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

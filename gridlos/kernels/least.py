"""How few lines are blocked from the best corner, for all squares against all squares: five bit planes for each offset.

Squares are bits of boards by their corner 0, offsets and boards are those of :mod:`gridlos.kernels.table`. For the
attacker at a bit and the target at the offset from it, planes 0, 1 and 4 hold the number 0 … 4 as bits of value 1, 2 and
4; for the way back, the attacker at the offset and the target at the bit, they are planes 2, 3 and 4: where all 16 lines
are blocked, they are so both ways.
"""

from __future__ import annotations

import numpy as np

from gridlos.kernels.jit import Array, inner_kernel, int64, kernel
from gridlos.kernels.lanes import LANES, load, store
from gridlos.kernels.table import SPARE, START, WORDS, later, padded, uint64

__all__ = ["N_PLANES", "fill_least", "least_among", "least_between"]

N_PLANES = 5


@kernel
def fill_least(
    plan: Array, sectors: Array, columns: Array, boards: Array, axes: Array, shape: Array, planes: Array
) -> None:
    """Write the planes of all offsets of the plan (in place): those of offset ``o`` are ``planes[5 * start : …]``.

    ``shape`` is ``rows, cols, stride, reach``: squares up to ``reach - 1`` apart.
    """
    rows, cols, stride, reach = shape[0], shape[1], shape[2], shape[3]
    words = sectors.shape[1]
    starting, ending = np.empty((4, words), np.uint64), np.empty((4, words), np.uint64)
    scratch = np.empty(17 * words, np.uint64)
    flat, axis_boards = sectors.ravel(), axes.ravel()
    for dx in range(stride):
        if dx >= reach and stride - dx >= reach:
            continue
        is_near = dx < 2 or dx > stride - 2
        if not is_near:
            _join_starts(sectors, columns[dx], starting)
            _join_ends(sectors, columns[dx], dx, ending)
        for o in range(dx, min((rows - 1) * stride + cols, reach * stride), stride):
            if is_near or o < 2 * stride:
                _near_lines(flat, columns, boards, axis_boards, plan, o, min(cols, reach), axes.shape[1], scratch)
                _least_of_scratch(scratch, plan, o, words, planes)
            else:
                _least(starting, ending, plan, o, stride, boards, planes)


@inner_kernel
def _join_starts(sectors: Array, column: Array, starting: Array) -> None:
    """Write for each corner the sector ahead: to the south-east for first displacements, to the south-west for second ones."""
    for c in range(4):
        first, second = sectors[4 * c + 3], sectors[4 * c + 2]
        for w in range(0, sectors.shape[1] - SPARE, LANES):
            here = load(column, w)
            store(starting[c], w, (load(first, w) & here) | (load(second, w) & ~here))


@inner_kernel
def _join_ends(sectors: Array, column: Array, dx: int, ending: Array) -> None:
    """Write for each corner the sector behind, by targets: to the north-west of those of first displacements, else to the north-east."""
    words = sectors.shape[1]
    place, shift = dx >> 6, uint64(dx & 63)
    for w in range(words):
        # Targets of first displacements stand dx after their starts.
        here = uint64(0)
        if w >= place:
            here = column[w - place] << shift
        if w > place:
            here |= (column[w - place - 1] >> uint64(1)) >> (uint64(63) - shift)
        for c in range(4):
            ending[c, w] = (sectors[4 * c, w] & here) | (sectors[4 * c + 1, w] & ~here)


@inner_kernel
def _moved(words: Array, place: int, down: int, up: int) -> int:
    """Return what stands ``down`` bits (1 … 63) after ``words[place]``; ``up`` is ``64 - down``."""
    return (load(words, place) >> down) | (load(words, place + 1) << up)


@inner_kernel
def _counted(a: int, b: int, c: int, d: int) -> tuple[int, int, int]:
    """Return where at least two, at least three and all four bits are set."""
    or1, and1, or2, and2 = a | b, a & b, c | d, c & d
    return and1 | and2 | (or1 & or2), (and1 & or2) | (or1 & and2), and1 & and2


@inner_kernel
def _least(starting: Array, ending: Array, plan: Array, o: int, stride: int, boards: Array, planes: Array) -> None:
    """Write the planes of an offset whose 16 lines all lead the same way, on no axis.

    Neither ``stride`` nor the number after it is a multiple of 64.
    """
    start0, start1, start2, start3 = starting[0], starting[1], starting[2], starting[3]
    end0, end1, end2, end3 = ending[0], ending[1], ending[2], ending[3]
    # The boards of the nine displacements.
    nw, n, ne = plan[o - stride - 1, START], plan[o - stride, START], plan[o - stride + 1, START]
    west, here, east = plan[o - 1, START], plan[o, START], plan[o + 1, START]
    sw, s, se = plan[o + stride - 1, START], plan[o + stride, START], plan[o + stride + 1, START]
    v, shift = o >> 6, uint64(o & 63)
    v2, down2, up2 = stride >> 6, uint64(stride & 63), uint64(64 - (stride & 63))
    v3, down3, up3 = (stride + 1) >> 6, uint64((stride + 1) & 63), uint64(64 - ((stride + 1) & 63))
    down1, up1 = uint64(1), uint64(63)
    step, out = padded(plan[o, WORDS]), N_PLANES * here
    for w in range(0, plan[o, WORDS], LANES):
        t0, t1 = later(end0, v + w, shift), later(end1, v + w, shift)
        t2, t3 = later(end2, v + w, shift), later(end3, v + w, shift)
        mine = load(start0, w)
        a0 = load(boards, here + w) & mine & t0
        a1 = load(boards, east + w) & mine & t1
        a2 = load(boards, s + w) & mine & t2
        a3 = load(boards, se + w) & mine & t3
        mine = load(start1, w)
        b0 = _moved(boards, west + w, down1, up1) & mine & t0
        b1 = _moved(boards, here + w, down1, up1) & mine & t1
        b2 = _moved(boards, sw + w, down1, up1) & mine & t2
        b3 = _moved(boards, s + w, down1, up1) & mine & t3
        mine = load(start2, w)
        c0 = _moved(boards, n + v2 + w, down2, up2) & mine & t0
        c1 = _moved(boards, ne + v2 + w, down2, up2) & mine & t1
        c2 = _moved(boards, here + v2 + w, down2, up2) & mine & t2
        c3 = _moved(boards, east + v2 + w, down2, up2) & mine & t3
        mine = load(start3, w)
        d0 = _moved(boards, nw + v3 + w, down3, up3) & mine & t0
        d1 = _moved(boards, n + v3 + w, down3, up3) & mine & t1
        d2 = _moved(boards, west + v3 + w, down3, up3) & mine & t2
        d3 = _moved(boards, here + v3 + w, down3, up3) & mine & t3
        some = (a0 | a1 | a2 | a3) | (b0 | b1 | b2 | b3) | (c0 | c1 | c2 | c3) | (d0 | d1 | d2 | d3)
        i2, i3, i4 = _counted(a0, a1, a2, a3)
        j2, j3, j4 = _counted(b0, b1, b2, b3)
        k2, k3, k4 = _counted(c0, c1, c2, c3)
        l2, l3, l4 = _counted(d0, d1, d2, d3)
        two, three, four = i2 | j2 | k2 | l2, i3 | j3 | k3 | l3, i4 | j4 | k4 | l4
        store(planes, out + w, (four ^ three) | (two ^ some))
        store(planes, out + step + w, three ^ some)
        i2, i3, i4 = _counted(a0, b0, c0, d0)
        j2, j3, j4 = _counted(a1, b1, c1, d1)
        k2, k3, k4 = _counted(a2, b2, c2, d2)
        l2, l3, l4 = _counted(a3, b3, c3, d3)
        two, three, four = i2 | j2 | k2 | l2, i3 | j3 | k3 | l3, i4 | j4 | k4 | l4
        store(planes, out + 2 * step + w, (four ^ three) | (two ^ some))
        store(planes, out + 3 * step + w, three ^ some)
        store(planes, out + 4 * step + w, ~some)


@inner_kernel
def _least_of_scratch(free: Array, plan: Array, o: int, words: int, planes: Array) -> None:
    """Write the planes of an offset from its 16 boards of free lines, ``free[words * line]`` on."""
    step, out = padded(plan[o, WORDS]), N_PLANES * plan[o, START]
    for w in range(0, plan[o, WORDS], LANES):
        some = load(free, w)
        for line in range(1, 16):
            some = some | load(free, line * words + w)
        for way in range(2):
            row, line = (4 * words, words) if way == 0 else (words, 4 * words)
            two = three = four = some ^ some
            for c in range(4):
                p = c * row + w
                i2, i3, i4 = _counted(
                    load(free, p), load(free, p + line), load(free, p + 2 * line), load(free, p + 3 * line)
                )
                two = two | i2
                three = three | i3
                four = four | i4
            store(planes, out + 2 * way * step + w, (four ^ three) | (two ^ some))
            store(planes, out + (2 * way + 1) * step + w, three ^ some)
        store(planes, out + 4 * step + w, ~some)


@inner_kernel
def _near_lines(
    sectors: Array,
    columns: Array,
    boards: Array,
    axes: Array,
    plan: Array,
    o: int,
    far: int,
    lengths: int,
    scratch: Array,
) -> None:
    """Write the 16 boards of free lines of any offset into ``scratch``; behind them is room for one more.

    ``far`` is the least ``dx`` that is too far, ``lengths`` the least length of a line on an axis.
    """
    stride, words = len(columns), columns.shape[1]
    dx, dy = o % stride, o // stride
    is_first, is_second = dx < far and dy < lengths - 1, stride - dx < far and dy + 1 < lengths - 1
    column = columns[dx]
    for ca in range(4):
        for cb in range(4):
            place = (4 * ca + cb) * words
            other = 16 * words if is_first else place
            if is_first:
                _near_line(sectors, boards, axes, plan, o, stride, dx, dy, ca, cb, lengths, words, scratch, place)
            if is_second:
                x, y = dx - stride, dy + 1
                _near_line(sectors, boards, axes, plan, o, stride, x, y, ca, cb, lengths, words, scratch, other)
            if is_first and is_second:
                for w in range(0, plan[o, WORDS], LANES):
                    here = load(column, w)
                    store(scratch, place + w, (load(scratch, place + w) & here) | (load(scratch, other + w) & ~here))


@inner_kernel
def _near_line(
    sectors: Array,
    boards: Array,
    axes: Array,
    plan: Array,
    o: int,
    stride: int,
    dx: int,
    dy: int,
    ca: int,
    cb: int,
    lengths: int,
    words: int,
    scratch: Array,
    place: int,
) -> None:
    """Write into ``scratch[place:]`` for which squares a line is free: from corner ``ca`` to corner ``cb`` of the one at ``(dx, dy)``."""
    ex, ey = dx + (cb & 1) - (ca & 1), dy + (cb >> 1) - (ca >> 1)
    n = plan[o, WORDS]
    v, shift = o >> 6, uint64(o & 63)
    if ex == 0 and ey == 0:
        mine = (4 * ca + 3 - cb) * words
        for w in range(0, n, LANES):
            store(scratch, place + w, load(sectors, mine + w))
        return
    # Lines are kept by the end from which they lead down or, on the horizontal axis, to the right.
    is_forward = ey > 0 or (ey == 0 and ex > 0)
    bit = (ca & 1) + (ca >> 1) * stride if is_forward else o + (cb & 1) + (cb >> 1) * stride
    from_bit = uint64(bit & 63)
    if ex != 0 and ey != 0:
        q = (ex > 0) + 2 * (ey > 0)
        start = plan[abs(ey * stride + ex), START] + (bit >> 6)
        mine, other = (4 * ca + q) * words, (4 * cb + 3 - q) * words + v
        for w in range(0, n, LANES):
            free = later(boards, start + w, from_bit) & load(sectors, mine + w) & later(sectors, other + w, shift)
            store(scratch, place + w, free)
        return
    # The quadrants beside the line ahead of the start and behind the end, and the side that is the other one.
    turned = 1 if ex == 0 else 0
    q, p, side = (2 * is_forward, 2 - 2 * is_forward, 1) if turned else (1 * is_forward, 1 - is_forward, 2)
    mine0, mine1 = (4 * ca + q) * words, (4 * ca + q + side) * words
    other0, other1 = (4 * cb + p) * words + v, (4 * cb + p + side) * words + v
    axis0 = 4 * (turned * lengths + abs(ex + ey)) * words + (bit >> 6)
    axis1 = axis0 + (words if is_forward else 2 * words)
    axis2 = axis0 + (2 * words if is_forward else words)
    axis3 = axis0 + 3 * words
    for w in range(0, n, LANES):
        end0, end1 = later(sectors, other0 + w, shift), later(sectors, other1 + w, shift)
        from0 = (later(axes, axis0 + w, from_bit) & end0) | (later(axes, axis1 + w, from_bit) & end1)
        from1 = (later(axes, axis2 + w, from_bit) & end0) | (later(axes, axis3 + w, from_bit) & end1)
        store(scratch, place + w, (load(sectors, mine0 + w) & from0) | (load(sectors, mine1 + w) & from1))


@inner_kernel
def _number(plan: Array, planes: Array, a: int, b: int) -> int:
    """Return the number for the attacker at bit ``a`` and the target at bit ``b``."""
    o, s, way = (b - a, a, 0) if b >= a else (a - b, b, 2)
    step, place = padded(plan[o, WORDS]), N_PLANES * plan[o, START] + (s >> 6)
    shift, one = uint64(s & 63), uint64(1)
    low, middle = planes[place + way * step] >> shift & one, planes[place + (way + 1) * step] >> shift & one
    high = planes[place + 4 * step] >> shift & one
    return int64(low | (middle << one) | (high << uint64(2)))


@kernel
def least_between(plan: Array, planes: Array, squares: Array, stride: int) -> Array:
    """Return ``(n,)`` uint8: the least number of lines blocked from any corner of the attacker's square, 0 … 4.

    ``squares (n, 4)`` int64 are ``x, y`` of the attacker's and of the target's square.
    """
    result = np.empty(len(squares), np.uint8)
    for k in range(len(squares)):
        a, b = squares[k, 1] * stride + squares[k, 0], squares[k, 3] * stride + squares[k, 2]
        result[k] = _number(plan, planes, a, b)
    return result


@kernel
def least_among(plan: Array, planes: Array, x: int, y: int, shape: Array, back: bool) -> Array:
    """Return ``(rows, cols)`` uint8: the numbers of one square against all, or (``back``) of all against that one."""
    rows, cols, stride = shape[0], shape[1], shape[2]
    result = np.empty((rows, cols), np.uint8)
    one = y * stride + x
    for row in range(rows):
        for column in range(cols):
            other = row * stride + column
            a, b = (other, one) if back else (one, other)
            result[row, column] = _number(plan, planes, a, b)
    return result

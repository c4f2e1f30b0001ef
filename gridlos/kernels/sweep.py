"""All lines from one corner of a map down to all others at once, among free walls: a sweep over the rows.

The slopes (columns a row) of the lines that nothing has met so far are kept as open intervals, row by row. A wall takes the
slopes of its shadow out of them. Slopes are rounded to units of ``2 ** -30``, and a shadow is taken a little too small:
what lies inside of it is blocked for sure, what lies inside of an open interval, a little away from its ends, is clear
for sure, and a line near an end of an interval is walked. Slopes of two lines between corners are much farther apart
than the few units that this margin has, as long as a map has no more than :data:`MOST_ROWS` rows.
"""

from __future__ import annotations

from gridlos.kernels.jit import Array, inner_kernel, int64, kernel
from gridlos.kernels.sweep_axes import (
    ALONG_LINE,
    BLOCKED_LINE,
    COLS,
    FREE_LINE,
    IS_TURNED,
    PX,
    PY,
    ROWS,
    SIZE,
    WORDS,
    ask_axis,
    known_line,
    set_run,
)
from gridlos.kernels.sweep_index import BITS, LOW, ONE, TOP, UNKNOWN, X_LOW, X_TOP, Y_LOW, Y_TOP, Y_WIDTH, is_on_line
from gridlos.kernels.walk import BOTH, COVER, follow, walk_oblique

__all__ = ["MOST_ROWS", "N_WORK", "sweep"]

HALF, FAR = 1 << (BITS - 1), 1 << 60
MOST_ROWS = 5000
"""Slopes of two lines on a map with so many rows differ by more than 40 units."""

NEAR, NARROW, MOVE, TOUCH = 6, 16, 8, 16
"""In units: what is near an end of an interval; an interval too narrow to hold a line that is near neither end; how far
an end moves in, at a blocked line near it; how far from the end of an interval is what may touch the line near it."""

KNOWN = -2
"""The line near an end of an interval was free up to the last corner on it, and nothing has touched it since. Else there
stands the one point where walls touch it, or ``UNKNOWN``."""

N_WORK = 11
"""Columns of the memory for intervals, of which there are two more than pieces."""


@inner_kernel
def _way(
    arms: Array, bins: Array, walls: Array, scratch: Array, size: int, x: int, y: int, dx: int, dy: int
) -> int:
    """Return what the line from the corner ``(x, y)`` along ``(dx, dy)``, on no axis, is, by a walk."""
    size, x, y, dx, dy = int64(size), int64(x), int64(y), int64(dx), int64(dy)
    n, n_free = walk_oblique(arms, bins, walls, scratch, size, x, y, dx, dy, 0)
    if n < 0:
        return BLOCKED_LINE
    if n_free == 0:
        return FREE_LINE
    end = size * (dx * dx + dy * dy)
    if follow(scratch, 0, n, end, BOTH) == 0:
        return BLOCKED_LINE
    for k in range(n):
        if scratch[k, 2] == COVER and (scratch[k, 0] <= 0 or scratch[k, 1] >= end):
            return ALONG_LINE
    return FREE_LINE


@inner_kernel
def _keep_line(work: Array, n: int, low: int, high: int, joint: int, dy: int, frame: Array) -> int:
    """Add to ``work[:, 8:11]`` the line between corners that lies in or near an interval too narrow for two; return their number.

    Columns: the next row, counted from the corner, ``dy`` at least, on which a corner lies on that line; columns and
    rows to the first corner on it. ``joint`` is the point where walls touch the line from both sides: behind it all is blocked.
    """
    most = frame[ROWS] - frame[PY]
    # The fraction of least denominator in the interval, by its continued fraction.
    n0, d0, n1, d1 = low - NEAR, int64(ONE), high + NEAR, int64(ONE)
    p0, q0, p1, q1 = int64(0), int64(1), int64(1), int64(0)
    while True:
        whole = -(-n0 // d0)
        is_there = whole * d1 <= n1
        if not is_there:
            whole -= 1
        p0, q0, p1, q1 = p1, q1, whole * p1 + p0, whole * q1 + q0
        if q1 > most:
            return n
        if is_there:
            if p1 == 0:
                return n
            is_behind = joint >= 0 and (joint & ((1 << Y_WIDTH) - 1)) < (frame[PY] + dy) * frame[SIZE]
            if is_behind and is_on_line(joint, frame[PX], frame[PY], p1, q1, frame[SIZE]):
                return n
            work[n, 8], work[n, 9], work[n, 10] = -(-dy // q1) * q1, p1, q1
            return n + 1
        n0, d0, n1, d1 = d1, n1 - whole * d1, d0, n0 - whole * d0


@inner_kernel
def _take_out(
    work: Array, first: int, n: int, shadow: tuple[int, int, int, int], n_narrow: int, dy: int, frame: Array
) -> tuple[int, int]:
    """Take the slopes of a shadow out of the intervals ``work[first:n, 0:4]``, return ``n`` and the number of kept lines.

    ``shadow`` is ``lo, hi`` and the points there; the true one begins in ``[lo, lo + 2)`` and ends in ``[hi, hi + 2)``. What
    gets too narrow goes to :func:`_keep_line`.
    """
    low, high, at_low, at_high = shadow[0] + 2, shadow[1] - 1, shadow[2], shadow[3]
    if low > high:
        # Seen from its end: it only parts what is left of it from what is right.
        high, at_low, at_high = low, UNKNOWN, UNKNOWN
    k = first
    while k < n:
        a, b, from_left, from_right = work[k, 0], work[k, 1], work[k, 2], work[k, 3]
        if low < a + TOUCH and high > a - TOUCH and work[k, 2] != at_high:
            work[k, 2] = UNKNOWN
        if low < b + TOUCH and high > b - TOUCH and work[k, 3] != at_low:
            work[k, 3] = UNKNOWN
        if high <= a or low >= b:
            # Of what only touches an interval, the slopes that are not taken out are near its end.
            k += 1
            continue
        at_a = at_high if high - a >= TOUCH or work[k, 2] == at_high else UNKNOWN
        at_b = at_low if b - low >= TOUCH or work[k, 3] == at_low else UNKNOWN
        keeps_left, keeps_right = low > a, high < b
        if keeps_left and low - a < NARROW:
            n_narrow = _keep_line(work, n_narrow, a, low, at_low if at_low == from_left else UNKNOWN, dy, frame)
            keeps_left = False
        if keeps_right and b - high < NARROW:
            n_narrow = _keep_line(work, n_narrow, high, b, at_high if at_high == from_right else UNKNOWN, dy, frame)
            keeps_right = False
        if keeps_left and keeps_right:
            for m in range(n, k + 1, -1):
                for column in range(4):
                    work[m, column] = work[m - 1, column]
            work[k + 1, 0], work[k + 1, 1], work[k + 1, 2], work[k + 1, 3] = high, b, at_a, work[k, 3]
            work[k, 1], work[k, 3] = low, at_b
            return n + 1, n_narrow
        if keeps_left:
            work[k, 1], work[k, 3] = low, at_b
            k += 1
        elif keeps_right:
            work[k, 0], work[k, 2] = high, at_a
            k += 1
        else:
            n -= 1
            for m in range(k, n):
                for column in range(4):
                    work[m, column] = work[m + 1, column]
    return n, n_narrow


@inner_kernel
def _pass_strip(
    index: Array, pieces: Array, work: Array, frame: Array, strip: int, n: int, n_narrow: int
) -> tuple[int, int]:
    """Take the shadows of all walls between two rows out of the open intervals; return the numbers of open and narrow ones.

    The intervals ``work[:n, 4:8]`` become ``work[:, 0:4]``.
    """
    cols, size, px, py = frame[COLS], frame[SIZE], frame[PX], frame[PY]
    xp, yp = (px * size) << BITS, py * size
    before, after = strip - py, strip + 1 - py
    found = 0
    for k in range(n):
        a, b = work[k, 4], work[k, 5]
        first = found
        for column in range(4):
            work[found, column] = work[k, 4 + column]
        found += 1
        left = px + (((a - TOUCH) * (before if a > 0 else after)) >> BITS)
        right = px + (((b + TOUCH) * (after if b > 0 else before)) >> BITS)
        left, right = min(max(left, 0), cols - 1), min(max(right, 0), cols - 1)
        square = strip * cols + left
        own = index[square + 1]
        for m in range(index[square], index[square + right - left + 1]):
            p = int64(index[m])
            if p & 1 and m >= own:
                continue  # it was asked in a square to the left
            p >>= 1
            dy = pieces[p, Y_LOW] - yp
            if dy == 0:
                continue
            hi, at_hi = (pieces[p, X_LOW] - xp) // dy, pieces[p, LOW]
            lo, at_lo = hi, int64(UNKNOWN)
            dx, dy = pieces[p, X_TOP] - xp, pieces[p, Y_TOP] - yp
            if dy > 0:
                lo, at_lo = dx // dy, pieces[p, TOP]
            elif dx != 0:
                lo = int64(FAR) if dx > 0 else -int64(FAR)
            if lo > hi:
                lo, hi, at_lo, at_hi = hi, lo, at_hi, at_lo
            if hi < a - TOUCH or lo > b + TOUCH:
                continue
            shadow = lo, hi, at_lo, at_hi
            found, n_narrow = _take_out(work, first, found, shadow, n_narrow, after, frame)
            if found == first:
                break
    return found, n_narrow


@inner_kernel
def _ask_row(
    arms: Array, bins: Array, walls: Array, scratch: Array, work: Array, board: Array, along: Array,
    frame: Array, row: int, start: int, n: int, n_narrow: int,
) -> tuple[int, int]:  # fmt: skip
    """Write down which lines to a row of corners are free and which along; return the numbers of open and narrow intervals.

    The intervals ``work[:n, 0:4]`` become ``work[:, 4:8]``.
    """
    cols, size, px, py = frame[COLS], frame[SIZE], frame[PX], frame[PY]
    dy = row - py
    y, step = (frame[ROWS] - py, -dy) if frame[IS_TURNED] else (py, dy)
    left, right = -px, cols - px
    asked, answer = int64(1) << 40, 0
    found = 0
    for k in range(n):
        a, b, at_a, at_b = work[k, 0], work[k, 1], work[k, 2], work[k, 3]
        first, last = a * dy, b * dy
        for end in range(2):
            at = first if end == 0 else last
            x = (at + HALF) >> BITS
            if abs((x << BITS) - at) > NEAR * dy:
                if end == 0:
                    first = (at + ONE - 1) >> BITS
                else:
                    last = at >> BITS
                continue
            if end == 0:
                first = x + 1
            else:
                last = x - 1
            if x < left or x > right:
                continue
            point = at_a if end == 0 else at_b
            if point == KNOWN or (point >= 0 and is_on_line(point, px, py, x, dy, size)):
                set_run(board, start, px + x, px + x)
                continue
            if x != asked:
                asked = x
                answer = known_line(board, along, start, px) if x == 0 else _way(arms, bins, walls, scratch, size, px, y, x, step)
                if answer != BLOCKED_LINE:
                    set_run(board if answer == FREE_LINE else along, start, px + x, px + x)
            if answer == FREE_LINE:
                if end == 0:
                    at_a = int64(KNOWN)
                else:
                    at_b = int64(KNOWN)
            elif answer == BLOCKED_LINE:
                if end == 0:
                    a = (x << BITS) // dy + MOVE
                else:
                    b = (x << BITS) // dy - MOVE
        first, last = max(first, left), min(last, right)
        if first <= last:
            set_run(board, start, px + first, px + last)
        if b - a >= NARROW:
            work[found, 4], work[found, 5], work[found, 6], work[found, 7] = a, b, at_a, at_b
            found += 1
        elif b >= a:
            n_narrow = _keep_line(work, n_narrow, a, b, UNKNOWN, dy, frame)
    return found, n_narrow


@inner_kernel
def _ask_kept_lines(
    arms: Array, bins: Array, walls: Array, scratch: Array, work: Array, board: Array, along: Array,
    frame: Array, row: int, start: int, n: int,
) -> int:  # fmt: skip
    """Write down which of the lines of :func:`_keep_line` are free to a row of corners; return how many may be so farther down."""
    size, px, py = frame[SIZE], frame[PX], frame[PY]
    dy = row - py
    y, step = (frame[ROWS] - py, -dy) if frame[IS_TURNED] else (py, dy)
    kept = 0
    for k in range(n):
        following, across, down = work[k, 8], work[k, 9], work[k, 10]
        if following == dy:
            x = dy // down * across
            if px + x < 0 or px + x > frame[COLS]:
                continue
            answer = _way(arms, bins, walls, scratch, size, px, y, x, step)
            if answer == BLOCKED_LINE:
                continue
            set_run(board if answer == FREE_LINE else along, start, px + x, px + x)
            following += down
            if following > frame[ROWS] - py:
                continue
        work[kept, 8], work[kept, 9], work[kept, 10] = following, across, down
        kept += 1
    return kept


@kernel
def sweep(
    arms: Array, bins: Array, walls: Array, scratch: Array, index: Array, pieces: Array, work: Array,
    board: Array, along: Array, frame: Array, px: int, py: int, start: int,
) -> None:  # fmt: skip
    """Set the bits of the free lines, and of those along, from a corner to the corners of its own row and of all rows below.

    The row of the corner itself begins at word ``start`` of both boards. ``frame`` holds rows and columns of squares, lattice
    units a square, whether ``index``, ``pieces`` and ``(px, py)`` are upside down, and the words a row.
    """
    rows, words = frame[ROWS], frame[WORDS]
    frame[PX], frame[PY] = px, py
    set_run(board, start, px, px)  # without length
    for way in range(3):
        dx, dy = (1, 0) if way == 0 else (-1, 0) if way == 1 else (0, -1 if frame[IS_TURNED] else 1)
        ask_axis(arms, bins, walls, scratch, board, along, frame, start, dx, dy)
    n, n_narrow = 1, 0
    work[0, 4], work[0, 5] = (-px << BITS) - MOVE, ((frame[COLS] - px) << BITS) + MOVE
    work[0, 6], work[0, 7] = UNKNOWN, UNKNOWN
    for row in range(py, rows):
        n, n_narrow = _pass_strip(index, pieces, work, frame, row, n, n_narrow)
        start += words
        n, n_narrow = _ask_row(arms, bins, walls, scratch, work, board, along, frame, row + 1, start, n, n_narrow)
        n_narrow = _ask_kept_lines(arms, bins, walls, scratch, work, board, along, frame, row + 1, start, n_narrow)
        if n == 0 and n_narrow == 0:
            return

"""Creatures in the way, all creatures against few lines: who meets the hull of two squares, and which lines those meet.

It says what :func:`gridlos.kernels.soft.soft_lines` says, and for both attackers of a pair at once. That one looks at all
squares between two; this one at all creatures in the columns between them, several at once. Lines along the grid are
blocked at *seams*: places of a line of the grid, one square long, on both sides of which somebody stands, be it two
creatures or one. At the two ends no seam can be, as one side is the attacker's or the target's own square there; so of
the lines between two squares that run along one line of the grid all are blocked or none is.
"""

from __future__ import annotations

import numpy as np

from gridlos.kernels.jit import Array, inner_kernel, int64, kernel
from gridlos.kernels.lanes import LANES
from gridlos.kernels.soft_lanes import LARGEST, N_SPACES, OFF_MAP, hull_hits, lowest_bit, space_hits

__all__ = ["is_faster", "lines_past"]

ALL = 0xFFFF
FEW = 64
"""Creatures up to which these kernels are faster without lanes, too."""

X, Y, WIDTH, HEIGHT, WHO = 0, 1, 2, 3, 4
"""Rows of a table of spaces: twice the middle, the size, and whose it is. Columns beyond the last are spaces off the map."""


def is_faster(rows: int, cols: int, n: int) -> bool:
    """Return whether :func:`lines_past` serves a map of that size, and is faster among ``n`` creatures in the way than the walk.

    Examples
    --------
    >>> is_faster(40, 60, 40), is_faster(1, 100_000, 40)
    (True, False)
    """
    return max(rows, cols) <= LARGEST and (LANES > 1 or n <= FEW)


@inner_kernel
def _clear(table: Array, first: int, end: int) -> None:
    for place in range(first, end):
        table[X, place] = table[Y, place] = OFF_MAP
        table[WIDTH, place] = table[HEIGHT, place] = 1


@inner_kernel
def _sort(spaces: Array, blocks: Array, table: Array, places: Array, columns: Array) -> None:
    """Write the table of all who block anybody's lines, by their first column.

    Those of column ``x`` are ``columns[x]`` up to ``columns[x + 1]``; behind these ``cols + 1`` numbers stands the largest
    width. ``places`` tell where each creature stands in the table, -1: nowhere.
    """
    cols = len(columns) - 2
    for k in range(len(spaces)):
        places[k] = -1
        for group in range(len(blocks)):
            if blocks[group, k]:
                places[k] = 0
        if places[k] == 0:
            columns[spaces[k, 0]] += 1
            columns[cols + 1] = max(columns[cols + 1], int64(spaces[k, 2]))
    for x in range(1, cols + 1):
        columns[x] += columns[x - 1]
    _clear(table, columns[cols], table.shape[1])
    for k in range(len(spaces)):
        if places[k] == 0:
            x, y, width, height = spaces[k, 0], spaces[k, 1], spaces[k, 2], spaces[k, 3]
            columns[x] -= 1
            place = places[k] = columns[x]
            table[X, place], table[Y, place] = 2 * x + width, 2 * y + height
            table[WIDTH, place], table[HEIGHT, place], table[WHO, place] = width, height, k


@inner_kernel
def _mark_seams(spaces: Array, gives_cover: Array, by_row: Array, by_column: Array) -> None:
    """Mark the seams: ``by_row[y, w]`` has bit ``b`` set if two squares in column ``32 w + b`` meet there at row ``y``."""
    for k in range(len(spaces)):
        if gives_cover[k]:
            for y in range(int64(spaces[k, 1]), int64(spaces[k, 1]) + spaces[k, 3]):
                for x in range(int64(spaces[k, 0]), int64(spaces[k, 0]) + spaces[k, 2]):
                    by_row[y + 1, x >> 5] |= int64(1) << (x & 31)
                    by_column[x + 1, y >> 5] |= int64(1) << (y & 31)
    for seams in (by_row, by_column):
        last = len(seams) - 1
        for w in range(seams.shape[1]):
            for line in range(last):
                seams[line, w] &= seams[line + 1, w]
            seams[last, w] = 0


@inner_kernel
def _is_exempt(sharers: Array, a: int, b: int, k: int) -> bool:
    """Does creature ``k`` never block lines between ``a`` and ``b``?"""
    for end in (a, b):
        for place in range(sharers[end], sharers[end + 1]):
            if sharers[place] == k:
                return True
    return False


@inner_kernel
def _is_taken(table: Array, columns: Array, gives_cover: Array, sharers: Array, a: int, b: int, x: int, y: int) -> bool:
    """Does somebody stand on the square who blocks lines between ``a`` and ``b``?"""
    for place in range(columns[max(x - columns[len(columns) - 1] + 1, 0)], columns[x + 1]):
        k = table[WHO, place]
        is_there = abs(table[X, place] - (2 * x + 1)) < table[WIDTH, place]
        is_there = is_there and abs(table[Y, place] - (2 * y + 1)) < table[HEIGHT, place]
        if is_there and gives_cover[k] and not _is_exempt(sharers, a, b, k):
            return True
    return False


@inner_kernel
def _has_seam(
    table: Array,
    columns: Array,
    gives_cover: Array,
    sharers: Array,
    seams: Array,
    a: int,
    b: int,
    line: int,
    low: int,
    high: int,
    is_upright: bool,
) -> bool:
    """Is there a seam of those who block lines between ``a`` and ``b`` on a line of the grid, from ``low`` up to ``high``?

    Where both stand on one square, alone, no seam between them is theirs: then ``a`` is -1.
    """
    p = low
    while p < high:
        rest = seams[line, p >> 5] >> (p & 31)
        if rest == 0:
            p = (p | 31) + 1
            continue
        if rest & 1:
            x, y, u, v = (line - 1, p, line, p) if is_upright else (p, line - 1, p, line)
            if a < 0 or (
                _is_taken(table, columns, gives_cover, sharers, a, b, x, y)
                and _is_taken(table, columns, gives_cover, sharers, a, b, u, v)
            ):
                return True
        p += 1
    return False


@inner_kernel
def _axis_lines(
    table: Array,
    columns: Array,
    gives_cover: Array,
    sharers: Array,
    by_row: Array,
    by_column: Array,
    a: int,
    b: int,
    x: int,
    y: int,
    dx: int,
    dy: int,
) -> int:
    """Return which of the 16 lines from the square ``(x, y)`` along ``(dx, dy)`` run along the grid over a seam."""
    bits = 0
    if abs(dy) <= 1:
        low, high = min(x, x + dx) + 1, max(x, x + dx)
        for side in range(max(dy, 0), min(dy, 0) + 2):
            if _has_seam(table, columns, gives_cover, sharers, by_row, a, b, y + side, low, high, False):
                bits |= 0x33 << (8 * side + 2 * (side - dy))
    if abs(dx) <= 1:
        low, high = min(y, y + dy) + 1, max(y, y + dy)
        for side in range(max(dx, 0), min(dx, 0) + 2):
            if _has_seam(table, columns, gives_cover, sharers, by_column, a, b, x + side, low, high, True):
                bits |= 0x505 << (4 * side + side - dx)
    return bits


@inner_kernel
def _select(table: Array, columns: Array, spaces: Array, sharers: Array, a: int, b: int, near: Array) -> int:
    """Write the table of those who may block lines between ``a`` and ``b``; return how many they are."""
    left, top = min(spaces[a, 0], spaces[b, 0]), min(spaces[a, 1], spaces[b, 1])
    right = max(spaces[a, 0] + spaces[a, 2], spaces[b, 0] + spaces[b, 2])
    bottom = max(spaces[a, 1] + spaces[a, 3], spaces[b, 1] + spaces[b, 3])
    n = 0
    for place in range(columns[max(left - columns[len(columns) - 1] + 1, 0)], columns[right]):
        is_near = abs(table[X, place] - (left + right)) < table[WIDTH, place] + right - left
        is_near = is_near and abs(table[Y, place] - (top + bottom)) < table[HEIGHT, place] + bottom - top
        if is_near and not _is_exempt(sharers, a, b, table[WHO, place]):
            for row in range(len(table)):
                near[row, n] = table[row, place]
            n += 1
    _clear(near, n, n + N_SPACES)
    return n


@inner_kernel
def _ask(
    table: Array,
    columns: Array,
    places: Array,
    near: Array,
    seams: tuple[Array, Array],
    spaces: Array,
    blocks: Array,
    group: Array,
    sharers: Array,
    pairs: Array,
    starts: Array,
    squares: Array,
    cols: int,
    result: Array,
) -> None:
    """Write the lines of all choices; ``near`` has room for a table."""
    by_row, by_column = seams
    for pair in range(len(pairs)):
        a, b = pairs[pair, 0], pairs[pair, 1]
        ga, gb = group[a], group[b]
        asked, pa, pb, n_near = table, int64(places[a]), int64(places[b]), -1
        sizes = spaces[a, 2] * spaces[a, 3] * spaces[b, 2] * spaces[b, 3]
        if sizes > 1 or sharers[a + 1] - sharers[a] + sharers[b + 1] - sharers[b] > 2:
            n_near = _select(table, columns, spaces, sharers, a, b, near)
            asked, pa, pb = near, int64(-1), int64(-1)
        for choice in range(starts[pair], starts[pair + 1]):
            x, y, last_x, last_y = int64(spaces[a, 0]), int64(spaces[a, 1]), int64(spaces[b, 0]), int64(spaces[b, 1])
            if sizes > 1:
                y, last_y = squares[choice, 0] // cols, squares[choice, 1] // cols
                x, last_x = squares[choice, 0] - y * cols, squares[choice, 1] - last_y * cols
            dx, dy = last_x - x, last_y - y
            first, end = int64(0), n_near
            if n_near < 0:
                first = columns[max(min(x, last_x) - columns[cols + 1] + 1, 0)]
                end = columns[max(x, last_x) + 1]
            forth, back = int64(0), int64(0)
            for start in range(first, end, 64):
                hits = int64(0)
                for place in range(start, min(end, start + 64), N_SPACES):
                    hits |= int64(hull_hits(asked, place, x, y, dx, dy)) << (place - start)
                if 0 <= pa - start < 64:
                    hits &= ~(int64(1) << (pa - start))
                if 0 <= pb - start < 64:
                    hits &= ~(int64(1) << (pb - start))
                while hits != 0:
                    k = asked[WHO, start + lowest_bit(hits)]
                    hits &= hits - 1
                    left, top = spaces[k, 0] - x, spaces[k, 1] - y
                    lines = space_hits(dx, dy, left, top, left + spaces[k, 2], top + spaces[k, 3])
                    if blocks[ga, k]:
                        forth |= lines
                    if blocks[gb, k]:
                        back |= lines
                if forth & back == ALL:
                    break
            if abs(dx) <= 1 or abs(dy) <= 1:
                who = -1 if n_near < 0 else a
                for g in range(len(result)):
                    k = gb if g else ga
                    lines = _axis_lines(
                        table, columns, blocks[k], sharers, by_row[k], by_column[k], who, b, x, y, dx, dy
                    )
                    forth, back = forth | lines * (g == 0), back | lines * (g == 1)
            result[0, choice] = forth
            if len(result) > 1:
                result[1, choice] = back


@kernel
def lines_past(
    spaces: Array,
    blocks: Array,
    group: Array,
    sharers: Array,
    pairs: Array,
    starts: Array,
    squares: Array,
    shape: Array,
) -> Array:
    """Return ``(1 or 2, C)`` uint16: which of the 16 lines of each choice creatures block, as :func:`line.blocked_lines`.

    If there are several groups, the second row is for attacks of the pair's second creature.

    Parameters
    ----------
    spaces
        ``(n, 4)`` int32 of all creatures, on the map.
    blocks, group
        ``(g, n)`` bool: who blocks lines at all, for each group of attackers; ``(n,)`` int64, the group of each creature.
    sharers
        Who never blocks lines from or to a creature, from :func:`gridlos.kernels.soft.index_sharers`.
    pairs
        ``(P, 2)`` int64: two creatures.
    starts
        ``(P + 1,)`` int64: the choices of pair ``k`` are ``starts[k] : starts[k + 1]``.
    squares
        ``(C, 2)`` int64: ``row * cols + column`` of the two squares of each choice, own squares of the two creatures.
    shape
        ``(2,)`` int64: rows and columns of the map, :data:`gridlos.kernels.soft_lanes.LARGEST` at most.
    """
    n, n_groups, rows, cols = len(spaces), len(blocks), shape[0], shape[1]
    result = np.zeros((min(n_groups, 2), len(squares)), np.uint16)
    places, columns = np.empty(n, np.int64), np.zeros(cols + 2, np.int64)
    table, near = np.empty((5, n + N_SPACES), np.int32), np.empty((5, n + N_SPACES), np.int32)
    _sort(spaces, blocks, table, places, columns)
    by_row = np.zeros((n_groups, rows + 1, (cols >> 5) + 1), np.int64)
    by_column = np.zeros((n_groups, cols + 1, (rows >> 5) + 1), np.int64)
    for k in range(n_groups):
        _mark_seams(spaces, blocks[k], by_row[k], by_column[k])
    seams = (by_row, by_column)
    _ask(table, columns, places, near, seams, spaces, blocks, group, sharers, pairs, starts, squares, cols, result)
    return result

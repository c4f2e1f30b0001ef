"""The sixteen lines between two squares from boards that the row sweep has filled: from one square to all, or between any two."""

from __future__ import annotations

import numpy as np

from gridlos.kernels.band import ALL, cut_off, decide, is_closed
from gridlos.kernels.jit import Array, inner_kernel, int64, kernel
from gridlos.kernels.sweep import N_WORK, sweep
from gridlos.kernels.sweep_axes import COLS, FRAME, IS_TURNED, ROWS, SIZE, WORDS
from gridlos.kernels.walk import new_scratch

__all__ = ["fill_sweeps", "lines_between", "lines_from", "n_words"]


@inner_kernel
def _set_frame(frame: Array, rows: int, cols: int, size: int, is_turned: int) -> None:
    """Write what stands in a frame, see :data:`gridlos.kernels.sweep_axes.FRAME`."""
    frame[ROWS], frame[COLS], frame[SIZE], frame[IS_TURNED] = rows, cols, size, is_turned
    frame[WORDS] = (cols + 64) // 64


@inner_kernel
def _start(frame: Array, px: int, py: int) -> int:
    """Return the first word of a corner's part of the boards: its own row, and all rows below it."""
    rows, corners = frame[ROWS] + 1, frame[COLS] + 1
    before = corners * (py * rows - py * (py - 1) // 2) + px * (rows - py)
    return before * frame[WORDS]


@kernel
def n_words(rows: int, cols: int) -> int:
    """Return the words of a board for the lines from each corner of a map to those of its own row and of the rows below."""
    frame = np.empty(FRAME, np.int64)
    _set_frame(frame, rows, cols, 1, 0)
    return _start(frame, 0, rows + 1)


@kernel
def fill_sweeps(
    arms: Array, bins: Array, walls: Array, index: Array, pieces: Array, size: int, starts: Array, boards: Array
) -> None:
    """Fill the boards ``(2, n_words)`` uint64, zero before, with the free lines from some rows of corners, and with those along.

    ``index`` and ``pieces`` come from :func:`gridlos.kernels.sweep_index.index_sweep`, ``starts`` int64 are the rows.
    """
    rows, cols = arms.shape[0] - 1, arms.shape[1] - 1
    frame, work, scratch = np.empty(FRAME, np.int64), np.empty((len(pieces) + 2, N_WORK), np.int64), new_scratch(arms, bins)
    _set_frame(frame, rows, cols, size, 0)
    free, along = boards[0], boards[1]
    for py in starts:
        for px in range(cols + 1):
            sweep(arms, bins, walls, scratch, index, pieces, work, free, along, frame, px, py, _start(frame, px, py))


@inner_kernel
def _bit(board: Array, start: int, x: int) -> int:
    return int64((board[start + (x >> 6)] >> np.uint64(x & 63)) & np.uint64(1))


@inner_kernel
def _place(frame: Array, ax: int, ay: int, bx: int, by: int) -> tuple[int, int]:
    """Return the first word of the row, and the bit in it, that know of the line between two corners."""
    if by < ay:
        ax, ay, bx, by = bx, by, ax, ay
    return _start(frame, ax, ay) + (by - ay) * frame[WORDS], bx


@kernel
def lines_between(
    arms: Array, legs: Array, bins: Array, walls: Array, board: Array, along: Array, squares: Array, size: int
) -> Array:
    """Return ``(n,)`` uint16: which of the 16 lines between two squares are blocked, as :func:`gridlos.kernels.line.blocked_lines`.

    The boards come from :func:`fill_sweeps`.
    """
    rows, cols = legs.shape
    result = np.empty(len(squares), np.uint16)
    frame, asked, scratch = np.empty(FRAME, np.int64), np.empty(2, np.int64), new_scratch(arms, bins)
    _set_frame(frame, rows, cols, size, 0)
    for k in range(len(squares)):
        a, b = int64(squares[k, 0]), int64(squares[k, 1])
        xa, ya, xb, yb = a % cols, a // cols, b % cols, b // cols
        if a == b:
            asked[0], asked[1] = 0, ALL
        elif is_closed(arms, xa, ya) or is_closed(arms, xb, yb):
            result[k] = ALL
            continue
        else:
            free, unsure = 0, 0
            for i in range(4):
                for j in range(4):
                    start, bit = _place(frame, xa + (i & 1), ya + (i >> 1), xb + (j & 1), yb + (j >> 1))
                    free |= _bit(board, start, bit) << (4 * i + j)
                    unsure |= _bit(along, start, bit) << (4 * i + j)
            off = cut_off(int64(legs[ya, xa]), int64(legs[yb, xb]))
            asked[0], asked[1] = (ALL & ~(free | unsure)) | off, unsure
        if asked[0] == ALL:
            result[k] = ALL
        else:
            result[k] = decide(arms, legs, bins, walls, scratch, size, a, b, asked)
    return result


@inner_kernel
def _around(board: Array, words: int, x: int, y: int) -> int:
    """Return the nibble of a square's four corners on a board of all corners."""
    start = y * words
    found = _bit(board, start, x) | _bit(board, start, x + 1) << 1
    return found | _bit(board, start + words, x) << 2 | _bit(board, start + words, x + 1) << 3


@inner_kernel
def _turn_over(board: Array, words: int, rows: int, own: int) -> None:
    """Put the rows of the second half of a board, upside down, above the row ``own`` of the first half."""
    second = (rows + 1) * words
    for row in range(own):
        for k in range(words):
            board[row * words + k] = board[second + (rows - row) * words + k]


@kernel
def lines_from(
    arms: Array, legs: Array, bins: Array, walls: Array, below: tuple[Array, Array], above: tuple[Array, Array],
    square: int, size: int,
) -> Array:  # fmt: skip
    """Return ``(rows * cols,)`` uint16: which of the 16 lines from a square to each square are blocked.

    ``below`` and ``above`` come from :func:`gridlos.kernels.sweep_index.index_sweep`, the latter for the map upside down.
    """
    rows, cols = legs.shape
    words, scratch = (cols + 64) // 64, new_scratch(arms, bins)
    frame, asked = np.empty(FRAME, np.int64), np.empty(2, np.int64)
    work = np.empty((max(len(below[1]), len(above[1])) + 2, N_WORK), np.int64)
    board, along = np.zeros((2, 4, 2 * (rows + 1) * words), np.uint64)
    xa, ya = square % cols, square // cols
    for i in range(4):
        px, py = xa + (i & 1), ya + (i >> 1)
        _set_frame(frame, rows, cols, size, 0)
        sweep(arms, bins, walls, scratch, *below, work, board[i], along[i], frame, px, py, py * words)
        _set_frame(frame, rows, cols, size, 1)
        py = rows - py
        sweep(arms, bins, walls, scratch, *above, work, board[i], along[i], frame, px, py, (rows + 1 + py) * words)
        _turn_over(board[i], words, rows, rows - py)
        _turn_over(along[i], words, rows, rows - py)
    result = np.full(rows * cols, ALL, np.uint16)
    if is_closed(arms, xa, ya):
        asked[0], asked[1] = 0, ALL
        result[square] = decide(arms, legs, bins, walls, scratch, size, square, square, asked)
        return result
    for b in range(rows * cols):
        x, y = b % cols, b // cols
        free, unsure = 0, 0
        for i in range(4):
            free |= _around(board[i], words, x, y) << (4 * i)
            unsure |= _around(along[i], words, x, y) << (4 * i)
        if b == square:
            asked[0], asked[1] = 0, ALL
        elif is_closed(arms, x, y):
            continue
        else:
            off = cut_off(int64(legs[ya, xa]), int64(legs[y, x]))
            asked[0], asked[1] = (ALL & ~(free | unsure)) | off, unsure
        if asked[0] != ALL:
            result[b] = decide(arms, legs, bins, walls, scratch, size, square, b, asked)
    return result

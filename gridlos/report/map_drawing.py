"""A part of a map as a drawing with edges and corners, in which marks are put."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Collection, Iterator, Mapping

import numpy as np

from gridlos.battlemap import BattleMap
from gridlos.walls import SquareKind

__all__ = ["MapDrawing"]

_NO_BREAK = "\0"
_MARKS = "AT@*+x?X:"  # what drawings put onto a map: a square whose own letter is one of them is drawn by another one
_OTHERS = "abcdefghijklmnopqrstuvwyzBCDEFGHIJKLMNOPQRSUVWYZ0123456789"
_PLAIN = ".# "

_Space = tuple[int, int, int, int]


class MapDrawing:
    """Letters at the centres of squares, on their edges and on their corners.

    A square is four letters wide (two where four do not fit) and two lines high; between the squares there is room for
    edges and corners.

    Parameters
    ----------
    battle_map
        The map.
    view
        ``x, y, width, height`` of the squares that are shown, as far as they are on the map.
    width
        Letters that there is room for.
    """

    def __init__(self, battle_map: BattleMap, view: _Space, width: int) -> None:
        self.battle_map = battle_map
        self.left, self.top = max(view[0], 0), max(view[1], 0)
        self.right = min(view[0] + view[2], battle_map.cols)
        self.bottom = min(view[1] + view[3], battle_map.rows)
        self.n_cols, self.n_rows = self.right - self.left, self.bottom - self.top
        self.n_label = len(str(self.bottom - 1)) + 2
        self.step = 2 if self.n_label + 4 * self.n_cols + 1 <= width else 1  # letters from an edge to a centre
        self.letters = np.full((2 * self.n_rows + 1, 2 * self.step * self.n_cols + 1), " ")
        self.used: set[str] = set()
        self.kinds: dict[str, str] = {}

    def put(self, x: float, y: float, letter: str) -> None:
        """Put a letter at a point of the map, in squares, if it is in view."""
        column, row = round(2 * self.step * (x - self.left)), round(2 * (y - self.top))
        if 0 <= row < self.letters.shape[0] and 0 <= column < self.letters.shape[1]:
            self.letters[row, column] = letter
            self.used.add(letter)

    def put_space(self, space: _Space, letter: str) -> None:
        """Put a letter into each square of a space."""
        x, y, width, height = space
        for row in range(y, y + height):
            for column in range(x, x + width):
                self.put(column + 0.5, row + 0.5, letter)

    def put_squares(self, marked: Collection[tuple[int, int]] = ()) -> None:
        """Put the letters of the map, ``X`` in marked squares; solid squares are filled, and so is what lies between two."""
        letter_of = _own_letters(self.battle_map)
        known = np.array([[letter_of[letter] for letter in row] for row in self.battle_map.to_rows()])
        self.kinds = {letter_of[letter]: _words_for(kind) for letter, kind in self.battle_map.legend.items()}
        for x, y in marked:
            if self.battle_map.has_square(x, y):
                known[y, x] = "X"
                self.used.add("X")
        n_rows, n_columns = self.letters.shape
        rows, columns = np.arange(n_rows), np.arange(n_columns)
        top, bottom = self.top + (rows - 1) // 2, self.top + rows // 2
        west, east = self.left + (columns - 1) // (2 * self.step), self.left + columns // (2 * self.step)
        solid = np.pad(self.battle_map.terrain != 0, 1, constant_values=True)
        is_solid = np.logical_and.reduce([solid[np.ix_(y + 1, x + 1)] for y in (top, bottom) for x in (west, east)])
        within = np.ix_(np.minimum(bottom, self.battle_map.rows - 1), np.minimum(east, self.battle_map.cols - 1))
        is_seam = (top != bottom)[:, None] | (west != east)[None, :]
        is_centre = (rows % 2 == 1)[:, None] & (columns % (2 * self.step) == self.step)[None, :]
        letters = np.where(is_seam & (known[within] == "X"), "#", known[within])
        self.letters = np.where(is_solid | is_centre, letters, self.letters)

    def put_walls(self, marked: Collection[str] = ()) -> None:
        """Put the walls as strokes, those whose names are marked as ``X``, open doors as ``:``."""
        battle_map = self.battle_map
        special = set(battle_map.special.tolist())
        segments = battle_map.segments / battle_map.subdivisions
        low, high = np.minimum(segments[:, :2], segments[:, 2:]), np.maximum(segments[:, :2], segments[:, 2:])
        near = np.all((high >= (self.left, self.top)) & (low <= (self.right, self.bottom)), axis=1)
        for index in np.flatnonzero(near).tolist():
            ends = segments[index].tolist()
            if marked and battle_map.wall_name(index) in marked:
                letter = "X"
            elif battle_map.walls[index].state == "open":
                letter = ":"
            else:
                letter = _stroke(*ends) if battle_map.stops[index] or index in special else ""
            for x, y in self._points_of(*ends) if letter else ():
                self.put(x, y, letter)

    def _points_of(self, x0: float, y0: float, x1: float, y1: float) -> Iterator[tuple[float, float]]:
        """Yield the points of a segment that are in view, close enough to leave no gap."""
        first, last = 0.0, 1.0
        for start, end, low, high in ((x0, x1, self.left, self.right), (y0, y1, self.top, self.bottom)):
            if start != end:
                a, b = sorted(((low - start) / (end - start), (high - start) / (end - start)))
                first, last = max(first, a), min(last, b)
        if first > last:
            return
        reach = max(abs(x1 - x0) * 2 * self.step, abs(y1 - y0) * 2) * (last - first)
        for t in np.linspace(first, last, max(math.ceil(reach), 1) + 1).tolist():
            yield x0 + t * (x1 - x0), y0 + t * (y1 - y0)

    def lines(self) -> Iterator[str]:
        """Yield the drawing, numbers of columns and rows at its borders."""
        numbers = [" "] * self.letters.shape[1]
        for x in range(self.left, self.right):
            if self.step == 2 or x % 5 == 0:
                digits = str(x)
                start = self.step * (2 * (x - self.left) + 1) - len(digits) // 2
                numbers[start : start + len(digits)] = digits
        yield (" " * self.n_label + "".join(numbers)).rstrip()
        for row, letters in enumerate(self.letters.tolist()):
            label = str(self.top + row // 2) if row % 2 else ""
            yield f"{label:>{self.n_label - 2}}  {''.join(letters)}".rstrip()

    def legend(self, names: Mapping[str, str], meanings: Mapping[str, str], width: int) -> list[str]:
        """Return the meaning of letters: names in any case, meanings of the letters that were put, squares in view."""
        marks = {letter: meaning for letter, meaning in meanings.items() if letter in self.used}
        in_view = set(self.letters[1::2, self.step :: 2 * self.step].flat) - set(_PLAIN)
        kinds = {letter: words for letter, words in self.kinds.items() if letter in in_view}
        items = [f"{letter} {meaning}".replace(" ", _NO_BREAK) for letter, meaning in (dict(names) | marks | kinds).items()]
        lines = textwrap.wrap(
            ", ".join(items), width, initial_indent="  ", subsequent_indent="  ", break_long_words=False
        )
        return [line.replace(_NO_BREAK, " ") for line in lines]


def _own_letters(battle_map: BattleMap) -> dict[str, str]:
    """Return for each letter of a map the one that it is drawn by: itself, unless that marks something else."""
    free = iter(letter for letter in _OTHERS if letter not in battle_map.legend)
    return {letter: next(free, "%") if letter in _MARKS else letter for letter in battle_map.legend}


def _words_for(kind: SquareKind) -> str:
    """Return what a letter stands for.

    >>> [_words_for(one) for one in (SquareKind(kind="low wall"), SquareKind(elevation=20), SquareKind(cover="partial"))]
    ['low wall', 'floor at 20 ft', 'open with partial cover']
    """
    word = "floor" if kind.kind == "open" and kind.elevation is not None else kind.kind
    gives = [f"{one} {what}" for one, what in ((kind.cover, "cover"), (kind.concealment, "concealment")) if one is not None]
    height = "" if kind.elevation is None else f" at {kind.elevation:g} ft"
    return word + height + (f" with {' and '.join(gives)}" if gives else "")


def _stroke(x0: float, y0: float, x1: float, y1: float) -> str:
    """Return the letter that looks most like a segment."""
    dx, dy = x1 - x0, y1 - y0
    if abs(dy) * 2 < abs(dx):
        return "-"
    if abs(dx) * 2 < abs(dy):
        return "|"
    return "\\" if dx * dy > 0 else "/"

"""The surroundings of a proof as a drawing with edges and corners, so that its lines can be followed by eye."""

from __future__ import annotations

import math
import re
import textwrap
from collections.abc import Iterator

import numpy as np

from gridlos.facts import Contact
from gridlos.scene import Scene
from gridlos.verdict import Verdict

__all__ = ["draw_proof"]

MARGIN = 2
"""Squares shown around the two creatures."""

MAX_SQUARES = 150
"""What is farther apart makes a drawing that nobody can follow."""

MEANINGS = {
    "*": "corner of the attacker",
    "+": "corner with a free line",
    "x": "corner with a blocked line",
    "?": "corner not counted",
    "X": "what blocks",
    ":": "open door",
    "@": "other creatures",
}

_NO_BREAK = "\0"
_SQUARE = re.compile(r"(?!creature |wall )(?:.+ in |floor of )?square \((\d+), (\d+)\)")


def draw_proof(verdict: Verdict, scene: Scene, *, width: int = 100) -> str:
    r"""Return the part of the map that a verdict is about, with its creatures, corners and blockers marked.

    A square is four letters wide (two where four do not fit) and two lines high; between the squares there is room for
    edges and corners. The lines of the proof run from ``*`` to the corners marked ``+`` and ``x``.

    Parameters
    ----------
    verdict
        The answer.
    scene
        The scene that was asked about.
    width
        Letters that there is room for.

    Examples
    --------
    >>> import gridlos
    >>> scene = gridlos.Scene.from_drawing("A..\n.#.\n..T")
    >>> verdict = gridlos.evaluate(scene, edition="dnd5e")["A", "T"]
    >>> print(draw_proof(verdict, scene), end="")
         0   1   2
           *
    0    A   .   .
    <BLANKLINE>
    1    .  XXX  .
               x   +
    2    .   .   T
               x   x
    <BLANKLINE>
      A A, T T, * corner of the attacker, + corner with a free line, x corner with a blocked line,
      X what blocks
    """
    drawing = _ProofDrawing(verdict, scene, width)
    if max(drawing.n_cols, drawing.n_rows) > MAX_SQUARES:
        return f"  no drawing: {drawing.n_cols} by {drawing.n_rows} squares are too many to follow\n"
    drawing.put_all()
    return "\n".join([*drawing.lines(), "", *drawing.legend(width)]) + "\n"


class _ProofDrawing:
    """Letters at the centres of squares, on their edges and on their corners."""

    def __init__(self, verdict: Verdict, scene: Scene, width: int) -> None:
        self.verdict, self.scene, self.battle_map = verdict, scene, scene.battle_map
        self.is_point = verdict.attacker not in scene.ids  # the origin of an effect on an area
        attacker = (*verdict.proof.attacker_square, 1, 1) if self.is_point else self._space(verdict.attacker)
        self.ends = [attacker, self._space(verdict.target)]
        limits = self.battle_map.cols, self.battle_map.rows
        self.left, self.top = (max(min(space[k] for space in self.ends) - MARGIN, 0) for k in (0, 1))
        self.right, self.bottom = (
            min(max(space[k] + space[k + 2] for space in self.ends) + MARGIN, limits[k]) for k in (0, 1)
        )
        self.n_cols, self.n_rows = self.right - self.left, self.bottom - self.top
        self.n_label = len(str(self.bottom - 1)) + 2
        self.step = 2 if self.n_label + 4 * self.n_cols + 1 <= width else 1  # letters from an edge to a centre
        self.letters = np.full((2 * self.n_rows + 1, 2 * self.step * self.n_cols + 1), " ")
        self.used: set[str] = set()
        blocking = [line for line in verdict.proof.lines if line.contact is Contact.BLOCKED and line.counted]
        self.blockers = {name for line in blocking for name in line.by}

    def _space(self, name: str) -> tuple[int, ...]:
        return tuple(self.scene.spaces[self.scene.index(name)].tolist())

    def put_all(self) -> None:
        """Put everything, what matters most last."""
        self._put_squares()
        self._put_walls()
        self._put_creatures()
        if self.verdict.proof.is_centre:  # the letters of the two creatures mark the ends
            return
        for line in self.verdict.proof.lines:
            letter = "x" if line.contact is Contact.BLOCKED else "+"
            self._put(*line.to, letter if line.counted else "?")
        self._put(*self.verdict.proof.corner, "*")

    def _put(self, x: float, y: float, letter: str) -> None:
        """Put a letter at a point of the map, in squares, if it is in view."""
        column, row = round(2 * self.step * (x - self.left)), round(2 * (y - self.top))
        if 0 <= row < self.letters.shape[0] and 0 <= column < self.letters.shape[1]:
            self.letters[row, column] = letter
            self.used.add(letter)

    def _put_squares(self) -> None:
        """Put the letters of the map; solid squares are filled, and so is what lies between two of them."""
        known = np.array([list(row) for row in self.battle_map.to_rows()])
        for match in map(_SQUARE.fullmatch, self.blockers):
            if match and self.battle_map.has_square(int(match[1]), int(match[2])):
                known[int(match[2]), int(match[1])] = "X"
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

    def _put_walls(self) -> None:
        """Put the walls as strokes, those that block as ``X``, open doors as ``:``."""
        battle_map = self.battle_map
        special = set(battle_map.special.tolist())
        segments = battle_map.segments / battle_map.subdivisions
        low, high = np.minimum(segments[:, :2], segments[:, 2:]), np.maximum(segments[:, :2], segments[:, 2:])
        near = np.all((high >= (self.left, self.top)) & (low <= (self.right, self.bottom)), axis=1)
        for index in np.flatnonzero(near).tolist():
            ends = segments[index].tolist()
            if battle_map.wall_name(index) in self.blockers:
                letter = "X"
            elif battle_map.walls[index].state == "open":
                letter = ":"
            else:
                letter = _stroke(*ends) if battle_map.stops[index] or index in special else ""
            for x, y in self._points_of(*ends) if letter else ():
                self._put(x, y, letter)

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

    def _put_creatures(self) -> None:
        target = self.scene.index(self.verdict.target)
        attacker = [] if self.is_point else [self.scene.index(self.verdict.attacker)]
        others = [k for k in range(len(self.scene.ids)) if k not in (*attacker, target)]
        for letter, creatures in (("@", others), ("T", [target]), ("A", attacker)):
            for x, y, width, height in self.scene.spaces[creatures].tolist():
                for row in range(y, y + height):
                    for column in range(x, x + width):
                        self._put(column + 0.5, row + 0.5, letter)

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

    def legend(self, width: int) -> list[str]:
        """Return the meaning of the letters that are not the map's own."""
        names = {} if self.is_point else {"A": self.verdict.attacker}
        names["T"] = self.verdict.target
        marks = {letter: meaning for letter, meaning in MEANINGS.items() if letter in self.used}
        items = [f"{letter} {meaning}".replace(" ", _NO_BREAK) for letter, meaning in (names | marks).items()]
        lines = textwrap.wrap(
            ", ".join(items), width, initial_indent="  ", subsequent_indent="  ", break_long_words=False
        )
        return [line.replace(_NO_BREAK, " ") for line in lines]


def _stroke(x0: float, y0: float, x1: float, y1: float) -> str:
    """Return the letter that looks most like a segment."""
    dx, dy = x1 - x0, y1 - y0
    if abs(dy) * 2 < abs(dx):
        return "-"
    if abs(dx) * 2 < abs(dy):
        return "|"
    return "\\" if dx * dy > 0 else "/"

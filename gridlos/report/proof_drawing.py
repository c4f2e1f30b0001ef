"""The surroundings of a proof as a drawing with edges and corners, so that its lines can be followed by eye."""

from __future__ import annotations

import re

from gridlos.facts import Contact
from gridlos.report.map_drawing import MapDrawing
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
    size = drawing.map.n_cols, drawing.map.n_rows
    if max(size) > MAX_SQUARES:
        return f"  no drawing: {size[0]} by {size[1]} squares are too many to follow\n"
    drawing.put_all()
    return "\n".join([*drawing.map.lines(), "", *drawing.legend(width)]) + "\n"


class _ProofDrawing:
    """What a verdict is about, marked in a drawing of the map between the two creatures."""

    def __init__(self, verdict: Verdict, scene: Scene, width: int) -> None:
        self.verdict, self.scene = verdict, scene
        self.is_point = verdict.attacker not in scene.ids  # the origin of an effect on an area
        attacker = (*verdict.proof.attacker_square, 1, 1) if self.is_point else self._space(verdict.attacker)
        ends = [attacker, self._space(verdict.target)]
        left, top = (min(space[k] for space in ends) - MARGIN for k in (0, 1))
        right, bottom = (max(space[k] + space[k + 2] for space in ends) + MARGIN for k in (0, 1))
        self.map = MapDrawing(scene.battle_map, (left, top, right - left, bottom - top), width)
        blocking = [line for line in verdict.proof.lines if line.contact is Contact.BLOCKED and line.counted]
        self.blockers = {name for line in blocking for name in line.by}

    def _space(self, name: str) -> tuple[int, ...]:
        return tuple(self.scene.spaces[self.scene.index(name)].tolist())

    def put_all(self) -> None:
        """Put everything, what matters most last."""
        matches = map(_SQUARE.fullmatch, self.blockers)
        self.map.put_squares([(int(match[1]), int(match[2])) for match in matches if match])
        self.map.put_walls(self.blockers)
        self._put_creatures()
        if self.verdict.proof.is_centre:  # the letters of the two creatures mark the ends
            return
        for line in self.verdict.proof.lines:
            letter = "x" if line.contact is Contact.BLOCKED else "+"
            self.map.put(*line.to, letter if line.counted else "?")
        self.map.put(*self.verdict.proof.corner, "*")

    def _put_creatures(self) -> None:
        target = self.scene.index(self.verdict.target)
        attacker = [] if self.is_point else [self.scene.index(self.verdict.attacker)]
        others = [k for k in range(len(self.scene.ids)) if k not in (*attacker, target)]
        for letter, creatures in (("@", others), ("T", [target]), ("A", attacker)):
            for space in self.scene.spaces[creatures].tolist():
                self.map.put_space(tuple(space), letter)

    def legend(self, width: int) -> list[str]:
        """Return the meaning of the letters that are not the map's own."""
        names = {} if self.is_point else {"A": self.verdict.attacker}
        return self.map.legend({**names, "T": self.verdict.target}, MEANINGS, width)

"""The lines that creatures block between every two of them, kept with their bodies, and found anew where one has moved."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gridlos.facts import Bools
from gridlos.kernels import touched as kernels
from gridlos.questions.choices import AskedPairs, Choices
from gridlos.questions.creatures import Bodies, soft_lines
from gridlos.questions.keeping import once
from gridlos.scene import Scene

__all__ = ["NO_SOFT_LINES", "SOFT_LINES", "all_soft_lines", "keep_soft_lines", "known_soft_lines", "soft_lines_anew"]

Indices = NDArray[np.int64]
Lines = NDArray[np.uint16]

SOFT_LINES = "soft lines"
"""Where those between every two creatures are kept with bodies: see :func:`gridlos.questions.creatures.soft_lines`."""
_STARTS = "starts of soft lines"
NO_SOFT_LINES = np.zeros(0, np.uint16), np.zeros(0, np.uint16), np.zeros(0, np.int64)
"""Those where creatures can block none."""


def known_soft_lines(bodies: Bodies, pairs: Indices) -> tuple[Lines, Lines] | None:
    """Return those between the two of each pair ``(P, 2)``, the lower index first, of all that are kept with the bodies."""
    known: tuple[Lines, Lines] | None = bodies.kept[SOFT_LINES]
    if known is None:
        return None
    rows = _rows_of(bodies, pairs)
    return known[0].take(rows), known[1].take(rows)


def all_soft_lines(scene: Scene, bodies: Bodies) -> tuple[Lines, Lines, Indices]:
    """Return those between every two creatures, and where the choices of each two begin; kept with the bodies.

    The lines are empty where creatures can block none, the last one where each two have one choice.
    """
    known = _everywhere(scene, bodies)
    return NO_SOFT_LINES if known is None else (*known, _starts_of(bodies))


def keep_soft_lines(before: Bodies, after: Bodies) -> None:
    """Keep with bodies what is known of others between which the same creatures stand in the same places."""
    for key in (SOFT_LINES, _STARTS):
        if key in before.kept:
            after.kept[key] = before.kept[key]


def soft_lines_anew(before: tuple[Scene, Bodies], after: tuple[Scene, Bodies], pairs: Indices, found: Bools) -> None:
    """Mark in ``found (n, n)`` between which two other lines are blocked than before, if that is known; else all of the pairs.

    Creatures of a scene have moved; only between the two of these pairs ``(P, 2)``, the lower index first, can other lines be blocked. What
    is known of all pairs is kept with the bodies ``after``.
    """
    known = _everywhere(*before)
    (scene, bodies), old = after, before[1]
    choices = Choices.of(scene.spaces, pairs, scene.battle_map.cols)
    anew = soft_lines(bodies, pairs, choices.starts, choices.squares, _shape(scene))
    if known is None or anew is None:
        found[pairs[:, 0], pairs[:, 1]] = found[pairs[:, 1], pairs[:, 0]] = True
        return
    starts = _starts_of(old)
    keep_soft_lines(old, bodies)
    bodies.kept[SOFT_LINES] = kernels.lines_anew(pairs, choices.starts, anew, known, starts, found)


def _shape(scene: Scene) -> tuple[int, int]:
    return scene.battle_map.rows, scene.battle_map.cols


def _everywhere(scene: Scene, bodies: Bodies) -> tuple[Lines, Lines] | None:
    def found() -> tuple[Lines, Lines] | None:
        pairs = AskedPairs.everybody(len(bodies.spaces)).pairs
        choices = Choices.of(scene.spaces, pairs, scene.battle_map.cols)
        return soft_lines(bodies, pairs, choices.starts, choices.squares, _shape(scene))

    return once(bodies.kept, SOFT_LINES, found)


def _rows_of(bodies: Bodies, pairs: Indices) -> Indices:
    """Return the choices of pairs among those of every two creatures, indices one pair after another."""
    which = AskedPairs.everybody(len(bodies.spaces)).place[pairs[:, 0], pairs[:, 1]]
    starts = _starts_of(bodies)
    if not len(starts):
        return which
    counts = starts[which + 1] - starts[which]
    ends = np.cumsum(counts)
    return np.repeat(starts[which] - ends + counts, counts) + np.arange(ends[-1] if len(ends) else 0)


def _starts_of(bodies: Bodies) -> Indices:
    """Return where the choices of every two creatures begin; empty: each two have one."""

    def found() -> Indices:
        squares = bodies.spaces[:, 2].astype(np.int64) * bodies.spaces[:, 3]
        if (squares == 1).all():
            return NO_SOFT_LINES[2]
        pairs = AskedPairs.everybody(len(squares)).pairs
        return np.concatenate((np.zeros(1, np.int64), np.cumsum(squares[pairs[:, 0]] * squares[pairs[:, 1]])))

    return once(bodies.kept, _STARTS, found)

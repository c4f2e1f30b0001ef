"""Grades: what the lines from a corner come to where walls hide only a part of a body, or have a word for their cover.

Without such walls the class of four lines (:mod:`gridlos.rules.corners`) says all. With them the degree by walls is a
number of its own, so a class becomes a *graded class*: ``125 degree + class``, in which lines that a wall hides in part
count among those that walls block.

The degree of a corner is the largest over the ranges of the hidden fraction: by the number of lines hidden so much or
more, but no more than such walls give at most; and the largest of the words of which a counted line is tagged.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from gridlos.errors import QuestionError
from gridlos.facts import Hidden, Masks, PairFacts
from gridlos.rules.corners import N_CLASSES, lines_of
from gridlos.rules.model import Edition

__all__ = ["Classes", "Grades", "grades_by_area", "grades_of", "is_graded", "limits_of", "partly_hidden"]

Classes = NDArray[np.uint16]

_UNLIMITED = 255
"""The limit of what has none: above the code of every degree."""


@dataclass(frozen=True, slots=True, eq=False)
class Grades:
    """The lines of every choice and corner, graded.

    Attributes
    ----------
    blocked
        ``(C, 4)`` uint8: nibbles of the lines that count as blocked by walls, in part or wholly.
    levels
        For each range of the hidden fraction that has a limit of its own: how many lines are hidden so much or more,
        ``(C, 4)`` uint8, and the code of the degree that they give at most.
    tags
        ``(C, 4)`` uint8: the largest degree by the words of walls; None: no wall has a word.
    areas
        ``(C, 4)`` uint8: the degree by the hidden part of the target's square; None: lines tell.
    """

    blocked: Masks
    levels: tuple[tuple[Masks, int], ...]
    tags: Masks | None
    areas: Masks | None = None

    def classes(self, classes: Masks, by_lines: Masks) -> Classes:
        """Return the graded classes, ``(C, 4)``; ``by_lines (5,)`` is the degree for 0 … 4 lines."""
        degrees = np.zeros_like(classes) if self.tags is None else self.tags.copy()
        if self.areas is not None:
            np.maximum(degrees, self.areas, out=degrees)
        for lines, at_most in self.levels:
            np.maximum(degrees, np.minimum(by_lines, np.uint8(at_most)).take(lines), out=degrees)
        graded = degrees.astype(np.uint16)
        graded *= np.uint16(N_CLASSES)
        graded += classes
        return graded


def is_graded(edition: Edition, facts: PairFacts) -> bool:
    """Return whether some wall hides only a part, or has a word for its cover, or hidden parts of squares tell degrees."""
    return facts.hidden is not None or facts.tagged is not None or edition.table.by_area is not None


def partly_hidden(edition: Edition, facts: PairFacts) -> Masks:
    """Return the nibbles of the lines that count as blocked by walls, in part or wholly, ``(C, 4)``."""
    if facts.hidden is None:
        return facts.hard
    return _hidden_from(facts.hidden, edition.least_hidden)


def grades_of(edition: Edition, facts: PairFacts, along: Masks | None) -> Grades:
    """Return the grades of facts with such walls; ``along (C, 4)`` are nibbles of lines that are blocked besides."""
    cut_corners, counted = edition.table.cut_corners, facts.counted[:, None]
    levels = [(facts.hard, _UNLIMITED)]
    if facts.hidden is not None:
        levels = [(_hidden_from(facts.hidden, least), at_most) for least, at_most in _levels(edition)]
    if along is not None:
        levels = [(lines | along, at_most) for lines, at_most in levels]
    return Grades(
        blocked=levels[0][0],
        levels=tuple((lines_of(cut_corners, counted, lines), at_most) for lines, at_most in levels),
        tags=_tags(edition, facts),
    )


def grades_by_area(edition: Edition, facts: PairFacts, along: Masks | None) -> Grades:
    """Return the grades where the hidden part of the target's square tells the degree by plain walls.

    What special walls hide, and lines that are blocked besides, are counted as ever.

    Raises
    ------
    QuestionError
        If the facts do not tell how much of the squares is hidden.
    """
    if facts.hidden_area is None:
        raise QuestionError("by_area: these facts do not tell how much of a square is hidden")
    lines = grades_of(edition, facts, along)
    plain = facts.hard if facts.plain is None else facts.plain
    bits = (plain[:, :, None] >> np.arange(4)) & 1
    hidden = None if facts.hidden is None else np.where(bits, np.uint8(Hidden.NONE), facts.hidden)
    special = replace(facts, hard=facts.hard & ~plain, hidden=hidden)
    codes = {part: edition.degree_code_hidden(part) for part in set(facts.hidden_area.ravel().tolist())}
    areas = np.array([codes[part] for part in facts.hidden_area.ravel().tolist()], np.uint8).reshape(plain.shape)
    if edition.table.by_area is not None and edition.table.by_area.only_blocked:
        counted = lines_of(edition.table.cut_corners, facts.counted[:, None], plain)
        areas = np.where(counted > 0, areas, np.uint8(0))
    beside = None if along is None else along & ~plain
    return replace(lines, levels=grades_of(edition, special, beside).levels, areas=areas)


def _levels(edition: Edition) -> list[tuple[Hidden, int]]:
    """Return the ranges that count, the least hidden first, each with its limit, but for those with an earlier limit."""
    first: dict[int, Hidden] = {}
    for code, limit in limits_of(edition):
        if code >= edition.least_hidden:
            first.setdefault(limit, code)
    return [(code, limit) for limit, code in first.items()]


def limits_of(edition: Edition) -> list[tuple[Hidden, int]]:
    """Return every range with the code of the degree that it gives at most."""
    limits = dict.fromkeys(Hidden, _UNLIMITED)
    if (at_most := edition.table.heights.at_most) is not None:
        limits |= {Hidden(k): edition.degrees.index(word) for k, word in enumerate(at_most, Hidden.QUARTER)}
    return list(limits.items())


def _hidden_from(hidden: Masks, least: Hidden) -> Masks:
    """Return the nibbles of the lines that are hidden so much or more, ``(C, 4)``."""
    two_corners = np.packbits(hidden.ravel() >= np.uint8(least), bitorder="little")
    nibbles = np.stack((two_corners & np.uint8(15), two_corners >> np.uint8(4)), axis=1)
    return nibbles.reshape(hidden.shape[:2])


def _tags(edition: Edition, facts: PairFacts) -> Masks | None:
    """Return the largest degree of the words of which a counted line is tagged, ``(C, 4)``; None: there are no words."""
    if facts.tagged is None:
        return None
    counted = facts.counted if edition.table.cut_corners == "ignore" else np.full_like(facts.counted, 15)
    tags = np.zeros_like(facts.hard)
    for word, nibbles in facts.tagged:
        code = np.uint8(edition.degree_code(word))
        np.maximum(tags, code, out=tags, where=(nibbles & counted[:, None]) != 0)
    return tags

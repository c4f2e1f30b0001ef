"""The slow, exact judge of the one line between the centres of two spaces.

It extends ``oracle.py``, ``oracle_heights.py`` and ``oracle_creatures.py`` and keeps their coordinates. The line is the thin
strip from centre to centre without any legs; it begins and ends on all sides of the walls on which a centre lies. A space
without length between the centres is free.
"""

from __future__ import annotations

from fractions import Fraction

import oracle_creatures as creatures
from oracle import Parts, Walls, all_walls, lay_strip, near
from oracle_heights import FRESH, LINE, Body, Heights, Question, code

LARGER = 2  # sizes


def ends(walls: Walls, a, b):
    """The centres of two spaces in doubled lattice units."""
    return tuple(tuple(walls.subdivisions * value for value in centre(space)) for space in (a, b))


def centre(space):
    """The centre of a space in half squares."""
    x, y, width, height = space
    return 2 * x + width, 2 * y + height


def is_blocked(walls: Walls, a, b) -> bool:
    """Whether walls leave no tube between the centres of two spaces, however thin."""
    p, q = ends(walls, a, b)
    if p == q:
        return False
    parts = Parts()
    first, last = lay_strip(parts, "line", p, q, near(all_walls(walls), [p, q]))
    return not any(parts.joined(one, other) for one in first for other in last)


def cost(heights: Heights, a: Body, t: Body, low=None, **walls) -> Fraction:
    """What the walls asked about hide on the line."""
    p, q = ends(heights.base, a.space, t.space)
    if p == q:
        return Fraction(0)
    question = Question(heights, a, None, t, None, low=low, **walls)
    return Fraction(min(question.walk(FRESH, p, q, question.walls([p, q]), LINE)))


def hidden(heights: Heights, a: Body, t: Body, low=None) -> Fraction:
    """The hidden fraction, for cover."""
    return cost(heights, a, t, low)


def tagged(heights: Heights, a: Body, t: Body, word, least=1, low=None) -> bool:
    """Whether hard walls of a word give cover on the line: as ``oracle_heights.tagged`` for lines between corners."""
    plain = code(cost(heights, a, t, low))
    if plain == 7 or code(cost(heights, a, t, low, word=word, is_alone=False)) < least:
        return False
    return plain < least or code(cost(heights, a, t, low, word=word)) >= least


def soft(bodies, ranks, a, t) -> int:
    """0, 1 or 2: nobody stands on the line, somebody, or somebody of two or more sizes more than both ends.

    Large ones count as such where they block the line without the others.
    """
    p, q = centre(bodies[a].space), centre(bodies[t].space)
    there = {
        k
        for k, body in enumerate(bodies)
        if k not in (a, t)
        and creatures.gives_cover_against(body, bodies[a])
        and not any(creatures.belongs_to(bodies, k, end) for end in (a, t))
    }
    large = {k for k in there if ranks[k] >= max(ranks[a], ranks[t]) + LARGER}
    found = [
        level
        for level, group in ((1, there), (2, large))
        if creatures.is_blocked_by(p, q, [tuple(2 * value for value in bodies[k].space) for k in sorted(group)])
    ]
    return max(found, default=0)

"""The slow judge of light: how bright a space is for whom, written from the definitions alone.

A light stands in the square of its point, or in the space of its bearer. It lights a square if the square is near enough,
in whole squares, and if a line of sight joins the light's space to it; it lights its own squares anyway. Whether there is
such a line is asked of ``sight(space, space)``, which may be ``oracle.line_of_effect`` among the walls that stop sight.
Places are ``(x, y, width, height)``; *storeys* are the levels that something fills, as ``(lowest, how many)``.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import product

DARK, DIM, BRIGHT = 0, 1, 2


@dataclass(frozen=True)
class Lamp:
    """A light that burns; radii in feet."""

    space: tuple
    bright: Fraction
    dim: Fraction
    storeys: tuple = (0, 1)


@dataclass(frozen=True)
class Person:
    """Somebody who looks or is looked at; darkvision in feet."""

    space: tuple
    darkvision: Fraction = Fraction(0)
    low_light: bool = False
    storeys: tuple = (0, 1)


@dataclass(frozen=True)
class Rules:
    """What editions disagree about; ``feet`` are those of a square."""

    diagonals: str = "5-10-5"
    doubles: bool = False
    unlimited: bool = False
    feet: Fraction = Fraction(5)


def square_of(point, rows, cols):
    """The square in which a light at that point stands; None beyond the map."""
    on_the_map = []
    for value, count in zip(map(Fraction, point), (cols, rows), strict=True):
        found = [k for k in range(count) if k <= value < k + 1]
        if value == count:
            found = [count - 1]
        if not found:
            return None
        on_the_map += found
    return (*on_the_map, 1, 1)


def squares_of(space):
    x, y, width, height = space
    return [(x + i, y + j) for j in range(height) for i in range(width)]


def steps_away(one, other, diagonals):
    """The length of the way from a square on a storey to another one, in squares: diagonal steps first."""
    gaps = [abs(a - b) for a, b in zip(one, other, strict=True)]
    length, n_diagonal = 0, 0
    while any(gaps):
        moved = [gap > 0 for gap in gaps]
        gaps = [gap - 1 if gap else 0 for gap in gaps]
        if sum(moved) > 1:
            n_diagonal += 1
        length += 2 if sum(moved) > 1 and diagonals == "5-10-5" and n_diagonal % 2 == 0 else 1
    return length


def places(space, storeys):
    return [(*square, storeys[0] + k) for square in squares_of(space) for k in range(storeys[1])]


def distance(one, its_storeys, other, other_storeys, diagonals):
    """Between the nearest squares of two spaces."""
    ways = product(places(one, its_storeys), places(other, other_storeys))
    return min(steps_away(p, q, diagonals) for p, q in ways)


def is_within(distance_in_squares, feet, rules):
    """Whether a distance is within a radius or range of so many feet; nothing is within none."""
    whole = feet // rules.feet
    return feet > 0 and distance_in_squares <= whole


def brightness(sight, lamps, ambient, square, storeys, rules, *, low_light):
    """How bright a square is where nobody asks who looks."""
    found = ambient
    spot = (*square, 1, 1)
    for lamp in lamps:
        factor = 2 if low_light and rules.doubles else 1
        away = distance(lamp.space, lamp.storeys, spot, storeys, rules.diagonals)
        level = DARK
        for radius, gives in ((lamp.dim, DIM), (lamp.bright, BRIGHT)):
            if is_within(away, factor * radius, rules):
                level = gives
        if level > found and (square in squares_of(lamp.space) or sight(lamp.space, spot)):
            found = level
    return found


def light(sight, lamps, ambient, viewer, target, rules):
    """How bright a target is for a viewer: its brightest square that he sees, or of all if he sees none."""
    bright = {
        square: brightness(sight, lamps, ambient, square, target.storeys, rules, low_light=viewer.low_light)
        for square in squares_of(target.space)
    }
    if len(set(bright.values())) == 1 or viewer is target:
        return max(bright.values())
    own = squares_of(viewer.space)
    seen = [level for square, level in bright.items() if square in own or sight(viewer.space, (*square, 1, 1))]
    return max(seen or bright.values())


def is_in_darkvision(viewer, target, rules):
    if rules.unlimited and viewer.darkvision > 0:
        return True
    away = distance(viewer.space, viewer.storeys, target.space, target.storeys, rules.diagonals)
    return is_within(away, viewer.darkvision, rules)

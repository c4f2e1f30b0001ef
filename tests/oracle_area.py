"""The slow, exact judge of hidden fractions, written from the definition alone.

*A point X is hidden from corner P of an attacker square* if the segment P → X meets a wall; a wall that contains P counts
by its sides: hidden is what it parts, round P, from the leg that comes from the square's centre.

The edges of the hidden set lie on few straight lines: those of the walls, and those through P and an end of a wall.
Between two neighbouring places where any of them meet, what an upright line has of hidden points grows evenly from left to
right; so its length in the middle, by the definition from one such line to the next, times the width is exact.

``floating_fraction`` is another judge, in doubles: shapely's union of the shadows of all walls.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import combinations, pairwise

import shapely
from oracle import (
    Parts,
    all_walls,
    arms,
    attach,
    centre_of,
    common_stretch,
    corner_of,
    hull_walls,
    lay_leg,
    near,
    on_wall,
    sectors_beside,
    sign,
    turn,
)


def hidden_fraction(walls, a, ca, b):
    """The hidden share of square ``b`` as seen from corner ``ca`` of square ``a``; ``b`` itself is not solid."""
    walls = replace(walls, solid=walls.solid - {b})
    point = corner_of(walls, a, ca)
    low, high = corner_of(walls, b, 0), corner_of(walls, b, 3)
    own = Surroundings(walls, a, ca)
    found = near(all_walls(walls), [point, low, high])
    lines = lines_across(point, found, low, high)
    places = {low[0], high[0]} | {x for x, y, dx, dy in lines if dx == 0}
    sides = [(*low, 1, 0), (*high, 1, 0)]
    for one, other in combinations([*lines, *sides], 2):
        if (x := meeting(one, other)) is not None and low[0] < x < high[0]:
            places.add(x)
    area = Fraction(0)
    for left, right in pairwise(sorted(places)):
        x = Fraction(left + right) / 2
        heights = {low[1], high[1]} | {y + dy * (x - x0) / dx for x0, y, dx, dy in lines if dx}
        heights = sorted(y for y in heights if low[1] <= y <= high[1])
        for top, bottom in pairwise(heights):
            if is_hidden(point, own, found, (x, Fraction(top + bottom) / 2)):
                area += (right - left) * (bottom - top)
    return area / (2 * walls.subdivisions) ** 2


def is_hidden(point, own, walls, target):
    """Whether the point ``target``, on no line of the walls or of P and their ends, is hidden."""
    direction = target[0] - point[0], target[1] - point[1]
    if not own.reaches(direction):
        return True
    return any(not on_wall(point, wall) and common_stretch(point, target, wall) is not None for wall in walls)


def lines_across(point, walls, low, high):
    """Straight lines that pass the inside of the target square, each once, as a point and a direction."""
    corners = [low, (high[0], low[1]), high, (low[0], high[1])]
    found = {}
    for wall in walls:
        for start, end in (wall, (point, wall[0]), (point, wall[1])):
            if tuple(start) == tuple(end):
                continue
            sides = {sign(turn(start, end, corner)) for corner in corners}
            if {1, -1} <= sides:
                dx, dy = end[0] - start[0], end[1] - start[1]
                slope = Fraction(dy, dx) if dx else None
                key = (slope, start[1] - slope * start[0] if dx else start[0])
                found.setdefault(key, (*start, dx, dy))
    return list(found.values())


def meeting(one, other):
    """The x at which two straight lines meet; None if they are parallel."""
    (x0, y0, dx, dy), (x1, y1, ex, ey) = one, other
    slant = dx * ey - dy * ex
    if slant == 0:
        return None
    return x0 + dx * Fraction((x1 - x0) * ey - (y1 - y0) * ex, slant)


class Surroundings:
    """What can be reached round a corner of a square from the square's centre."""

    def __init__(self, walls, square, corner):
        self.parts = Parts()
        found = hull_walls(walls, square, square)
        centre, point = centre_of(walls, square), corner_of(walls, square, corner)
        self.begin, (left, right) = lay_leg(self.parts, "leg", centre, point, found)
        self.is_cut_off = not any(self.parts.joined(self.begin, side) for side in (left, right))
        self.arms = arms(point, found)
        attach(self.parts, "P", self.arms, (centre[0] - point[0], centre[1] - point[1]), left, right)

    def reaches(self, direction):
        """Whether a direction, along which no wall leaves, lies on the square's own side of all walls."""
        sector, _ = sectors_beside(self.arms, direction)
        return not self.is_cut_off and self.parts.joined(self.begin, ("P", sector))


def floating_fraction(walls, a, ca, b):
    """The hidden fraction in doubles, for a corner that no wall contains or cuts off; None for others."""
    walls = replace(walls, solid=walls.solid - {b})
    unit = 2 * walls.subdivisions
    px, py = corner_of(walls, a, ca)
    low, high = (((x - px) / unit, (y - py) / unit) for x, y in (corner_of(walls, b, 0), corner_of(walls, b, 3)))
    own = Surroundings(walls, a, ca)
    if own.is_cut_off or own.arms:
        return None
    square = shapely.box(*low, *high)
    hull = shapely.box(min(low[0], 0), min(low[1], 0), max(high[0], 0), max(high[1], 0))
    shadows = []
    for wall in all_walls(walls):
        line = shapely.LineString([((x - px) / unit, (y - py) / unit) for x, y in wall])
        part = line.intersection(hull)
        if part.length > 0 and (distance := part.distance(shapely.Point(0, 0))) > 0:
            ends = list(part.coords)
            far = 1 + (hull.length / distance)
            shadow = shapely.Polygon([*ends, *((far * x, far * y) for x, y in ends[::-1])])
            if shadow.area > 1e-9:
                shadows.append(shadow.buffer(0) if not shadow.is_valid else shadow)
    return shapely.union_all(shadows).intersection(square).area if shadows else 0.0

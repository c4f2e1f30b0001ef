"""The slow, exact judge of corner lines and line of effect, written from the definitions alone.

It shares no code with the package and uses only integers and fractions. Inside, one square is ``2 * subdivisions``
units, so that corners, centres and wall ends are all whole numbers; a *wall* is a pair of points.

*A line* is the path centre → P → Q → centre. Walls cut the thin strip along it and the small discs round P and round Q
into parts; the parts are joined in a union-find structure wherever nothing lies between them, and the line is free when
the two ends hang together.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cmp_to_key, lru_cache
from itertools import pairwise, product
from math import gcd

CLEAR, TOUCHES, BLOCKED = 0, 1, 2

Point = tuple
Wall = tuple


@dataclass(frozen=True)
class Walls:
    """What stops lines in one channel."""

    rows: int
    cols: int
    subdivisions: int
    solid: frozenset = frozenset()  # (x, y) of solid squares; everything outside the map is solid too
    edges: frozenset = frozenset()  # unit grid edges (x0, y0, x1, y1) in grid corners
    segments: tuple = ()  # free walls (x0, y0, x1, y1) in lattice units


# ---- plane geometry


def turn(o, a, b):
    """Twice the signed area of the triangle o, a, b: its sign is the side of the line o → a on which b lies."""
    return (a[0] - o[0]) * (b[1] - o[1]) - (a[1] - o[1]) * (b[0] - o[0])


def sign(value):
    return (value > 0) - (value < 0)


def on_wall(point, wall):
    """Whether the point lies on the wall, ends included."""
    (x0, y0), (x1, y1) = wall
    x, y = point
    inside = min(x0, x1) <= x <= max(x0, x1) and min(y0, y1) <= y <= max(y0, y1)
    return inside and turn(wall[0], wall[1], point) == 0


def common_stretch(start, end, wall):
    """The first and the last fraction of the way from start to end at which the wall is met; None if nowhere."""
    dx, dy = end[0] - start[0], end[1] - start[1]
    (x0, y0), (x1, y1) = wall
    side0, side1 = turn(start, end, wall[0]), turn(start, end, wall[1])
    if side0 == side1 == 0:
        length = dx * dx + dy * dy
        t0 = Fraction((x0 - start[0]) * dx + (y0 - start[1]) * dy, length)
        t1 = Fraction((x1 - start[0]) * dx + (y1 - start[1]) * dy, length)
        low, high = max(min(t0, t1), Fraction(0)), min(max(t0, t1), Fraction(1))
        return (low, high) if low <= high else None
    if side0 * side1 > 0:
        return None
    from_start, from_end = turn(wall[0], wall[1], start), turn(wall[0], wall[1], end)
    if from_start * from_end > 0:
        return None
    t = Fraction(from_start, from_start - from_end)
    return t, t


def merged(walls):
    """The same points as the longest possible walls: no two of them overlap in a stretch or continue each other."""
    on_line = {}
    for (x0, y0), (x1, y1) in walls:
        if (x0, y0) == (x1, y1):
            continue
        dx, dy = x1 - x0, y1 - y0
        g = gcd(dx, dy)
        dx, dy = dx // g, dy // g
        if (dx, dy) < (0, 0):
            dx, dy = -dx, -dy
        ends = sorted(((x0, y0), (x1, y1)))
        on_line.setdefault((dx, dy, dx * y0 - dy * x0), []).append(ends)
    result = []
    for parts in on_line.values():
        parts.sort()
        low, high = parts[0]
        for start, end in parts[1:]:
            if start > high:
                result.append((low, high))
                low, high = start, end
            else:
                high = max(high, end)
        result.append((low, high))
    return result


@lru_cache(maxsize=256)
def all_walls(walls: Walls):
    """Every wall of the map and its border, merged, in doubled lattice units."""
    unit = 2 * walls.subdivisions
    sides = [(0, 0, walls.cols, 0), (0, walls.rows, walls.cols, walls.rows)]
    sides += [(0, 0, 0, walls.rows), (walls.cols, 0, walls.cols, walls.rows)]
    for x, y in walls.solid:
        sides += [(x, y, x + 1, y), (x, y + 1, x + 1, y + 1), (x, y, x, y + 1), (x + 1, y, x + 1, y + 1)]
    sides += walls.edges
    found = [((unit * x0, unit * y0), (unit * x1, unit * y1)) for x0, y0, x1, y1 in sides]
    found += [((2 * x0, 2 * y0), (2 * x1, 2 * y1)) for x0, y0, x1, y1 in walls.segments]
    return tuple(merged(found))


def corner_of(walls, square, corner):
    unit = 2 * walls.subdivisions
    return unit * (square[0] + (corner & 1)), unit * (square[1] + (corner >> 1))


def centre_of(walls, square):
    unit = 2 * walls.subdivisions
    return unit * square[0] + unit // 2, unit * square[1] + unit // 2


def near(walls, points):
    """The walls that meet the upright rectangle round the points, and perhaps some more."""
    x0, x1 = min(p[0] for p in points), max(p[0] for p in points)
    y0, y1 = min(p[1] for p in points), max(p[1] for p in points)
    return [
        (a, b)
        for a, b in walls
        if max(a[0], b[0]) >= x0 and min(a[0], b[0]) <= x1 and max(a[1], b[1]) >= y0 and min(a[1], b[1]) <= y1
    ]


# ---- the corner line


class Parts:
    """Parts of the strip and of its discs, joined where one can pass from one to the other."""

    def __init__(self):
        self._parent = {}

    def root(self, part):
        while (parent := self._parent.get(part, part)) != part:
            part = parent
        return part

    def join(self, one, other):
        self._parent[self.root(one)] = self.root(other)

    def joined(self, one, other):
        return self.root(one) == self.root(other)


def around(direction):
    """Which half turn a direction lies in."""
    return 0 if direction[1] > 0 or (direction[1] == 0 and direction[0] > 0) else 1


def by_angle(one, other):
    return around(one) - around(other) or -sign(one[0] * other[1] - one[1] * other[0])


def same_direction(one, other):
    return by_angle(one, other) == 0


def arms(point, walls):
    """The directions in which walls leave the point, without repetition, sorted by angle."""
    found = []
    for wall in walls:
        if not on_wall(point, wall):
            continue
        for end, other in (wall, wall[::-1]):
            direction = (end[0] - other[0], end[1] - other[1])
            if tuple(end) != tuple(point) and not any(same_direction(direction, known) for known in found):
                found.append(direction)
    return sorted(found, key=cmp_to_key(by_angle))


def sectors_beside(directions, direction):
    """The numbers of the sectors just clockwise and just counter-clockwise of a direction.

    Sector i lies between directions i and i + 1; none or one direction leaves a single sector 0.
    """
    n = len(directions)
    if n < 2:
        return 0, 0
    for i, known in enumerate(directions):
        if same_direction(known, direction):
            return (i - 1) % n, i
    before = sum(by_angle(known, direction) < 0 for known in directions)
    return (before - 1) % n, (before - 1) % n


def attach(parts, disc, directions, direction, clockwise, counter):
    """Join the two sides of a strip that leaves a disc in a direction to the sectors into which it opens."""
    low, high = sectors_beside(directions, direction)
    parts.join(clockwise, (disc, low))
    parts.join(counter, (disc, high))


def lay_strip(parts, name, start, end, walls):
    """Join the parts of the thin strip from start to end; the left and the right side of its two ends."""
    meetings = [m for wall in walls if (m := common_stretch(start, end, wall)) is not None]
    stops = sorted({Fraction(0), Fraction(1)} | {t for m in meetings for t in m})
    direction = (end[0] - start[0], end[1] - start[1])
    backward = (-direction[0], -direction[1])

    stretches = []
    for i, (t0, t1) in enumerate(pairwise(stops)):
        covered = any(m0 <= t0 and t1 <= m1 for m0, m1 in meetings)
        stretches.append(((name, i, "left"), (name, i, "right")) if covered else ((name, i, "all"), (name, i, "all")))
    for i in range(1, len(stops) - 1):
        point = (start[0] + stops[i] * direction[0], start[1] + stops[i] * direction[1])
        directions = arms(point, walls)
        left, right = stretches[i - 1]
        attach(parts, (name, i), directions, backward, left, right)
        left, right = stretches[i]
        attach(parts, (name, i), directions, direction, right, left)
    return stretches[0], stretches[-1]


def lay_leg(parts, name, centre, corner, walls):
    """Join the parts of the leg from a centre to a corner; its beginning and its two sides on arrival."""
    (begin, _), last = lay_strip(parts, name, centre, corner, [w for w in walls if not on_wall(centre, w)])
    return begin, last


def is_blocked(walls, a, ca, b, cb, found):
    """Whether the walls found leave no way along centre → P → Q → centre, however thin."""
    parts = Parts()
    p, q = corner_of(walls, a, ca), corner_of(walls, b, cb)
    ends = []
    for name, square, corner in (("a", a, p), ("b", b, q)):
        centre = centre_of(walls, square)
        begin, (left, right) = lay_leg(parts, name, centre, corner, found)
        disc = "P" if name == "a" or p == q else "Q"
        to_centre = (centre[0] - corner[0], centre[1] - corner[1])
        attach(parts, disc, arms(corner, found), to_centre, left, right)
        ends.append(begin)
    if p != q:
        first, last = lay_strip(parts, "line", p, q, found)
        attach(parts, "P", arms(p, found), (q[0] - p[0], q[1] - p[1]), first[1], first[0])
        attach(parts, "Q", arms(q, found), (p[0] - q[0], p[1] - q[1]), last[0], last[1])
    return not parts.joined(*ends)


def hull_walls(walls, a, b):
    """The walls near two squares."""
    return near(all_walls(walls), [corner_of(walls, s, c) for s in (a, b) for c in (0, 3)])


def contact(walls: Walls, a, ca, b, cb) -> int:
    """0, 1 or 2: the line from corner ca of a to corner cb of b is clear, touches a wall, or is blocked."""
    found = hull_walls(walls, a, b)
    if is_blocked(walls, a, ca, b, cb, found):
        return BLOCKED
    p, q = corner_of(walls, a, ca), corner_of(walls, b, cb)
    if p == q:
        touched = any(on_wall(p, wall) for wall in found)
    else:
        touched = any(common_stretch(p, q, wall) is not None for wall in found)
    return TOUCHES if touched else CLEAR


def cut_off(walls: Walls, square, corner) -> bool:
    """Whether walls part the corner from the centre of its own square before one arrives at it."""
    parts = Parts()
    found = hull_walls(walls, square, square)
    begin, last = lay_leg(parts, "leg", centre_of(walls, square), corner_of(walls, square, corner), found)
    return not any(parts.joined(begin, side) for side in last)


def blocked_nibbles(walls: Walls, a, b) -> list:
    """For each corner of a the nibble of those corners of b whose line is blocked."""
    found = hull_walls(walls, a, b)
    return [sum(is_blocked(walls, a, ca, b, cb, found) << cb for cb in range(4)) for ca in range(4)]


def squares_of(space):
    x, y, width, height = space
    return [(x + i, y + j) for j in range(height) for i in range(width)]


def any_free(walls: Walls, space_a, space_b) -> bool:
    """Whether some corner line between squares of the two spaces is not blocked; a cut-off corner blocks all its lines."""
    pairs = product(squares_of(space_a), squares_of(space_b))
    return any(nibble != 15 for a, b in pairs for nibble in blocked_nibbles(walls, a, b))

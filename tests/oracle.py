"""The slow, exact judge of corner lines and line of effect, written from the definitions alone.

It shares no code with the package and uses only integers and fractions. Inside, one square is ``2 * subdivisions``
units, so that corners, centres and wall ends are all whole numbers; a *wall* is a pair of points.

*A line* is the path centre → P → Q → centre. Walls cut the thin strip along it and the small discs round P and round Q
into parts; the parts are joined in a union-find structure wherever nothing lies between them, and the line is free when
the two ends hang together.

*Line of effect* asks for one free segment between the seen parts of two spaces. One concrete line from every class of
lines that can differ is tried; a segment that is found is checked by the definition.
"""

from __future__ import annotations

from bisect import bisect
from dataclasses import dataclass
from fractions import Fraction
from functools import cmp_to_key, lru_cache
from itertools import combinations, islice, pairwise, product
from math import gcd, lcm

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


def near(walls, points, wall_of=lambda wall: wall):
    """The walls that meet the upright rectangle round the points, and perhaps some more."""
    x0, x1 = min(p[0] for p in points), max(p[0] for p in points)
    y0, y1 = min(p[1] for p in points), max(p[1] for p in points)
    found = []
    for wall in walls:
        (ax, ay), (bx, by) = wall_of(wall)
        if (ax >= x0 or bx >= x0) and (ax <= x1 or bx <= x1) and (ay >= y0 or by >= y0) and (ay <= y1 or by <= y1):
            found.append(wall)
    return found


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
    return leaving(point, [wall for wall in walls if on_wall(point, wall)])


def leaving(point, walls):
    """The directions in which walls that contain the point leave it, without repetition, sorted by angle."""
    found = []
    for wall in walls:
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
    found = [(m, wall) for wall in walls if (m := common_stretch(start, end, wall)) is not None]
    stops = sorted({Fraction(0), Fraction(1)} | {t for m, _ in found for t in m})
    number = {stop: i for i, stop in enumerate(stops)}
    meetings = [(number[first], number[last], wall) for (first, last), wall in found]
    direction = (end[0] - start[0], end[1] - start[1])
    backward = (-direction[0], -direction[1])

    stretches = []
    for i in range(len(stops) - 1):
        covered = any(first <= i < last for first, last, _ in meetings)
        stretches.append(((name, i, "left"), (name, i, "right")) if covered else ((name, i, "all"), (name, i, "all")))
    for i in range(1, len(stops) - 1):
        met = [wall for first, last, wall in meetings if first <= i <= last]
        directions = leaving(on_the_way(start, end, stops[i]), met)
        left, right = stretches[i - 1]
        attach(parts, (name, i), directions, backward, left, right)
        left, right = stretches[i]
        attach(parts, (name, i), directions, direction, right, left)
    return stretches[0], stretches[-1]


def lay_leg(parts, name, centre, corner, walls):
    """Join the parts of the leg from a centre to a corner; its beginning and its two sides on arrival."""
    (begin, _), last = lay_strip(parts, name, centre, corner, [w for w in walls if not on_wall(centre, w)])
    return begin, last


@lru_cache(maxsize=4096)
def leg(walls: Walls, square, corner):
    """Numbers of the beginning of a square's leg to its corner and of its two sides there: equal where they hang together."""
    parts = Parts()
    found = hull_walls(walls, square, square)
    begin, last = lay_leg(parts, "leg", centre_of(walls, square), corner_of(walls, square, corner), found)
    roots = [parts.root(part) for part in (begin, *last)]
    return tuple(roots.index(root) for root in roots)


@lru_cache(maxsize=4096)
def corner_arms(walls: Walls, square, corner):
    """The directions in which walls leave a square's corner."""
    return arms(corner_of(walls, square, corner), hull_walls(walls, square, square))


def is_blocked(walls, a, ca, b, cb, found):
    """Whether the walls found leave no way along centre → P → Q → centre, however thin."""
    parts = Parts()
    p, q = corner_of(walls, a, ca), corner_of(walls, b, cb)
    ends = []
    for name, square, c, corner in (("a", a, ca, p), ("b", b, cb, q)):
        begin, left, right = ((name, number) for number in leg(walls, square, c))
        centre = centre_of(walls, square)
        disc = "P" if name == "a" or p == q else "Q"
        to_centre = (centre[0] - corner[0], centre[1] - corner[1])
        attach(parts, disc, corner_arms(walls, square, c), to_centre, left, right)
        ends.append(begin)
    if p != q:
        first, last = lay_strip(parts, "line", p, q, found)
        attach(parts, "P", corner_arms(walls, a, ca), (q[0] - p[0], q[1] - p[1]), first[1], first[0])
        attach(parts, "Q", corner_arms(walls, b, cb), (p[0] - q[0], p[1] - q[1]), last[0], last[1])
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
    begin, left, right = leg(walls, square, corner)
    return begin not in (left, right)


def blocked_nibbles(walls: Walls, a, b) -> list:
    """For each corner of a the nibble of those corners of b whose line is blocked."""
    found = hull_walls(walls, a, b)
    return [sum(is_blocked(walls, a, ca, b, cb, found) << cb for cb in range(4)) for ca in range(4)]


def squares_of(space):
    x, y, width, height = space
    return [(x + i, y + j) for j in range(height) for i in range(width)]


def any_free(walls: Walls, space_a, space_b) -> bool:
    """Whether some corner line between squares of the spaces is not blocked; a cut-off corner blocks all its lines."""
    pairs = product(squares_of(space_a), squares_of(space_b))
    return any(nibble != 15 for a, b in pairs for nibble in blocked_nibbles(walls, a, b))


# ---- what the centre of a square sees


def clipped(wall, square):
    """The two ends of the part of the wall in a closed square (low corner, high corner); None if it has none."""
    (x0, y0), (x1, y1) = wall
    dx, dy = x1 - x0, y1 - y0
    first, last = Fraction(0), Fraction(1)
    for step, room in (
        (-dx, x0 - square[0][0]),
        (dx, square[1][0] - x0),
        (-dy, y0 - square[0][1]),
        (dy, square[1][1] - y0),
    ):
        if step == 0 and room < 0:
            return None
        if step < 0:
            first = max(first, Fraction(room, step))
        if step > 0:
            last = min(last, Fraction(room, step))
    if first > last:
        return None
    return (x0 + first * dx, y0 + first * dy), (x0 + last * dx, y0 + last * dy)


def enters(part, square):
    """Whether a part that lies in a closed square has a point inside it."""
    (x0, y0), (x1, y1) = part
    x, y = (x0 + x1) / 2, (y0 + y1) / 2
    return square[0][0] < x < square[1][0] and square[0][1] < y < square[1][1]


def on_the_way(start, end, t):
    """The point at fraction t of the way."""
    return start[0] + t * (end[0] - start[0]), start[1] + t * (end[1] - start[1])


def ahead(centre, direction, wall):
    """How many times the direction leads from the centre to the wall; None if it passes beside it or along it."""
    run = (wall[1][0] - wall[0][0], wall[1][1] - wall[0][1])
    to = (wall[0][0] - centre[0], wall[0][1] - centre[1])
    slant = direction[0] * run[1] - direction[1] * run[0]
    if slant == 0:
        return None
    distance = Fraction(to[0] * run[1] - to[1] * run[0], slant)
    place = Fraction(to[0] * direction[1] - to[1] * direction[0], slant)
    return distance if distance > 0 and 0 <= place <= 1 else None


def seen_pieces(walls, low, high):
    """What the centre of a square sees of its inside, as open convex pieces free of walls; and their critical vertices.

    Walls that contain the centre hide nothing, but pieces end at them. A piece is a tuple of points. The centre is a
    critical vertex only where a wall contains it: elsewhere the pieces round it hang together.
    """
    square = (low, high)
    corners = [low, (high[0], low[1]), high, (low[0], high[1])]
    centre = (Fraction(low[0] + high[0], 2), Fraction(low[1] + high[1], 2))
    inside = [part for wall in walls if (part := clipped(wall, square)) is not None and enters(part, square)]
    if not inside:
        return [tuple(corners)], corners
    through = [part for part in inside if on_wall(centre, part)]
    hiding = [part for part in inside if not on_wall(centre, part)]
    places = corners + [end for part in inside for end in part]
    in_line = [part for part in hiding if turn(centre, *part) == 0]
    along = [(x - centre[0], y - centre[1]) for (x, y), _ in in_line]
    for one, other in combinations(hiding, 2):
        if (meeting := common_stretch(*one, other)) is not None:
            places += [on_the_way(*one, t) for t in meeting]
    directions = sorted({(x - centre[0], y - centre[1]) for x, y in places} - {(0, 0)}, key=cmp_to_key(by_angle))
    directions = [d for i, d in enumerate(directions) if i == 0 or not same_direction(d, directions[i - 1])]

    obstacles = hiding + list(pairwise([*corners, corners[0]]))
    pieces, behind = [], None
    for one, other in pairwise([*directions, directions[0]]):
        middle = (one[0] + other[0], one[1] + other[1])
        hits = [(distance, wall) for wall in obstacles if (distance := ahead(centre, middle, wall)) is not None]
        nearest = min(hits, key=lambda hit: hit[0])[1]
        first, last = along_line(centre, one, nearest), along_line(centre, other, nearest)
        if nearest is behind and not through and not any(same_direction(one, d) for d in along):
            first = pieces.pop()[1]
        pieces.append((centre, first, last))
        behind = nearest
    vertices = [point for piece in pieces for point in (piece if through else piece[1:])]
    return pieces, vertices


@lru_cache(maxsize=4096)
def square_pieces(walls: Walls, square):
    """What :func:`seen_pieces` finds in a square of the map."""
    low, high = corner_of(walls, square, 0), corner_of(walls, square, 3)
    return seen_pieces(near(all_walls(walls), (low, high)), low, high)


def along_line(centre, direction, wall):
    """Where the direction from the centre meets the endless line of the wall."""
    run = (wall[1][0] - wall[0][0], wall[1][1] - wall[0][1])
    to = (wall[0][0] - centre[0], wall[0][1] - centre[1])
    distance = Fraction(to[0] * run[1] - to[1] * run[0], direction[0] * run[1] - direction[1] * run[0])
    return centre[0] + distance * direction[0], centre[1] + distance * direction[1]


# ---- line of effect


def convex_hull(points):
    """The corners of the convex hull, counter-clockwise, no three of them on a line."""
    points = sorted(set(points))
    halves = []
    for row in (points, points[::-1]):
        half = []
        for point in row:
            while len(half) > 1 and turn(half[-2], half[-1], point) <= 0:
                half.pop()
            half.append(point)
        halves += half[:-1]
    return halves


def meets_hull(wall, hull):
    """Whether a wall has a point in common with a closed convex polygon: no line along a side of either parts them."""
    if any(turn(a, b, wall[0]) < 0 and turn(a, b, wall[1]) < 0 for a, b in pairwise([*hull, hull[0]])):
        return False
    sides = [turn(*wall, corner) for corner in hull]
    return min(sides) <= 0 <= max(sides)


def meets(p, q, wall):
    """Whether the closed segment p → q has a point in common with the wall."""
    return on_wall(p, wall) if p == q else common_stretch(p, q, wall) is not None


def mean(points):
    return tuple(sum(values, Fraction(0)) / len(points) for values in zip(*points, strict=True))


def middle_of(piece):
    """The mean of three or four points whose coordinates are multiples of 12."""
    return tuple(sum(values) // len(piece) for values in zip(*piece, strict=True))


def scaled(factor, point):
    x, y = factor * point[0], factor * point[1]
    return int(x), int(y)


def measured(origin, direction, points):
    """The side of a straight line on which each point lies, and how far along the line, in units of its own."""
    dx, dy = direction
    moved = [(x - origin[0], y - origin[1]) for x, y in points]
    return [(dx * y - dy * x, dx * x + dy * y) for x, y in moved]


def crossed(one, other):
    """How far along the line it meets the segment between two measured points on different sides."""
    return Fraction(one[1] * other[0] - other[1] * one[0], other[0] - one[0])


def free_segment(origin, direction, walls, pieces_a, pieces_b):
    """A segment without walls on a straight line, from inside a piece of A to inside a piece of B; None if none is."""
    ends = [measured(origin, direction, wall) for wall in walls]
    stops = sorted(crossed(v, w) for v, w in ends if v[0] * w[0] <= 0 and v[0] != w[0])

    def gaps(pieces):
        """By number of stops before it, one place of the line in the inside of a piece."""
        found = {}
        for piece in pieces:
            vertices = measured(origin, direction, piece)
            if min(vertices)[0] >= 0 or max(vertices)[0] <= 0:
                continue
            sides = pairwise([*vertices, vertices[0]])
            places = [crossed(v, w) for v, w in sides if v[0] * w[0] <= 0 and v[0] != w[0]]
            middle = (min(places) + max(places)) / 2
            found[bisect(stops, middle)] = middle
        return found

    in_a = gaps(pieces_a)
    in_b = gaps(pieces_b) if in_a else {}
    shared = in_a.keys() & in_b.keys()
    if not shared:
        return None
    gap = min(shared)
    scale = direction[0] ** 2 + direction[1] ** 2
    ahead_of_origin = (origin[0] + direction[0], origin[1] + direction[1])
    return [on_the_way(origin, ahead_of_origin, places[gap] / scale) for places in (in_a, in_b)]


def lines_through(points):
    """Every straight line through two of the points, once: the points on it in order, and its direction."""
    for i, (x0, y0) in enumerate(points):
        for j in range(i + 1, len(points)):
            dx, dy = points[j][0] - x0, points[j][1] - y0
            offset = dx * y0 - dy * x0
            sides = [dx * y - dy * x - offset for x, y in points]
            on_line = [k for k, side in enumerate(sides) if side == 0]
            if on_line[0] == i and on_line[1] == j:
                yield sorted((points[k] for k in on_line), key=lambda p: p[0] * dx + p[1] * dy), (dx, dy)


def beside(on_line, direction, points):
    """One concrete line of every class that a line through the points reaches by the smallest shift or turn.

    A turn about a place between two neighbouring points on the line, or beyond the last, parts those behind from those
    ahead; it is so small that every point off the line keeps its side.
    """
    dx, dy = direction
    turned = [((a[0] + b[0]) // 2, (a[1] + b[1]) // 2) for a, b in pairwise(on_line)]
    turned.append((on_line[-1][0] + dx, on_line[-1][1] + dy))
    for x, y in turned:
        reach = 1 + max(abs(dx * (px - x) + dy * (py - y)) for px, py in points)
        yield (x, y), (reach * dx - dy, reach * dy + dx)
        yield (x, y), (reach * dx + dy, reach * dy - dx)


def is_seen(walls, square, point):
    """Whether the point lies inside the square and the square's centre sees it, straight from the definition."""
    unit = 2 * walls.subdivisions
    if not all(unit * square[i] < point[i] < unit * (square[i] + 1) for i in range(2)):
        return False
    centre = centre_of(walls, square)
    between = near(all_walls(walls), (centre, point))
    return not any(meets(centre, point, wall) for wall in between if not on_wall(centre, wall))


def check_free_segment(walls, space_a, space_b, segment):
    """Fail unless the segment proves line of effect between the spaces."""
    for point, space in zip(segment, (space_a, space_b), strict=True):
        assert any(is_seen(walls, square, point) for square in squares_of(space)), (walls, space, point)
    assert not any(meets(*segment, wall) for wall in near(all_walls(walls), segment)), (walls, space_a, space_b, segment)


def line_of_effect(walls: Walls, space_a, space_b) -> bool:
    """Whether a straight segment without walls joins seen inner points of the two spaces (x, y, width, height)."""
    shared = set(squares_of(space_a)) & set(squares_of(space_b))
    return bool(shared) or proof_of_effect(walls, space_a, space_b) is not None


def proof_of_effect(walls: Walls, space_a, space_b):
    """The two ends of a segment that gives two separate spaces line of effect (doubled lattice units); None if none is.

    Whether a straight line holds such a segment depends only on the walls and pieces it meets and on their order. That
    changes only where the line passes an end of a wall or a vertex of a piece, so all lines with the same of these
    points on their left agree, and each such class holds a line as near as one likes to a line through two of the
    points. Walls that miss the convex hull of the two spaces are never in between.
    """
    unit = 2 * walls.subdivisions
    boxes = [((unit * x, unit * y), (unit * (x + w), unit * (y + h))) for x, y, w, h in (space_a, space_b)]
    hull = convex_hull([(box[i][0], box[j][1]) for box in boxes for i in (0, 1) for j in (0, 1)])
    relevant = [wall for wall in near(all_walls(walls), hull) if meets_hull(wall, hull)]
    pieces, points = [], {end for wall in relevant for end in wall}
    for space in (space_a, space_b):
        found = []
        for square in squares_of(space):
            more, vertices = square_pieces(walls, square)
            found += more
            points.update(vertices)
        pieces.append(found)

    factor = 24 * lcm(*(value.denominator for point in points for value in point))
    relevant = [tuple(scaled(factor, end) for end in wall) for wall in relevant]
    pieces = [[tuple(scaled(factor, point) for point in piece) for piece in some] for some in pieces]
    points = sorted(scaled(factor, point) for point in points)
    segment = search(relevant, pieces, points, [[scaled(factor, end) for end in box] for box in boxes])
    if segment is None:
        return None
    proof = [(Fraction(x) / factor, Fraction(y) / factor) for x, y in segment]
    check_free_segment(walls, space_a, space_b, proof)
    return proof


def is_hopeless(origin, direction, walls, boxes):
    """Whether a straight line misses a box or is crossed between the two, so that no line just beside it can help."""
    spans = []
    for (x0, y0), (x1, y1) in boxes:
        corners = measured(origin, direction, ((x0, y0), (x1, y0), (x1, y1), (x0, y1)))
        if min(corners)[0] > 0 or max(corners)[0] < 0:
            return True
        places = [far for side, far in corners if side == 0]
        places += [crossed(v, w) for v, w in pairwise([*corners, corners[0]]) if v[0] * w[0] < 0]
        spans.append((min(places), max(places)))
    (_, after), (before, _) = sorted(spans)
    if after >= before:
        return False
    ends = (measured(origin, direction, wall) for wall in walls)
    return any(v[0] * w[0] < 0 and after < crossed(v, w) < before for v, w in ends)


def search(relevant, pieces, points, boxes):
    """A free segment from a piece of the one to a piece of the other space, in whole numbers; None if there is none."""
    for one, other in islice(product(*pieces), 100):
        segment = middle_of(one), middle_of(other)
        if not any(meets(*segment, wall) for wall in relevant):
            return segment
    for on_line, direction in lines_through(points):
        if is_hopeless(on_line[0], direction, relevant, boxes):
            continue
        for origin, turned in beside(on_line, direction, points):
            if (segment := free_segment(origin, turned, relevant, *pieces)) is not None:
                return segment
    return None

"""The slow, exact judge of limited and one-way walls: it extends ``oracle.py``, with the same coordinates.

Every wall has two *tolls*: for whoever crosses it from its left and from its right. A hard wall cannot be crossed from
either side; a limited wall costs 1 from either; a one-way wall stops from its left only. Seen from its first end to its
second, with y down, the left of a wall drawn downward is east.

*A line* is the path centre → P → Q → centre; its toll is the least over all nudged paths, from the first centre to the
second: 0, 1, or 2 for blocked. The thin strip along the path and the small discs round P, Q and every place where a wall
is met are parted by the walls; the parts are places of a graph, and the crossings its steps. Walls that meet at one
point are crossed there as one.

*Line of effect* asks for one straight segment between inner points of two spaces whose toll is below 2; what the centre
of a square sees of its own inside are the points to which the toll is below 2. Only segments count that may be turned a
little, so a point where walls cross is crossed as two.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from functools import cmp_to_key, lru_cache
from itertools import combinations, islice, pairwise, product
from math import lcm
from operator import itemgetter

from oracle import (
    Walls,
    ahead,
    all_walls,
    beside,
    by_angle,
    centre_of,
    clipped,
    common_stretch,
    convex_hull,
    corner_of,
    crossed,
    enters,
    is_hopeless,
    lines_through,
    mean,
    measured,
    meets_hull,
    merged,
    near,
    on_the_way,
    on_wall,
    same_direction,
    scaled,
    sectors_beside,
    squares_of,
    turn,
)

BLOCKED = 2
HARD, LIMITED, ONE_WAY, LIMITED_ONE_WAY = (2, 2), (1, 1), (2, 0), (1, 0)  # tolls from the left, from the right


@dataclass(frozen=True)
class Special:
    """Walls of one channel: hard ones, and further segments in lattice units (x0, y0, x1, y1)."""

    base: Walls
    limited: tuple = ()
    one_way: tuple = ()  # they stop what comes from their left
    limited_one_way: tuple = ()


def flipped_tolls(tolls):
    return tolls[1], tolls[0]


@lru_cache(maxsize=256)
def tolled(special: Special):
    """All walls with their tolls, merged within each kind, in doubled lattice units, drawn from low to high."""
    groups = {}
    for segments, tolls in (
        (special.limited, LIMITED),
        (special.one_way, ONE_WAY),
        (special.limited_one_way, LIMITED_ONE_WAY),
    ):
        for x0, y0, x1, y1 in segments:
            start, end = (2 * x0, 2 * y0), (2 * x1, 2 * y1)
            if start < end:
                groups.setdefault(tolls, []).append((start, end))
            elif end < start:
                groups.setdefault(flipped_tolls(tolls), []).append((end, start))
    found = [(wall, HARD) for wall in all_walls(special.base)]
    return tuple(found + [(wall, tolls) for tolls, walls in sorted(groups.items()) for wall in merged(walls)])


def near_tolled(walls, points):
    """The walls that meet the upright rectangle round the points."""
    return near(walls, points, itemgetter(0))


# ---- the corner line


@dataclass
class Graph:
    """Places, and the steps between them that cost 0 or 1."""

    steps: dict = field(default_factory=dict)

    def step(self, one, other, cost):
        if cost < BLOCKED:
            self.steps.setdefault(one, []).append((other, cost))

    def join(self, one, other):
        self.step(one, other, 0)
        self.step(other, one, 0)

    def toll(self, starts, goals):
        """The least cost of a way from one of the starts to one of the goals; 2 if it is that or more."""
        reached = set()
        frontier = set(starts)
        for cost in (0, 1):
            entered = set()
            while frontier:
                place = frontier.pop()
                if place in reached:
                    continue
                reached.add(place)
                for other, price in self.steps.get(place, ()):
                    (entered if price else frontier).add(other)
            if reached & set(goals):
                return cost
            frontier = entered
        return BLOCKED


def arms(point, walls):
    """The directions in which walls leave a point, sorted by angle, with the tolls of crossing them there.

    A toll pair is (with the angle, against it): for whoever goes round the point in the sense of growing angles, and for
    whoever goes the other way. Of several walls in one direction the dearest counts.
    """
    found = []
    for wall, tolls in walls:
        if not on_wall(point, wall):
            continue
        for (other, end), sided in ((wall, tolls), (wall[::-1], flipped_tolls(tolls))):
            if tuple(end) == tuple(point):
                continue
            direction = (end[0] - other[0], end[1] - other[1])  # its left has the smaller angles
            same = [k for k, (known, _) in enumerate(found) if same_direction(direction, known)]
            if same:
                found[same[0]] = (found[same[0]][0], tuple(map(max, found[same[0]][1], sided)))
            else:
                found.append((direction, sided))
    return sorted(found, key=cmp_to_key(lambda one, other: by_angle(one[0], other[0])))


def lay_disc(graph, disc, point, walls):
    """The sectors round a point, joined by the steps across the walls that leave it; the directions of these walls.

    Whoever goes from a sector to another crosses all the walls between them at once, on the one or on the other way
    round.
    """
    found = arms(point, walls)
    n = len(found)
    for i in range(n):
        with_angle, against = 0, 0
        for k in range(1, n):
            with_angle = max(with_angle, found[(i + k) % n][1][0])
            graph.step((disc, i), (disc, (i + k) % n), with_angle)
            against = max(against, found[(i - k + 1) % n][1][1])
            graph.step((disc, i), (disc, (i - k) % n), against)
    return [direction for direction, _ in found]


def attach(graph, disc, directions, direction, clockwise, counter):
    low, high = sectors_beside(directions, direction)
    graph.join(clockwise, (disc, low))
    graph.join(counter, (disc, high))


def lay_strip(graph, name, start, end, walls):
    """The parts of a strip and the discs on it; (side with the smaller angles, with the larger) of its two ends."""
    meetings = [(m, wall, tolls) for wall, tolls in walls if (m := common_stretch(start, end, wall)) is not None]
    stops = sorted({Fraction(0), Fraction(1)} | {t for m, _, _ in meetings for t in m})
    direction = (end[0] - start[0], end[1] - start[1])
    backward = (-direction[0], -direction[1])

    stretches = []
    for i, (t0, t1) in enumerate(pairwise(stops)):
        over = (0, 0)
        is_parted = False
        for (m0, m1), wall, tolls in meetings:
            if m0 <= t0 and t1 <= m1:
                is_parted = True
                is_along = (wall[1][0] - wall[0][0]) * direction[0] + (wall[1][1] - wall[0][1]) * direction[1] > 0
                over = tuple(map(max, over, tolls if is_along else flipped_tolls(tolls)))
        sides = ((name, i, "low"), (name, i, "high")) if is_parted else ((name, i, "all"), (name, i, "all"))
        if is_parted:
            graph.step(*sides, over[0])
            graph.step(*sides[::-1], over[1])
        stretches.append(sides)
    for i in range(1, len(stops) - 1):
        disc = (name, "stop", i)
        met = [(wall, tolls) for (m0, m1), wall, tolls in meetings if m0 <= stops[i] <= m1]
        directions = lay_disc(graph, disc, on_the_way(start, end, stops[i]), met)
        low, high = stretches[i - 1]
        attach(graph, disc, directions, backward, high, low)
        low, high = stretches[i]
        attach(graph, disc, directions, direction, low, high)
    return stretches[0], stretches[-1]


def lay_leg(graph, name, centre, corner, walls):
    """The leg between a centre and a corner: its beginning, and its two sides at the corner."""
    (begin, _), last = lay_strip(graph, name, centre, corner, [w for w in walls if not on_wall(centre, w[0])])
    return begin, last


def toll(special: Special, a, ca, b, cb) -> int:
    """The toll of the line from corner ca of a to corner cb of b: 0, 1, or 2 where it is blocked."""
    base = special.base
    walls = near_tolled(tolled(special), [corner_of(base, s, c) for s in (a, b) for c in (0, 3)])
    p, q = corner_of(base, a, ca), corner_of(base, b, cb)
    graph, directions = Graph(), {}
    for corner in {p, q}:
        directions[corner] = lay_disc(graph, corner, corner, walls)
    ends = []
    for name, square, corner in (("a", a, p), ("b", b, q)):
        centre = centre_of(base, square)
        begin, (low, high) = lay_leg(graph, name, centre, corner, walls)
        to_centre = (centre[0] - corner[0], centre[1] - corner[1])
        attach(graph, corner, directions[corner], to_centre, high, low)
        ends.append(begin)
    if p != q:
        first, last = lay_strip(graph, "line", p, q, walls)
        attach(graph, p, directions[p], (q[0] - p[0], q[1] - p[1]), *first)
        attach(graph, q, directions[q], (p[0] - q[0], p[1] - q[1]), *last[::-1])
    return graph.toll([ends[0]], [ends[1]])


def tolls(special: Special, a, b) -> list:
    """The tolls of the sixteen lines: for each corner of a the four of the corners of b."""
    return [[toll(special, a, ca, b, cb) for cb in range(4)] for ca in range(4)]


def blocked_nibbles(special: Special, a, b) -> list:
    """For each corner of a the nibble of those corners of b to which the line is blocked."""
    return [sum((cost == BLOCKED) << cb for cb, cost in enumerate(row)) for row in tolls(special, a, b)]


def leg_toll(special: Special, square, corner, is_outward=True) -> int:
    """The toll from the centre of a square to one of its corners, or from the corner to the centre."""
    base = special.base
    walls = near_tolled(tolled(special), [corner_of(base, square, c) for c in (0, 3)])
    graph = Graph()
    begin, sides = lay_leg(graph, "leg", centre_of(base, square), corner_of(base, square, corner), walls)
    return graph.toll([begin], sides) if is_outward else graph.toll(sides, [begin])


def cut_off(special: Special, square, corner, is_outward=True) -> bool:
    """Whether a corner is cut off from the centre of its square, for whoever goes out or comes in."""
    return leg_toll(special, square, corner, is_outward) == BLOCKED


# ---- line of effect


def slope(wall):
    """The same for all walls of one direction."""
    dx, dy = wall[1][0] - wall[0][0], wall[1][1] - wall[0][1]
    return None if dx == 0 else Fraction(dy, dx)


def segment_toll(p, q, walls) -> int:
    """The toll of a straight segment; what it touches or runs along is crossed, a one-way wall along it is not.

    Walls on one line are crossed as one. No length, no toll.
    """
    if p == q:
        return 0
    at = {}
    for wall, (from_left, from_right) in walls:
        if (stretch := common_stretch(p, q, wall)) is None:
            continue
        heading = turn((0, 0), (wall[1][0] - wall[0][0], wall[1][1] - wall[0][1]), (q[0] - p[0], q[1] - p[1]))
        cost = min(from_left, from_right) if heading == 0 else from_left if heading > 0 else from_right
        crossing = stretch[0], slope(wall)
        at[crossing] = max(at.get(crossing, 0), cost)
    return min(BLOCKED, sum(at.values()))


def cut_by(polygon, origin, direction):
    """The parts of a convex polygon on the two sides of a straight line; the whole if it has an end on one side only."""
    sides = [direction[0] * (y - origin[1]) - direction[1] * (x - origin[0]) for x, y in polygon]
    if min(sides) >= 0 or max(sides) <= 0:
        return [polygon]
    halves = ([], [])
    for k, point in enumerate(polygon):
        after = (k + 1) % len(polygon)
        for half, sign in zip(halves, (1, -1), strict=True):
            if sign * sides[k] >= 0:
                half.append(point)
            if sides[k] * sides[after] < 0:
                t = Fraction(sides[k], sides[k] - sides[after])
                half.append(on_the_way(point, polygon[after], t))
    return [tuple(half) for half in halves]


def cells(walls, low, high, is_outward):
    """The inside of a square as convex pieces that no wall enters, each with its toll from or to the centre; and the
    vertices of what the centre sees.

    Pieces end where a wall does not lie but continues, and where the centre sees past an end of a wall or past a point
    where two walls cross. Of their vertices only those matter that lie on walls, on sides, or behind what hides.
    """
    square = (low, high)
    corners = [low, (high[0], low[1]), high, (low[0], high[1])]
    centre = (Fraction(low[0] + high[0], 2), Fraction(low[1] + high[1], 2))
    parts = [part for wall, _ in walls if (part := clipped(wall, square)) is not None and enters(part, square)]
    hiding = [(wall, costs) for wall, costs in walls if not on_wall(centre, wall)]
    places = [end for part in parts for end in part]
    for one, other in combinations(parts, 2):
        if (meeting := common_stretch(*one, other)) is not None:
            places += [on_the_way(*one, t) for t in meeting]
    rays = [(x - centre[0], y - centre[1]) for x, y in places if (x, y) != centre]
    vertices = {*corners, *places}
    for direction in rays:
        for wall in [*parts, *pairwise([*corners, corners[0]])]:
            if (far := ahead(centre, direction, wall)) is not None and far > 1:
                vertices.add((centre[0] + far * direction[0], centre[1] + far * direction[1]))
    found = [tuple(corners)]
    lines = [(one, (other[0] - one[0], other[1] - one[1])) for one, other in parts]
    for origin, direction in lines + [(centre, ray) for ray in rays]:
        found = [half for polygon in found for half in cut_by(polygon, origin, direction)]
    result = []
    for polygon in found:
        middle = mean(polygon)
        ends = (centre, middle) if is_outward else (middle, centre)
        result.append((polygon, segment_toll(*ends, hiding)))
    return [(polygon, cost) for polygon, cost in result if cost < BLOCKED], vertices


def places_on(origin, direction, pieces):
    """One place of the straight line in the inside of each piece that it enters, with the toll of the piece."""
    found = []
    for polygon, cost in pieces:
        vertices = measured(origin, direction, polygon)
        if min(vertices)[0] >= 0 or max(vertices)[0] <= 0:
            continue
        ends = [crossed(v, w) for v, w in pairwise([*vertices, vertices[0]]) if v[0] * w[0] <= 0 and v[0] != w[0]]
        found.append(((min(ends) + max(ends)) / 2, cost))
    return found


def cheap_segment(origin, direction, walls, pieces_a, pieces_b, budget):
    """A segment on a straight line from a piece of A to one of B whose toll is below 2; None if there is none."""
    in_a, in_b = places_on(origin, direction, pieces_a), places_on(origin, direction, pieces_b)
    if not in_a or not in_b:
        return None
    forth, back = {}, {}
    for wall, costs in walls:
        (v, x), (w, y) = measured(origin, direction, wall)
        if v * w > 0 or v == w:
            continue
        place = crossed((v, x), (w, y)), slope(wall)
        one, other = costs if v > w else flipped_tolls(costs)  # met from its left if its end lies at smaller angles
        forth[place], back[place] = max(forth.get(place, 0), one), max(back.get(place, 0), other)
    scale = direction[0] ** 2 + direction[1] ** 2
    goal = (origin[0] + direction[0], origin[1] + direction[1])
    for p, cost_a in in_a:
        for q, cost_b in in_b:
            prices = forth if p < q else back
            price = sum(cost for (place, _), cost in prices.items() if min(p, q) < place < max(p, q))
            if price + (cost_a + cost_b if budget == "path" else 0) < BLOCKED:
                return [on_the_way(origin, goal, place / scale) for place in (p, q)]
    return None


def is_proof(special: Special, space_a, space_b, segment, budget) -> bool:
    """Whether a segment proves line of effect from one space to the other, straight from the definition."""
    base, walls = special.base, tolled(special)
    unit = 2 * base.subdivisions
    total = segment_toll(*segment, walls)
    if total >= BLOCKED:
        return False
    for point, space, is_outward in zip(segment, (space_a, space_b), (True, False), strict=True):
        own = [s for s in squares_of(space) if all(unit * s[i] < point[i] < unit * (s[i] + 1) for i in (0, 1))]
        if not own:
            return False
        centre = centre_of(base, own[0])
        hiding = [(wall, costs) for wall, costs in walls if not on_wall(centre, wall)]
        seen = segment_toll(*((centre, point) if is_outward else (point, centre)), hiding)
        total += seen
        if seen >= BLOCKED:
            return False
    return budget == "each" or total < BLOCKED


def line_of_effect(special: Special, space_a, space_b, budget="each") -> bool:
    """Whether a straight segment from inside space a to inside space b has a toll below 2.

    ``budget="each"``: the two ends may each be seen past a limited wall of their own; ``"path"``: the tolls of the two
    ends and of the segment add up.
    """
    if set(squares_of(space_a)) & set(squares_of(space_b)):
        return True
    return proof_of_effect(special, space_a, space_b, budget) is not None


def proof_of_effect(special: Special, space_a, space_b, budget="each"):
    """The two ends of such a segment (doubled lattice units); None if none is. See ``oracle.proof_of_effect``."""
    unit = 2 * special.base.subdivisions
    boxes = [((unit * x, unit * y), (unit * (x + w), unit * (y + h))) for x, y, w, h in (space_a, space_b)]
    hull = convex_hull([(box[i][0], box[j][1]) for box in boxes for i in (0, 1) for j in (0, 1)])
    relevant = [(wall, costs) for wall, costs in near_tolled(tolled(special), hull) if meets_hull(wall, hull)]
    pieces, points = [], {end for wall, _ in relevant for end in wall}
    for space, is_outward in ((space_a, True), (space_b, False)):
        found = []
        for x, y in squares_of(space):
            more, vertices = cells(relevant, (unit * x, unit * y), (unit * (x + 1), unit * (y + 1)), is_outward)
            found += more
            points.update(vertices)
        pieces.append(found)

    values = [value for point in points for value in point]
    values += [value for some in pieces for polygon, _ in some for point in polygon for value in point]
    factor = 24 * lcm(*(Fraction(value).denominator for value in values))
    relevant = [(tuple(scaled(factor, end) for end in wall), costs) for wall, costs in relevant]
    pieces = [[(tuple(scaled(factor, point) for point in polygon), cost) for polygon, cost in some] for some in pieces]
    points = sorted(scaled(factor, point) for point in points)
    boxes = [[scaled(factor, end) for end in box] for box in boxes]
    segment = search(relevant, pieces, points, boxes, budget)
    if segment is None:
        return None
    proof = [(Fraction(x) / factor, Fraction(y) / factor) for x, y in segment]
    assert is_proof(special, space_a, space_b, proof, budget), (special, space_a, space_b, proof)
    return proof


def search(relevant, pieces, points, boxes, budget):
    """A segment of toll below 2 from a piece of the one to a piece of the other space; None if there is none."""
    for (one, cost), (other, more) in islice(product(*pieces), 60):
        segment = mean(one), mean(other)
        if segment_toll(*segment, relevant) + (cost + more if budget == "path" else 0) < BLOCKED:
            return segment
    hard = [wall for wall, costs in relevant if costs == HARD]
    for on_line, direction in lines_through(points):
        if is_hopeless(on_line[0], direction, hard, boxes):
            continue
        for origin, turned in beside(on_line, direction, points):
            if (segment := cheap_segment(origin, turned, relevant, *pieces, budget)) is not None:
                return segment
    return None

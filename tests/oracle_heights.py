"""The slow, exact judge of walls with a band: what they hide of a body, what they stop, and where they are ignored.

It extends ``oracle.py`` and ``oracle_walls.py`` and keeps their coordinates: inside, all points are doubled lattice
units. A *band* is the height of a wall from bottom to top in feet, a *body* stands from its feet to its top. At the
fraction s of the way from P to Q a line leaves open the *span* between the lines feet to feet and top to top; the
*hidden fraction* h of walls is the part of the span that the union of their bands covers. On the leg of the attacker
s is 0, on that of the target 1; a line without length is met at every s at once.

A line is walked along centre → P → Q → centre with two costs, of who is on its left and of who is on its right.

* For *cover* a cost is a hidden fraction, and the larger of two counts on a way; the hard walls without a word of their
  own are met, each only from a side from which it stops. Who passes a point on the left crosses all arms that leave on
  the left at once; crossing a stretch along walls costs the most hidden place of the whole run of covered stretches of
  which it is part, whatever else is met on it.
* For *blocking* a cost is a toll (0, 1, 2), and tolls add up; all walls are met. Every way round a point counts, and a
  stretch is crossed at its least hidden place. Where the union of the bands met at once fills the span, it costs 2 if
  the hard ones do so alone, else 1.

Walls with equal attributes are merged first; a stretch lies between two places where any of the walls asked about is
met, ignored or not. A wall that contains a centre is left out of its leg, together with what continues it in a straight
line and has the same tolls.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise, product
from math import lcm
from typing import NamedTuple

from oracle import (
    Walls,
    all_walls,
    beside,
    by_angle,
    centre_of,
    common_stretch,
    corner_of,
    crossed,
    mean,
    measured,
    merged,
    near,
    on_the_way,
    on_wall,
    same_direction,
    scaled,
    sign,
    squares_of,
    turn,
)
from oracle_walls import BLOCKED, HARD, cells, flipped_tolls, slope

ATTACKER_LEG, LINE, TARGET_LEG = "attacker's leg", "line", "target's leg"
LEFT, RIGHT = 0, 1
FRESH = (0, 0)


@dataclass(frozen=True)
class Banded:
    """A wall; ``tolls`` from its left and its right as in ``oracle_walls``, ``own`` the low square whose side it is."""

    wall: tuple  # ((x0, y0), (x1, y1)) in lattice units
    bottom: Fraction | None = None
    top: Fraction | None = None
    tolls: tuple = HARD
    word: str | None = None
    slit: bool = False
    own: tuple | None = None


@dataclass(frozen=True)
class Heights:
    """Walls of one channel: plain ones, and all others."""

    base: Walls
    banded: tuple = ()


@dataclass(frozen=True)
class Body:
    """A creature: its space (x, y, width, height) and the heights of its feet and of its top in feet."""

    space: tuple
    feet: Fraction
    top: Fraction


class Met(NamedTuple):
    """A wall, and its toll from the side from which it is met."""

    wall: Banded
    toll: int


def square_sides(square, subdivisions, bottom, top, **attributes):
    """The four sides of a low square as walls."""
    x, y = (subdivisions * value for value in square)
    corners = [(x, y), (x + subdivisions, y), (x + subdivisions, y + subdivisions), (x, y + subdivisions)]
    sides = pairwise([*corners, corners[0]])
    return tuple(Banded(side, bottom, top, own=square, **attributes) for side in sides)


@lru_cache(maxsize=256)
def everything(heights: Heights):
    """All walls, merged where all attributes agree, in doubled lattice units, drawn from low to high."""
    groups = {Banded(None): list(all_walls(heights.base))}
    for banded in heights.banded:
        start, end = (tuple(2 * value for value in point) for point in banded.wall)
        tolls = banded.tolls if start < end else flipped_tolls(banded.tolls)
        groups.setdefault(replace(banded, wall=None, tolls=tolls), []).append(tuple(sorted((start, end))))
    return tuple(replace(kind, wall=wall) for kind, walls in groups.items() for wall in merged(walls))


def off_centre(walls, centre):
    """The walls without those that contain a centre or continue in a straight line one of equal tolls that does."""
    through = {
        (tolls, wall)
        for tolls in {w.tolls for w in walls}
        for wall in merged([w.wall for w in walls if w.tolls == tolls])
        if on_wall(centre, wall)
    }
    return [w for w in walls if not any(w.tolls == t and all(on_wall(e, v) for e in w.wall) for t, v in through)]


# ---- spans


def hidden_part(bands, low, high):
    """The part of a span that the union of the bands covers."""
    clipped = sorted((low if b is None else max(low, b), high if t is None else min(high, t)) for b, t in bands)
    total, reached = Fraction(0), Fraction(low)
    for bottom, top in clipped:
        total += max(0, top - max(bottom, reached))
        reached = max(reached, top)
    return total / (high - low)


def span(a: Body, t: Body, s):
    return a.feet + s * (t.feet - a.feet), a.top + s * (t.top - a.top)


def turning_places(bands, a: Body, t: Body):
    """The fractions of the way at which an end of a band enters or leaves the span, beyond P and Q too."""
    ends = {end for band in bands for end in band if end is not None}
    edges = [(a.feet, t.feet), (a.top, t.top)]
    return {Fraction(end - first) / (last - first) for end in ends for first, last in edges if first != last}


def extremes(bands, a: Body, t: Body, first, last):
    """The least and the greatest hidden fraction over an interval; it is monotone between turning places."""
    places = {first, last} | {s for s in turning_places(bands, a, t) if first < s < last}
    values = [hidden_part(bands, *span(a, t, s)) for s in places]
    return min(values), max(values)


def bands_of(met, least_toll):
    return [(w.bottom, w.top) for w, toll in met if toll >= least_toll]


CODES = [  # the first hidden fraction of each code, and whether it belongs to it
    (Fraction(1, 4), True), (Fraction(3, 8), False), (Fraction(1, 2), True), (Fraction(5, 8), False),
    (Fraction(3, 4), True), (Fraction(33, 40), False), (Fraction(1), True),
]  # fmt: skip


def code(h) -> int:
    """The code 0 to 7 of a hidden fraction."""
    return sum(h > limit or (h == limit and is_in) for limit, is_in in CODES)


# ---- low obstacles


def squares_beside(point, direction, unit):
    """The squares that whoever goes just left and just right of a line in a direction is in, just after the point."""
    found = []
    for side in (LEFT, RIGHT):
        # y points down: the left of the direction (dx, dy) is (dy, -dx).
        beside_it = (direction[1], -direction[0]) if side == LEFT else (-direction[1], direction[0])
        square = []
        for value, step, aside in zip(point, direction, beside_it, strict=True):
            whole = value // unit
            on_grid_line = value == whole * unit
            square.append(int(whole - 1 if on_grid_line and (step < 0 or (step == 0 and aside < 0)) else whole))
        found.append(tuple(square))
    return tuple(found)


def distance(space, square, diagonals):
    """The squares from the nearest square of a space to a square."""
    gaps = [max(space[i] - square[i], square[i] - (space[i] + space[i + 2] - 1), 0) for i in (0, 1)]
    return max(gaps) + (min(gaps) // 2 if diagonals == "5-10-5" else 0)


def is_low(wall: Banded, body: Body):
    return wall.top is not None and 2 * (wall.top - body.feet) <= body.top - body.feet


# ---- the walk


@dataclass(frozen=True)
class Question:
    """What is asked of the lines between two squares: the toll, or the cover of walls of one word (None: of none)."""

    heights: Heights
    a: Body
    square_a: tuple | None
    t: Body
    square_b: tuple | None
    is_toll: bool = False
    word: str | None = None
    is_alone: bool = True  # whether only walls with that word are asked about, or those without one, too
    low: tuple | None = None  # (feet per square, diagonals): the low-obstacle rule is on

    def walls(self, points):
        """The walls asked about, near some points; what is below both bodies or above both is not there for them."""
        found = [w for w in everything(self.heights) if near([w.wall], points) and not self.is_beyond(w)]
        words = {self.word} if self.is_alone else {self.word, None}
        return found if self.is_toll else [w for w in found if w.word in words and max(w.tolls) == BLOCKED]

    def is_beyond(self, wall):
        low, high = min(self.a.feet, self.t.feet), max(self.a.top, self.t.top)
        return (wall.top is not None and wall.top <= low) or (wall.bottom is not None and wall.bottom >= high)

    def corner(self, square, corner):
        return corner_of(self.heights.base, square, corner)

    def centre(self, square):
        return centre_of(self.heights.base, square)

    def after(self, cost, price):
        """The cost of a way after a crossing."""
        return min(BLOCKED, cost + price) if self.is_toll else max(cost, price)

    def is_ignored(self, wall, squares):
        """Whether an obstacle is low, or a slit near, for who shoots past it; squares: that behind it, that before it."""
        if not (wall.slit or self.low):
            return False
        ends = (wall.own, wall.own) if wall.own else squares
        feet, diagonals = self.low or (5, "1")  # how diagonals count matters to no slit
        dist_a, dist_t = (
            distance(body.space, square, diagonals) for body, square in zip((self.a, self.t), ends, strict=True)
        )
        if wall.slit and dist_a <= 1 and dist_a < dist_t:
            return True
        low_a, low_t = (self.low is not None and is_low(wall, body) for body in (self.a, self.t))
        return (low_t and dist_t * feet > 30) or ((low_a or low_t) and dist_a < dist_t)

    def price(self, met, first, last, squares):
        """What it costs to cross walls at once, somewhere from the fraction first to the fraction last."""
        if self.is_toll:
            return next(
                (cost for cost in (2, 1) if extremes(bands_of(met, cost), self.a, self.t, first, last)[0] == 1), 0
            )
        met = [(w, toll) for w, toll in met if not self.is_ignored(w, squares)]
        return extremes(bands_of(met, BLOCKED), self.a, self.t, first, last)[1]

    def squares(self, stage, start, end, first, last):
        """The squares (left, right) to which attacker and target measure, where walls are met from one place to another."""
        if stage != LINE:
            return ((self.square_a,) * 2,) * 2 if stage == ATTACKER_LEG else ((self.square_b,) * 2,) * 2
        unit = 2 * self.heights.base.subdivisions
        direction = (end[0] - start[0], end[1] - start[1])
        backward = (-direction[0], -direction[1])
        places = on_the_way(start, end, first), on_the_way(start, end, last)
        return squares_beside(places[0], direction, unit), squares_beside(places[1], backward, unit)[::-1]

    def walk(self, costs, start, end, walls, stage):
        """The costs (left, right) at the end of a straight part of the path, its ends not counted."""
        meetings = [(m, w) for w in walls if (m := common_stretch(start, end, w.wall)) is not None]
        stops = sorted({Fraction(0), Fraction(1)} | {t for m, _ in meetings for t in m})
        direction = (end[0] - start[0], end[1] - start[1])

        def fraction(t):
            return {ATTACKER_LEG: 0, LINE: t, TARGET_LEG: 1}[stage]

        stretches = list(pairwise(stops))
        covers = [
            self.covering(direction, [w for (m0, m1), w in meetings if m0 <= first and last <= m1])
            for first, last in stretches
        ]
        for k, (first, _) in enumerate(stretches):
            if first > 0:
                squares = self.squares(stage, start, end, first, first)
                point, s = on_the_way(start, end, first), fraction(first)
                costs = self.pass_point(costs, point, direction, direction, walls, (s, s, squares))
            changed = []
            for side in (LEFT, RIGHT):
                run = [k] if self.is_toll else covered_run(covers, k, side)
                squares = self.squares(stage, start, end, stretches[run[0]][0], stretches[run[-1]][1])
                beyond = squares[0][1 - side], squares[1][side]
                prices = [self.price(covers[m][side], *map(fraction, stretches[m]), beyond) for m in run]
                changed.append(self.after(costs[side], max(prices)))
            costs = min(costs[LEFT], changed[RIGHT]), min(costs[RIGHT], changed[LEFT])
        return costs

    def covering(self, direction, walls):
        """What is crossed of walls along the way by who goes to the right, and by who goes to the left."""
        sides = [[], []]
        for w in walls:
            run = (w.wall[1][0] - w.wall[0][0], w.wall[1][1] - w.wall[0][1])
            is_along = run[0] * direction[0] + run[1] * direction[1] > 0
            for side, toll in enumerate(w.tolls if is_along else flipped_tolls(w.tolls)):
                if toll:
                    sides[side].append(Met(w, toll))
        return sides

    def pass_point(self, costs, point, coming, leaving, walls, where):
        """The costs behind a point where walls may be met."""
        back = (-coming[0], -coming[1])
        best = [None, None]
        first, last, squares = where
        for enter, leave, met in ways_round(arms(point, walls), back, leaving, every=self.is_toll):
            beyond = squares[0][leave], squares[1][leave]
            cost = self.after(costs[enter], self.price(met, first, last, beyond))
            best[leave] = cost if best[leave] is None else min(best[leave], cost)
        return tuple(best)

    def line(self, ca, cb):
        """The cost of the line from a corner of the attacker's square to one of the target's."""
        walls = self.walls([self.corner(s, c) for s in (self.square_a, self.square_b) for c in (0, 3)])
        centre_a, centre_b = self.centre(self.square_a), self.centre(self.square_b)
        p, q = self.corner(self.square_a, ca), self.corner(self.square_b, cb)
        coming, ahead, leaving = (
            (end[0] - start[0], end[1] - start[1]) for start, end in pairwise([centre_a, p, q, centre_b])
        )
        costs = self.walk(FRESH, centre_a, p, off_centre(walls, centre_a), ATTACKER_LEG)
        if p == q:
            costs = self.pass_point(costs, p, coming, leaving, walls, (0, 1, ((self.square_b,) * 2, (self.square_a,) * 2)))
        else:
            squares = self.squares(LINE, p, q, 0, 1)
            costs = self.pass_point(costs, p, coming, ahead, walls, (0, 0, (squares[0], (self.square_a,) * 2)))
            costs = self.walk(costs, p, q, walls, LINE)
            costs = self.pass_point(costs, q, ahead, leaving, walls, (1, 1, ((self.square_b,) * 2, squares[1])))
        return min(self.walk(costs, q, centre_b, off_centre(walls, centre_b), TARGET_LEG))

    def leg(self, square, corner, *, is_outward):
        """The cost of the leg from a centre to a corner of the attacker's square, or from corner to centre."""
        walls = off_centre(self.walls([self.corner(square, c) for c in (0, 3)]), self.centre(square))
        ends = self.centre(square), self.corner(square, corner)
        if is_outward:
            return min(self.walk(FRESH, *ends, walls, ATTACKER_LEG))
        return min(self.walk(FRESH, *ends[::-1], walls, TARGET_LEG))


def covered_run(covers, k, side):
    """The stretches that hang together with stretch k in being covered for who crosses from a side: their places."""
    first = last = k
    while covers[k][side] and first > 0 and covers[first - 1][side]:
        first -= 1
    while covers[k][side] and last + 1 < len(covers) and covers[last + 1][side]:
        last += 1
    return range(first, last + 1)


def arms(point, walls):
    """The directions in which walls leave a point, each with the wall and its tolls (with growing angles, against)."""
    found = []
    for w in walls:
        if on_wall(point, w.wall):
            for (other, end), sided in ((w.wall, w.tolls), (w.wall[::-1], flipped_tolls(w.tolls))):
                if tuple(end) != tuple(point):
                    found.append(((end[0] - other[0], end[1] - other[1]), w, sided))
    return found


def is_between(direction, start, end):
    """Whether growing angles lead from start to the direction before they lead to end; start = end: a full turn."""
    order = sign(by_angle(start, end))
    after_start, before_end = by_angle(start, direction) < 0, by_angle(direction, end) < 0
    if order == 0:
        return not same_direction(direction, start)
    return after_start and before_end if order < 0 else after_start or before_end


def ways_round(found, back, ahead, *, every):
    """(Side on which one comes, side on which one goes on, walls met) of the ways round a point.

    Whoever passes on the left goes with growing angles from the way back to the way ahead. ``every``: also the ways
    across arms that lie on the path itself.
    """
    groups = {"left": [], "right": [], "back": [], "ahead": []}
    for direction, w, sided in found:
        if same_direction(direction, back):
            groups["back"].append((w, sided))
        if same_direction(direction, ahead):
            groups["ahead"].append((w, sided))
        if is_between(direction, back, ahead):
            groups["left"].append((w, sided))
        if is_between(direction, ahead, back):
            groups["right"].append((w, sided))

    def met(sense, *names):
        return [Met(w, sided[sense]) for name in names for w, sided in groups[name]]

    if same_direction(back, ahead):  # the sides change places; all other arms are both "left" and "right"
        yield from [(LEFT, RIGHT, []), (RIGHT, LEFT, [])]
        for sense, side in ((0, LEFT), (1, RIGHT)):
            yield side, side, met(sense, "left")
            yield 1 - side, 1 - side, met(sense, "back")
        return
    for sense, name, side in ((0, "left", LEFT), (1, "right", RIGHT)):
        yield side, side, met(sense, name)
        if every:
            yield side, 1 - side, met(sense, name, "ahead")
            yield 1 - side, side, met(sense, "back", name)
            yield 1 - side, 1 - side, met(sense, "back", name, "ahead")


# ---- the answers


def hidden(heights, a_body, square_a, ca, t_body, square_b, cb, low=None) -> Fraction:
    """The hidden fraction, for cover, of the line from corner ca of a square of a to corner cb of one of t.

    ``low``: (feet per square, "5-10-5" or "1") switches the low-obstacle rule on.
    """
    return Fraction(Question(heights, a_body, square_a, t_body, square_b, low=low).line(ca, cb))


def hidden_between_centres(heights, a_body, t_body, low=None) -> Fraction:
    """The hidden fraction of the straight line between the centres of two spaces, without walls that contain one."""
    unit = heights.base.subdivisions
    p, q = ((unit * (2 * x + w), unit * (2 * y + h)) for x, y, w, h in (a_body.space, t_body.space))
    question = Question(heights, a_body, None, t_body, None, low=low)
    walls = off_centre(off_centre(question.walls([p, q]), p), q)
    return Fraction(min(question.walk(FRESH, p, q, walls, LINE)))


def toll(heights, a_body, square_a, ca, t_body, square_b, cb) -> int:
    """What the line costs where lines are stopped: 0, 1, or 2 where it is blocked."""
    return Question(heights, a_body, square_a, t_body, square_b, is_toll=True).line(ca, cb)


def tagged(heights, a_body, square_a, ca, t_body, square_b, cb, word, least=1, low=None) -> bool:
    """Whether hard walls of a word give a line cover.

    They do if the walls without a word leave a way, if they and these together leave none that hides less than ``least``,
    and if these do so alone where the walls without a word hide enough, too.
    """

    def hides(**walls):
        return code(Question(heights, a_body, square_a, t_body, square_b, low=low, **walls).line(ca, cb))

    plain = hides()
    if plain == 7 or hides(word=word, is_alone=False) < least:
        return False
    return plain < least or hides(word=word) >= least


def leg_toll(heights, a_body, t_body, square, corner, *, is_outward) -> int:
    """The toll of a leg: of one of the attacker's, outward, or of one of the target's, inward."""
    return Question(heights, a_body, square, t_body, square, is_toll=True).leg(square, corner, is_outward=is_outward)


def cut_off(heights, a_body, t_body, square, corner, *, is_outward, least=1, low=None) -> bool:
    """Whether walls part a corner of the attacker's square (outward) or of the target's from its centre, or hide it."""
    cover = Question(heights, a_body, square, t_body, square, low=low).leg(square, corner, is_outward=is_outward)
    return code(cover) >= least or leg_toll(heights, a_body, t_body, square, corner, is_outward=is_outward) == BLOCKED


def usable_corners(heights, a_body, t_body, square, *, is_outward, least=1, low=None) -> int:
    """The nibble of corners that are not cut off; if all are, of those whose leg is not blocked."""
    legs = {"is_outward": is_outward}
    cut = [cut_off(heights, a_body, t_body, square, c, least=least, low=low, **legs) for c in range(4)]
    if all(cut):
        cut = [leg_toll(heights, a_body, t_body, square, c, **legs) == BLOCKED for c in range(4)]
    return sum((not is_cut) << c for c, is_cut in enumerate(cut))


# ---- line of effect


def segment_toll(walls, a, t, p, q, first=0, last=1) -> int:
    """The toll of a straight segment on which the fraction of the way goes from first to last.

    What it touches is crossed; walls on one straight line are crossed as one. Of a wall along it the most hidden place
    counts, and a one-way wall along it stops nothing.
    """
    if p == q:
        return 0
    across, along = {}, []
    for w in walls:
        if (stretch := common_stretch(p, q, w.wall)) is None:
            continue
        start, end = (first + place * (last - first) for place in stretch)
        heading = turn((0, 0), (w.wall[1][0] - w.wall[0][0], w.wall[1][1] - w.wall[0][1]), (q[0] - p[0], q[1] - p[1]))
        if heading == 0:
            along.append((*stretch, start, end, Met(w, min(w.tolls))))
        else:
            across.setdefault((stretch, slope(w.wall)), (start, end, []))[2].append(Met(w, w.tolls[heading < 0]))
    return min(BLOCKED, sum(dearest(a, t, pieces) for pieces in [*([c] for c in across.values()), *runs_along(along)]))


def dearest(a, t, pieces):
    """The dearest of some crossings (first fraction, last fraction, walls), each at its most hidden place."""
    return max(cost for piece in pieces for cost in (0, 1, 2) if cost == 0 or is_full(a, t, cost, *piece))


def is_full(a, t, least_toll, first, last, met):
    return extremes(bands_of(met, least_toll), a, t, first, last)[1] == 1


def runs_along(along):
    """For each run of walls along a segment that touch: its places and the pieces between, with their walls."""
    runs = []
    for wall in sorted(along, key=lambda item: item[:2]):
        if runs and wall[0] <= max(end for _, end, *_ in runs[-1]):
            runs[-1].append(wall)
        else:
            runs.append([wall])
    for run in runs:
        fractions = {place: s for m0, m1, s0, s1, _ in run for place, s in ((m0, s0), (m1, s1))}
        stops = sorted(fractions)
        yield [
            (fractions[t0], fractions[t1], [met for m0, m1, *_, met in run if m0 <= t0 and t1 <= m1])
            for t0, t1 in [*pairwise(stops), *zip(stops, stops, strict=True)]
        ]


def sees(heights, a, t, point, *, is_outward) -> bool:
    """Whether a point lies inside a square of the attacker's (outward) or target's space and its centre sees it."""
    unit = 2 * heights.base.subdivisions
    for square in squares_of((a if is_outward else t).space):
        if all(unit * square[i] < point[i] < unit * (square[i] + 1) for i in (0, 1)):
            centre = centre_of(heights.base, square)
            ends = (centre, point, 0, 0) if is_outward else (point, centre, 1, 1)
            return segment_toll(off_centre(everything(heights), centre), a, t, *ends) < BLOCKED
    return False


def is_free_segment(heights, a_body, t_body, p, q) -> bool:
    """Whether p → q (doubled lattice units) proves line of effect, straight from the definition."""
    if segment_toll(everything(heights), a_body, t_body, p, q) >= BLOCKED:
        return False
    return sees(heights, a_body, t_body, p, is_outward=True) and sees(heights, a_body, t_body, q, is_outward=False)


@lru_cache(maxsize=64)
def prepared(heights, a, t):
    """What a search needs: the walls, the seen pieces of each body, the points through which to look, and the scale.

    All is scaled so that beside any line through two of the points there is room for whole numbers.
    """
    unit = 2 * heights.base.subdivisions
    squares = [square for body in (a, t) for square in squares_of(body.space)]
    corners = [corner_of(heights.base, square, c) for square in squares for c in (0, 3)]
    walls = [w for w in everything(heights) if near([w.wall], corners)]
    points, seen = {end for w in walls for end in w.wall}, ([], [])
    for body, pieces, is_outward in ((a, seen[0], True), (t, seen[1], False)):
        for x, y in squares_of(body.space):
            low, high = (unit * x, unit * y), (unit * (x + 1), unit * (y + 1))
            found, vertices = cells([(w.wall, (0, 0)) for w in walls], low, high, is_outward)
            pieces += [piece for piece, _ in found if sees(heights, a, t, mean(piece), is_outward=is_outward)]
            points.update(vertices)
    everywhere = [*points, *(point for pieces in seen for piece in pieces for point in piece)]
    factor = 24 * lcm(*(Fraction(value).denominator for point in everywhere for value in point))
    walls = [replace(w, wall=tuple(scaled(factor, end) for end in w.wall)) for w in walls]
    seen = [[tuple(scaled(factor, point) for point in piece) for piece in pieces] for pieces in seen]
    return walls, seen, sorted(scaled(factor, point) for point in points), factor


def random_line(seen, points, rng):
    """A straight line just beside two of the points, or through a random place in a piece of each body."""
    if rng.random() < 0.6:
        one, other = rng.sample(points, 2)
        on_line = sorted(point for point in points if turn(one, other, point) == 0)
        direction = on_line[-1][0] - on_line[0][0], on_line[-1][1] - on_line[0][1]
        return rng.choice(list(beside(on_line, direction, points)))
    p, q = (mean([v for v in rng.choice(pieces) for _ in range(rng.randint(1, 9) ** 2)]) for pieces in seen)
    return p, (q[0] - p[0], q[1] - p[1])


def places_in(origin, direction, polygon):
    """Between which places along a straight line it is inside a convex polygon; None if nowhere."""
    vertices = measured(origin, direction, polygon)
    if not min(vertices)[0] < 0 < max(vertices)[0]:
        return None
    sides = pairwise([*vertices, vertices[0]])
    places = [crossed(v, w) for v, w in sides if v[0] * w[0] <= 0 and v[0] != w[0]]
    return min(places), max(places)


def met_on(origin, direction, walls, *, is_forth):
    """(Place along a straight line, the walls crossed there as one), for who goes forth on it or back."""
    found = {}
    for w in walls:
        (side, x), (other_side, y) = measured(origin, direction, w.wall)
        if side * other_side <= 0 and side != other_side:
            place = crossed((side, x), (other_side, y)), slope(w.wall)
            found.setdefault(place, []).append(Met(w, w.tolls[(side > other_side) != is_forth]))
    return [(place, met) for (place, _), met in found.items()]


FINE = [Fraction(1, 2), *(share for k in (3, 6) for share in (Fraction(1, 10**k), 1 - Fraction(1, 10**k)))]


def pairs_on(a, t, met, in_a, in_b, rng):
    """Places p, q worth a try: one fine or random, the other between or near those where a band and a span end."""
    crossings = [(place, s) for place, walls in met for s in turning_places(bands_of(walls, 1), a, t) if 0 < s < 1]
    for part in [*FINE, Fraction(rng.randint(1, 999), 1000)]:
        p, q = (low + part * (high - low) for low, high in (in_a, in_b))
        for_q = {p + (place - p) / s for place, s in crossings}
        for_p = {(place - s * q) / (1 - s) for place, s in crossings}
        for (low, high), found, is_p in ((in_b, for_q, False), (in_a, for_p, True)):
            stops = [low, *sorted(stop for stop in found if low < stop < high), high]
            for (x, y), share in product(pairwise(stops), FINE[:3]):
                yield (x + share * (y - x), q) if is_p else (p, x + share * (y - x))


def find_segment(heights, a_body, t_body, tries, rng):
    """The ends (p, q) of a segment that proves line of effect; None if none is found on ``tries`` lines.

    ``rng`` is a ``random.Random``. What is found is checked by the definition; p and q are doubled lattice units.
    """
    bands, seen, points, factor = prepared(heights, a_body, t_body)
    for _ in range(tries if all(seen) else 0):
        origin, direction = random_line(seen, points, rng)
        chances = [[c for piece in pieces if (c := places_in(origin, direction, piece))] for pieces in seen]
        if not all(chances):
            continue
        goal, length = (origin[0] + direction[0], origin[1] + direction[1]), direction[0] ** 2 + direction[1] ** 2
        for in_a, in_b in rng.sample(pairs := list(product(*chances)), min(4, len(pairs))):
            met = met_on(origin, direction, bands, is_forth=sum(in_a) < sum(in_b))
            for p, q in pairs_on(a_body, t_body, met, in_a, in_b, rng):
                passed = [(place, walls) for place, walls in met if min(p, q) < place < max(p, q)]
                crossings = [((place - p) / (q - p), walls) for place, walls in passed]
                if sum(dearest(a_body, t_body, [(s, s, crossing)]) for s, crossing in crossings) < BLOCKED:
                    ends = [on_the_way(origin, goal, Fraction(place) / length) for place in (p, q)]
                    ends = [(Fraction(x) / factor, Fraction(y) / factor) for x, y in ends]
                    if is_free_segment(heights, a_body, t_body, *ends):
                        return tuple(ends)
    return None

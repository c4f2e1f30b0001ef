"""The slow, exact judge of creatures in the way, of fog, and of flanking, written from the definitions alone.

It shares no code with the package and uses only integers and fractions. A *space* is ``x, y, width, height`` in squares;
a creature smaller than a square has the space of its whole square. Lines run between corners of squares, which are whole
numbers; centres are halves.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, pairwise, product

NONE, LIGHT, CONCEALED, HEAVY, NEARLY_TOTAL, TOTAL = range(6)  # how much a square conceals
NEUTRAL, ALLY, ENEMY = range(3)
ALL = (0, 1, 2, 3)  # corners


@dataclass(frozen=True)
class Body:
    """A creature: the squares that it fills, and what depends on it alone."""

    space: tuple
    side: str = "neutral"
    reach: int = 1  # squares
    reach_min: int = 0  # squares: the largest distance that is not reached
    gives_cover: object = True  # True, False, or the sides against whose attacks it gives none
    is_able: bool = True  # to attack
    can_be_flanked: bool = True
    mount: int | None = None  # the number of the creature that it rides
    level: int = 0  # the lowest that it fills; it fills as many as its space is squares wide


# ---- squares and spaces


def squares_of(space):
    x, y, width, height = space
    return [(x + i, y + j) for j in range(height) for i in range(width)]


def corner_of(square, corner):
    return square[0] + (corner & 1), square[1] + (corner >> 1)


def choices(attacker, target):
    """The attacker's squares, and for each the target's squares, in reading order."""
    return list(product(squares_of(attacker), squares_of(target)))


def share_a_square(one, other):
    return not set(squares_of(one)).isdisjoint(squares_of(other))


def gap(low, count, other_low, other_count):
    """How many steps lead from one row of whole numbers to the next number of another; 0 where they overlap."""
    return min(abs(p - q) for p in range(low, low + count) for q in range(other_low, other_low + other_count))


def steps(one, other):
    """How many columns and how many rows lie from one space to the next square of the other; 0 where they overlap."""
    return tuple(gap(one[axis], one[axis + 2], other[axis], other[axis + 2]) for axis in (0, 1))


def distance(one, other, diagonals="5-10-5", up=0):
    """Squares between the nearest squares; of the diagonal steps every second one counts double, or none (``"1"``).

    ``up`` is the number of levels between the two, a third direction. A step goes along as many directions as are left,
    so there are as many diagonal steps as the second longest way is long.
    """
    _, second, longest = sorted((*steps(one, other), up))
    if diagonals == "1":
        return longest
    return longest + sum(1 for step in range(1, second + 1) if step % 2 == 0)


def are_adjacent(one, other, up=0):
    return max(*steps(one, other), up) <= 1


# ---- segments


def turn(o, a, b):
    """On which side of the line o → a the point b lies."""
    return (a[0] - o[0]) * (b[1] - o[1]) - (a[1] - o[1]) * (b[0] - o[0])


def stretch_in(p, q, space):
    """The first and the last fraction of the way from p to q in a closed space; None if it misses the space."""
    x, y, width, height = space
    first, last = Fraction(0), Fraction(1)
    axes = ((p[0], q[0], x, x + width), (p[1], q[1], y, y + height))
    if any((start < low and end < low) or (start > high and end > high) for start, end, low, high in axes):
        return None
    for start, end, low, high in axes:
        if start == end:
            continue
        at_low, at_high = Fraction(low - start, end - start), Fraction(high - start, end - start)
        first, last = max(first, min(at_low, at_high)), min(last, max(at_low, at_high))
    return (first, last) if first <= last else None


def on_the_way(p, q, t):
    return p[0] + t * (q[0] - p[0]), p[1] + t * (q[1] - p[1])


def passes_inside(p, q, space):
    """Whether the segment has a point inside the space: then the middle of its stretch in the closed space is one."""
    stretch = stretch_in(p, q, space)
    if stretch is None:
        return False
    x, y, width, height = space
    px, py = on_the_way(p, q, sum(stretch) / 2)
    return x < px < x + width and y < py < y + height


def touches(p, q, space):
    """Whether the segment has a point in the closed space."""
    return stretch_in(p, q, space) is not None


def shared_side(one, other):
    """The two ends of the side that two spaces share; None if they share none, or overlap."""
    (ax, ay, aw, ah), (bx, by, bw, bh) = one, other
    left, right = max(ax, bx), min(ax + aw, bx + bw)
    top, bottom = max(ay, by), min(ay + ah, by + bh)
    if left == right and top < bottom:
        return (left, top), (right, bottom)
    if top == bottom and left < right:
        return (left, top), (right, bottom)
    return None


def runs_along(p, q, side):
    """Whether the segment runs along the side, or along a part of it that is more than a point."""
    start, end = side
    if p == q or turn(start, end, p) != 0 or turn(start, end, q) != 0:
        return False
    axis = 0 if start[0] != end[0] else 1
    low, high = sorted((p[axis], q[axis]))
    return max(low, start[axis]) < min(high, end[axis])


# ---- soft cover


def gives_cover_against(body, attacker):
    """Whether a creature gives cover against the attacks of another at all."""
    if isinstance(body.gives_cover, bool):
        return body.gives_cover
    return attacker.side not in body.gives_cover


def belongs_to(bodies, k, other):
    """Whether one creature shares a square with another, rides it or carries it."""
    return (
        share_a_square(bodies[k].space, bodies[other].space) or bodies[k].mount == other or bodies[other].mount == k
    )  # fmt: skip


def bystanders(bodies, a, t):
    """The spaces that can block a line of creature number a to creature number t.

    Not their own, nor those of whoever shares a square with one of them.
    """
    return [
        body.space
        for k, body in enumerate(bodies)
        if k not in (a, t)
        and gives_cover_against(body, bodies[a])
        and not belongs_to(bodies, k, a)
        and not belongs_to(bodies, k, t)
    ]


def is_blocked_by(p, q, spaces):
    """Whether creatures block the segment: it enters one, or runs between two that share a side."""
    if any(passes_inside(p, q, space) for space in spaces):
        return True
    sides = [side for one, other in combinations(spaces, 2) if (side := shared_side(one, other)) is not None]
    return any(runs_along(p, q, side) for side in sides)


def nibbles(square, other, is_true):
    """For each corner of a square the nibble of the corners of the other with what is true of the segment."""
    return [
        sum(is_true(corner_of(square, i), corner_of(other, j)) << j for j in range(4))
        for i in range(4)
    ]  # fmt: skip


def soft_of(bodies, a, t, square, target_square):
    """For each corner of a square of creature a the nibble of lines to a square of creature t that creatures block."""
    spaces = bystanders(bodies, a, t)
    return nibbles(square, target_square, lambda p, q: is_blocked_by(p, q, spaces))


def soft(bodies, a, t):
    """The same for every choice of creature a against creature t."""
    return [soft_of(bodies, a, t, *pair) for pair in choices(bodies[a].space, bodies[t].space)]


# ---- concealment


def passed(p, q, concealing):
    """Those of the concealing squares that the segment passes: by their inside, or between two of them."""
    found = {square for square in concealing if passes_inside(p, q, (*square, 1, 1))}
    for x, y in concealing:
        for other in ((x + 1, y), (x, y + 1)):
            if other in concealing and runs_along(p, q, shared_side((x, y, 1, 1), (*other, 1, 1))):
                found |= {(x, y), other}
    return found


def touched(p, q, concealing):
    """Those of the concealing squares of which the segment meets the inside or the border."""
    return {square for square in concealing if touches(p, q, (*square, 1, 1))}


@dataclass(frozen=True)
class Fog:
    """What conceals: how much each square does, and which of them are fog."""

    levels: tuple  # of (square, level), of levels above NONE
    fog: frozenset  # squares

    @property
    def by_square(self):
        return dict(self.levels)

    def level(self, square):
        return self.by_square.get(square, NONE)


def fog_of(rows, letters=None):
    """The fog of a drawing; ``letters`` gives the level of each letter that conceals, capitals are fog too."""
    letters = letters or {"f": (CONCEALED, True), "b": (CONCEALED, False)}
    squares = {(x, y): char for y, row in enumerate(rows) for x, char in enumerate(row) if char in letters}
    return Fog(
        tuple((square, letters[char][0]) for square, char in squares.items()),
        frozenset(square for square, char in squares.items() if letters[char][1]),
    )


def most_concealing(fog, own, square, target_square, meets, counted=ALL):
    """For each corner of a square the level of the most concealing square that its lines meet.

    The squares of the attacker's own space do not count. Lines go to the counted corners of the target's square.
    """
    levels = fog.by_square
    found = []
    for i in range(4):
        met = set()
        for j in counted:
            met |= meets(corner_of(square, i), corner_of(target_square, j), levels)
        found.append(max((levels[other] for other in met - set(squares_of(own))), default=NONE))
    return found


def concealed(fog, own, square, target_square, counted=ALL):
    """By the inside of squares: one level a corner."""
    return most_concealing(fog, own, square, target_square, passed, counted)


def concealed_at_border(fog, own, square, target_square, counted=ALL):
    """By the inside or the border of squares: one level a corner."""
    return most_concealing(fog, own, square, target_square, touched, counted)


def fog_depth(fog, square, target_square, counted=ALL):
    """For each corner the most fog squares on one of its lines; the squares at its two ends always count."""
    ends = {square, target_square} & fog.fog
    found = []
    for i in range(4):
        lines = [passed(corner_of(square, i), corner_of(target_square, j), fog.by_square) & fog.fog for j in counted]
        found.append(max((len(line | ends) for line in lines), default=0))
    return found


def whole_space(fog, space):
    """How much all of a space conceals: the least of its squares."""
    return min(fog.level(square) for square in squares_of(space))


def concealment(fog, attacker, target, attack="ranged", is_opaque=False, meets=passed):
    """``"none"``, ``"concealed"`` or ``"total"``: what the attacker's best corner leaves of it.

    Plain: total if the target is more than 5 feet away and a line has two or more fog squares; adjacent in melee only
    the target's whole space counts. Opaque: any fog square on a line is total.
    """
    words = ("none", "concealed", "total")
    pairs = choices(attacker, target)
    if is_opaque:
        is_hidden = all(min(fog_depth(fog, *pair)) for pair in pairs)
        return "total" if is_hidden else "none"
    is_near = are_adjacent(attacker, target)
    if is_near and attack == "melee":
        return words[whole_space(fog, target) > NONE]
    best = 2
    for pair in pairs:
        levels = most_concealing(fog, attacker, *pair, meets)
        for level, depth in zip(levels, fog_depth(fog, *pair), strict=True):
            best = min(best, 2 if depth >= 2 and not is_near else int(level > NONE))
    return words[best]


# ---- reach and flanking


def relation(one, other):
    if "neutral" in (one.side, other.side):
        return NEUTRAL
    return ALLY if one.side == other.side else ENEMY


def is_in_reach(attacker, target, diagonals="5-10-5", has_second_diagonal=True):
    """Whether the distance is above the attacker's least and within its reach.

    A reach of 10 feet takes in the second diagonal, where the edition says so.
    """
    up = gap(attacker.level, attacker.space[2], target.level, target.space[2])
    squares = distance(attacker.space, target.space, diagonals, up)
    _, second, longest = sorted((*steps(attacker.space, target.space), up))
    if has_second_diagonal and attacker.reach == 2 and second == longest == 2:
        return attacker.reach_min < 2
    return attacker.reach_min < squares <= attacker.reach


def centres(space, anchor="square"):
    """Twice the centres from which a space may flank: of each of its squares, or its own."""
    if anchor == "space":
        x, y, width, height = space
        return [(2 * x + width, 2 * y + height)]
    return [(2 * x + 1, 2 * y + 1) for x, y in squares_of(space)]


def meet(p, q, v, w):
    """Whether two closed segments have a point in common."""
    sides = [turn(p, q, v), turn(p, q, w), turn(v, w, p), turn(v, w, q)]
    if sides == [0, 0, 0, 0]:
        return all(
            max(min(p[k], q[k]), min(v[k], w[k])) <= min(max(p[k], q[k]), max(v[k], w[k])) for k in (0, 1)
        )  # fmt: skip
    return sides[0] * sides[1] <= 0 and sides[2] * sides[3] <= 0


def meets_opposite_sides(p, q, space, with_ends=True):
    """Whether a segment in doubled coordinates meets two opposite sides of a space, ends of the sides included.

    Without the ends: the insides of two opposite sides, or two opposite corners.
    """
    x, y, width, height = (2 * number for number in space)
    ring = [(x, y), (x + width, y), (x + width, y + height), (x, y + height)]
    top, right, bottom, left = (meet(p, q, v, w) for v, w in pairwise([*ring, ring[0]]))
    if not with_ends:
        on = [meet(p, q, corner, corner) for corner in ring]
        if (on[0] and on[2]) or (on[1] and on[3]):
            return True
        top, right = top and not on[0] and not on[1], right and not on[1] and not on[2]
        bottom, left = bottom and not on[2] and not on[3], left and not on[3] and not on[0]
    return (top and bottom) or (left and right)


def are_opposite(one, other, target, anchor="square", with_ends=True):
    """Whether two spaces stand so that they flank a third."""
    pairs = product(centres(one, anchor), centres(other, anchor))
    return any(meets_opposite_sides(p, q, target, with_ends) for p, q in pairs)


def standing(bodies, k):
    """The space from which a creature reaches and flanks: a rider's is its mount's."""
    for _ in bodies:
        if bodies[k].mount is None:
            break
        k = bodies[k].mount
    return bodies[k].space


def is_partner(bodies, a, k, t, partner):
    """Whether creature k may help creature a against creature t.

    An enemy of the target is no partner of its own enemies; whoever attacks a neutral target beside an ally is one.
    """
    attacker, body, target = bodies[a], bodies[k], bodies[t]
    if partner == "anybody":
        return True
    if partner == "ally of attacker":
        return relation(attacker, body) == ALLY
    is_hostile = relation(body, target) == ENEMY
    is_hostile = is_hostile or (relation(body, target) == NEUTRAL and relation(attacker, body) == ALLY)
    return is_hostile and relation(attacker, body) != ENEMY


def flanks(
    bodies, a, t, threatens, partner="enemy of target", anchor="square", must_be_adjacent=False, with_ends=True
):
    """Whether creature a flanks creature t, together with some other that threatens it.

    ``threatens(k, t)`` says whether a creature can attack the target from where it stands. Nobody flanks an ally.
    """
    space = standing(bodies, t)

    def is_able(k):
        is_near = are_adjacent(
            standing(bodies, k), space, gap(bodies[k].level, bodies[k].space[2], bodies[t].level, bodies[t].space[2])
        )
        return k != t and threatens(k, t) and (is_near or not must_be_adjacent)

    if not bodies[t].can_be_flanked or relation(bodies[a], bodies[t]) == ALLY or not is_able(a):
        return False
    return any(
        is_able(k)
        and is_partner(bodies, a, k, t, partner)
        and are_opposite(standing(bodies, a), standing(bodies, k), space, anchor, with_ends)
        for k in range(len(bodies))
        if k != a
    )

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


@dataclass(frozen=True)
class Body:
    """A creature: the squares that it fills, and what depends on it alone."""

    space: tuple
    side: str = "neutral"
    reach: int = 1  # squares
    reach_min: int = 0  # squares: the largest distance that is not reached
    gives_cover: object = True  # True, False, or the sides against whose attacks it gives none
    is_able: bool = True  # to attack


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


def steps(one, other):
    """How many columns and how many rows lie from one space to the next square of the other; 0 where they overlap."""
    found = []
    for axis in (0, 1):
        gaps = [abs(p[axis] - q[axis]) for p in squares_of(one) for q in squares_of(other)]
        found.append(min(gaps))
    return tuple(found)


def distance(one, other, diagonals="5-10-5"):
    """Squares between the nearest squares; of the diagonal steps every second one counts double, or none (``"1"``)."""
    small, large = sorted(steps(one, other))
    if diagonals == "1":
        return large
    return large + sum(1 for step in range(1, small + 1) if step % 2 == 0)


def are_adjacent(one, other):
    return max(steps(one, other)) <= 1


# ---- segments


def turn(o, a, b):
    """On which side of the line o → a the point b lies."""
    return (a[0] - o[0]) * (b[1] - o[1]) - (a[1] - o[1]) * (b[0] - o[0])


def stretch_in(p, q, space):
    """The first and the last fraction of the way from p to q in a closed space; None if it misses the space."""
    x, y, width, height = space
    first, last = Fraction(0), Fraction(1)
    for start, end, low, high in ((p[0], q[0], x, x + width), (p[1], q[1], y, y + height)):
        if start == end:
            if not low <= start <= high:
                return None
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


def bystanders(bodies, a, t):
    """The spaces that can block a line of creature number a to creature number t.

    Not their own, nor those of whoever shares a square with one of them.
    """
    attacker, target = bodies[a], bodies[t]
    return [
        body.space
        for k, body in enumerate(bodies)
        if k not in (a, t)
        and gives_cover_against(body, attacker)
        and not share_a_square(body.space, attacker.space)
        and not share_a_square(body.space, target.space)
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


def soft(bodies, a, t):
    """For every choice of creature a against creature t the four nibbles of lines that creatures block."""
    spaces = bystanders(bodies, a, t)
    pairs = choices(bodies[a].space, bodies[t].space)
    return [nibbles(one, other, lambda p, q: is_blocked_by(p, q, spaces)) for one, other in pairs]


# ---- concealment


def passed(p, q, concealing):
    """Those of the concealing squares that the segment passes: by their inside, or between two of them."""
    found = {square for square in concealing if passes_inside(p, q, (*square, 1, 1))}
    for one, other in combinations(sorted(concealing), 2):
        side = shared_side((*one, 1, 1), (*other, 1, 1))
        if side is not None and runs_along(p, q, side):
            found |= {one, other}
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


def most_concealing(fog, square, target_square, meets):
    """For each corner of a square the level of the most concealing square, not its own, that its four lines meet."""
    levels = fog.by_square
    found = []
    for i in range(4):
        met = set()
        for j in range(4):
            met |= meets(corner_of(square, i), corner_of(target_square, j), levels)
        found.append(max((levels[other] for other in met - {square}), default=NONE))
    return found


def concealed(fog, square, target_square):
    """By the inside of squares: one level a corner."""
    return most_concealing(fog, square, target_square, passed)


def concealed_at_border(fog, square, target_square):
    """By the inside or the border of squares: one level a corner."""
    return most_concealing(fog, square, target_square, touched)


def fog_depth(fog, square, target_square):
    """For each corner the most fog squares on one of its four lines; the two own squares always count."""
    own = {square, target_square} & fog.fog
    found = []
    for i in range(4):
        lines = [passed(corner_of(square, i), corner_of(target_square, j), fog.by_square) & fog.fog for j in range(4)]
        found.append(max(len(line | own) for line in lines))
    return found


def whole_space(fog, space):
    """How much all of a space conceals: the least of its squares."""
    return min(fog.level(square) for square in squares_of(space))


def concealment(fog, attacker, target, attack="ranged", is_opaque=False):
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
        for level, depth in zip(concealed(fog, *pair), fog_depth(fog, *pair), strict=True):
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
    squares = distance(attacker.space, target.space, diagonals)
    if has_second_diagonal and attacker.reach == 2 and steps(attacker.space, target.space) == (2, 2):
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


def meets_opposite_sides(p, q, space):
    """Whether a segment in doubled coordinates meets two opposite sides of a space, ends of the sides included."""
    x, y, width, height = (2 * number for number in space)
    ring = [(x, y), (x + width, y), (x + width, y + height), (x, y + height)]
    top, right, bottom, left = (meet(p, q, v, w) for v, w in pairwise([*ring, ring[0]]))
    return (top and bottom) or (left and right)


def are_opposite(one, other, target, anchor="square"):
    """Whether two spaces stand so that they flank a third."""
    pairs = product(centres(one, anchor), centres(other, anchor))
    return any(meets_opposite_sides(p, q, target) for p, q in pairs)


def flanks(bodies, a, t, threatens, partner="enemy of target", anchor="square", must_be_adjacent=False):
    """Whether creature a flanks creature t, together with some other that threatens it.

    ``threatens(k, t)`` says whether a creature can attack the target from where it stands. A partner is an ally of the
    attacker, an enemy of the target, or anybody.
    """
    attacker, target = bodies[a], bodies[t]
    if not threatens(a, t):
        return False
    for k, body in enumerate(bodies):
        is_partner = {
            "ally of attacker": relation(attacker, body) == ALLY,
            "enemy of target": relation(target, body) == ENEMY,
            "anybody": True,
        }[partner]
        if k in (a, t) or not is_partner or not threatens(k, t):
            continue
        if must_be_adjacent and not (
            are_adjacent(attacker.space, target.space) and are_adjacent(body.space, target.space)
        ):
            continue
        if are_opposite(attacker.space, body.space, target.space, anchor):
            return True
    return False

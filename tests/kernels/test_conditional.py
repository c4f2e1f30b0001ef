"""Line of effect among conditional walls: against the oracles, against its definition, and against witnesses."""

from __future__ import annotations

import random
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np
import oracle_walls
import pytest
from kernels.support import indexed, line_of_effect
from oracle import common_stretch, on_wall, squares_of, turn
from strategies import seeded, seeded_slits

from gridlos.kernels.conditional import Conditional, find_segment, is_free

NONE = np.zeros((0, 4), np.int64)
LEVELS = [Fraction(n, d) for n, d in ((0, 1), (1, 5), (1, 4), (1, 3), (1, 2), (2, 3), (3, 4), (4, 5), (1, 1))]


@dataclass(frozen=True)
class Scene:
    hard: np.ndarray
    special: tuple
    a: tuple
    b: tuple
    size: int

    def find(self):
        """The segment found, after it has passed the test's own check."""
        found = find_segment(self.hard, self.special, self.a, self.b, self.size)
        if found is not None and not set(squares_of(self.a)) & set(squares_of(self.b)):
            assert is_proof(self, found)
        return found

    def is_joined(self):
        return self.find() is not None


def line_through(at):
    """The same for all walls on one straight line."""
    (x, y), slope = at[0], oracle_walls.slope(at)
    return slope, x if slope is None else y - slope * x


def toll(start, end, walls, fraction=None):
    """What a segment, or a leg at a fraction of the way, costs; in doubled lattice units."""
    lines = set()
    for wall, at in walls:
        stretch = common_stretch(start, end, at)
        if stretch is None:
            continue
        first, last = stretch if fraction is None else (fraction, fraction)
        side = turn(*at, start)
        if wall.side == 0 or side * (1 if wall.side == 2 else -1) > 0:
            if last < wall.low or first > wall.high:
                continue
            if not wall.limited:
                return 2
            lines.add(line_through(at))
    return len(lines)


def is_proof(scene, segment):
    """Whether a segment proves line of effect, with the oracle's geometry."""
    unit = 2 * scene.size
    walls = [Conditional(*wall) for wall in scene.hard.tolist()] + list(scene.special)
    walls = [(w, ((2 * w.x0, 2 * w.y0), (2 * w.x1, 2 * w.y1))) for w in walls if (w.x0, w.y0) != (w.x1, w.y1)]
    start, end = (tuple(2 * value for value in point) for point in segment)
    centres = []
    for point, space in ((start, scene.a), (end, scene.b)):
        own = [s for s in squares_of(space) if all(unit * s[i] < point[i] < unit * (s[i] + 1) for i in (0, 1))]
        if not own:
            return False
        centres.append(tuple(unit * v + scene.size for v in own[0]))
    for leg, centre, fraction in (((centres[0], start), centres[0], 0), ((end, centres[1]), centres[1], 1)):
        hiding = [(wall, at) for wall, at in walls if not on_wall(centre, at)]
        if leg[0] != leg[1] and toll(*leg, hiding, fraction) >= 2:
            return False
    return toll(start, end, walls) < 2


# ---- against the oracles


def split(it, seed):
    """The free walls of a situation, of all kinds of the oracle: its walls and ours."""
    rng = random.Random(seed)
    groups = ([], [], [], [])
    for wall in it.walls.segments:
        groups[rng.randrange(4)].append(wall)
    hard, limited, one_way, both = map(tuple, groups)
    base = replace(it.walls, segments=hard)
    special = [Conditional(*wall, limited=True) for wall in limited]
    special += [Conditional(*wall, side=1) for wall in one_way]
    special += [Conditional(*wall, limited=True, side=1) for wall in both]
    scene = Scene(indexed(base).barriers, tuple(special), it.a, it.b, it.walls.subdivisions)
    return oracle_walls.Special(base, limited, one_way, both), scene


SEEDS = (*range(3000, 3009), 3022, 3025, 3032, 3039, 3046)  # in some of them nobody sees anybody


def test_limited_and_one_way_walls_against_the_oracle():
    denied = 0
    for seed in SEEDS:
        it = seeded(seed, 2, largest=6, most_free=8) if seed % 2 else seeded_slits(seed, 2)
        walls, scene = split(it, seed)
        expected = oracle_walls.line_of_effect(walls, it.a, it.b, "each")
        assert scene.is_joined() == expected, seed
        denied += not expected
    assert denied >= 3


@pytest.mark.parametrize("seed", range(60))
def test_plain_walls_and_walls_that_never_stop(seed):
    it = seeded(seed, 2, largest=7, most_free=14) if seed % 2 else seeded_slits(seed, 2)
    barriers, rng = indexed(it.walls).barriers, random.Random(seed)
    is_special = [rng.random() < 0.4 for _ in barriers]
    hard = barriers[[k for k, special in enumerate(is_special) if not special]]
    special = [Conditional(*map(int, barriers[k])) for k, special in enumerate(is_special) if special]
    special += [replace(wall, low=low, high=high) for wall in special for low, high in ((-1, -0.5), (1.5, 2))]
    special += [Conditional(*(rng.randrange(9) for _ in range(4)), low=Fraction(2, 3), high=Fraction(1, 3))]
    expected = line_of_effect(it.walls, it.a, it.b) or bool(set(squares_of(it.a)) & set(squares_of(it.b)))
    assert Scene(hard, tuple(special), it.a, it.b, it.walls.subdivisions).is_joined() == expected


# ---- properties


def with_bands(seed):
    """A situation whose free walls stop at some fractions only, some from one side only, some limited; None if the spaces meet."""
    rng = random.Random(seed)
    it = seeded(seed, 2, largest=7, most_free=14) if seed % 2 else seeded_slits(seed, 2)
    if set(squares_of(it.a)) & set(squares_of(it.b)):
        return None
    hard, special = [], []
    for wall in it.walls.segments:
        if rng.random() < 0.3:
            hard.append(wall)
            continue
        low, high = sorted(rng.sample(LEVELS, 2))
        kind = rng.randrange(4)
        low, high = Fraction(0) if kind == 0 else low, Fraction(1) if kind == 1 else high
        special.append(Conditional(*wall, rng.random() < 0.2, rng.choice((0, 0, 0, 1, 2)), low, high))
    barriers = indexed(replace(it.walls, segments=tuple(hard))).barriers
    return Scene(barriers, tuple(special), it.a, it.b, it.walls.subdivisions)


SCENES = [scene for seed in range(90) if (scene := with_bands(seed)) is not None]


def way_back(scene):
    special = tuple(
        replace(wall, side=(0, 2, 1)[wall.side], low=1 - wall.high, high=1 - wall.low) for wall in scene.special
    )
    return replace(scene, special=special, a=scene.b, b=scene.a)


def turned(scene):
    """x and y swapped."""
    special = tuple(replace(w, x0=w.y0, y0=w.x0, x1=w.y1, y1=w.x1, side=(0, 2, 1)[w.side]) for w in scene.special)
    a, b = ((y, x, height, width) for x, y, width, height in (scene.a, scene.b))
    return replace(scene, hard=scene.hard[:, [1, 0, 3, 2]], special=special, a=a, b=b)


def drawn_backwards(scene):
    special = tuple(replace(w, x0=w.x1, y0=w.y1, x1=w.x0, y1=w.y0, side=(0, 2, 1)[w.side]) for w in scene.special)
    return replace(scene, hard=scene.hard[:, [2, 3, 0, 1]], special=special[::-1] + special)


def test_the_way_back_turned_and_drawn_backwards():
    denied = 0
    for k, scene in enumerate(SCENES):
        answer = scene.is_joined()
        denied += not answer
        other = (way_back, turned, drawn_backwards)[k % 3](scene)
        assert other.is_joined() == answer, k
        assert way_back(turned(scene)).is_joined() == answer, k
    assert denied >= 10


def test_more_walls_and_wider_bands_join_nobody():
    rng, changed, denied = random.Random(5), 0, 0
    for k, scene in enumerate(SCENES):
        if not scene.special:
            continue
        stricter = [
            replace(wall, low=wall.low * rng.choice((0, 1)), high=max(wall.high, rng.choice(LEVELS)))
            for wall in scene.special
        ]
        stricter[0] = replace(stricter[0], side=0, limited=False)
        x, y = scene.size * scene.b[0] - 1, scene.size * scene.b[1] - 1
        ways = (
            Conditional(x, y, x + 3 * scene.size, y, low=rng.choice(LEVELS)),
            Conditional(x, y, x, y + 3 * scene.size),
        )
        stricter.append(ways[k % 2])
        before, after = scene.is_joined(), replace(scene, special=tuple(stricter)).is_joined()
        assert before or not after, k
        changed += before and not after
        denied += not before
    assert changed >= 5
    assert denied >= 10


def test_sampling_finds_no_segment_that_is_denied():
    rng, denied = random.Random(6), 0
    for scene in SCENES:
        if scene.is_joined():
            continue
        denied += 1
        for _ in range(40):
            segment = tuple(
                tuple(
                    scene.size * (v + Fraction(rng.randrange(1, 9973 * n), 9973))
                    for v, n in zip(s[:2], s[2:], strict=True)
                )
                for s in (scene.a, scene.b)
            )
            assert not is_free(scene.hard, scene.special, scene.a, scene.b, scene.size, segment)
    assert denied >= 10


# ---- witnesses: a segment, and walls that let it pass by a hair


def with_witness(seed):
    """A scene and a free segment that walls stop as soon as they are met a billionth of the way earlier or later."""
    rng = random.Random(seed)
    size, hair = rng.choice((4, 12, 60)), Fraction(1, rng.choice((100, 10**5, 10**9)))
    dx, dy = rng.choice([(1, 0), (1, 1), (3, 0), (4, 2), (5, 3), (2, 5), (-3, 1), (0, 4), (-4, -4)])
    a, b, parts = (6, 6, 1, 1), (6 + dx, 6 + dy, 1, 1), rng.choice((7, 97, 1009))
    (x0, y0), (x1, y1) = witness = tuple(
        tuple(size * (v + Fraction(rng.randrange(1, parts), parts)) for v in space[:2]) for space in (a, b)
    )

    def near_it():
        t = Fraction(rng.randrange(1, 100), 100)
        return int(x0 + t * (x1 - x0)), int(y0 + t * (y1 - y0))

    scene = Scene(NONE, (), a, b, size)
    wanted = rng.randrange(1, 7)
    for _ in range(200):
        (x, y), ux, uy = near_it(), rng.randint(-3 * size, 3 * size), rng.randint(-3 * size, 3 * size)
        wall = (x - ux, y - uy, x + ux + rng.randrange(2), y + uy + rng.randrange(2))
        met = common_stretch(*witness, (wall[:2], wall[2:])) if wall[:2] != wall[2:] else None
        if met is None or len(scene.special) == wanted:
            continue
        band = {"low": met[0] + hair} if rng.random() < 0.5 else {"high": met[0] - hair}
        more = replace(scene, special=(*scene.special, Conditional(*wall, **band)))
        scene = more if is_proof(more, witness) else scene
    for _ in range(rng.choice((0, 0, 3, 8))):
        x, y = near_it()
        x, y = x + rng.randrange(2), y + rng.randrange(2)
        wall = (x, y, x + rng.randint(-2 * size, 2 * size), y + rng.randint(-2 * size, 2 * size))
        more = replace(scene, hard=np.array([*scene.hard.tolist(), wall], np.int64))
        scene = more if is_proof(more, witness) else scene
    return scene, witness


@pytest.mark.parametrize("seed", range(45))
def test_the_needle_is_found(seed):
    scene, witness = with_witness(seed)
    assert is_free(scene.hard, scene.special, scene.a, scene.b, scene.size, witness)
    assert scene.is_joined()


# ---- known answers

HAIR = Fraction(1, 10**12)
FAR = 50


def battlement(x, **band):
    return Conditional(x, -FAR, x, FAR, **band)


@pytest.mark.parametrize(
    ("band", "expected"),
    [
        # The wall at x = 7 is met between 6/9 (from x = 1 to 10) and 7/9 of the way (from 0 to 9), the ends excluded.
        ({"low": Fraction(6, 9)}, False),
        ({"low": Fraction(6, 9) + HAIR}, True),
        ({"high": Fraction(7, 9)}, False),
        ({"high": Fraction(7, 9) - HAIR}, True),
        ({"low": Fraction(6, 9), "high": Fraction(7, 9)}, False),
        ({"low": Fraction(4, 5)}, True),
        ({"high": Fraction(1, 5)}, True),
        ({"low": Fraction(1, 2), "side": 1}, True),
        ({"low": Fraction(1, 2), "side": 2}, False),
        ({"low": Fraction(1, 2), "limited": True}, True),
    ],
)
def test_one_battlement(band, expected):
    assert Scene(NONE, (battlement(7, **band),), (0, 0, 1, 1), (9, 0, 1, 1), 1).is_joined() == expected


def test_from_the_tower_and_back():
    """A battlement that hides the last fifth of the way stands in front of who stands at it, not of who stands far from it."""
    at_it, far = (0, 0, 1, 1), (9, 0, 1, 1)
    special = (battlement(1, low=Fraction(4, 5)),)
    assert Scene(NONE, special, at_it, far, 1).is_joined()
    assert not Scene(NONE, special, far, at_it, 1).is_joined()


def test_two_battlements():
    """Met at x = 4 between 3/9 and 4/9, at x = 7 between 6/9 and 7/9 of the way: each lets pass at its own place, or both."""
    a, b = (0, 0, 1, 1), (9, 0, 1, 1)

    def is_joined(first, second, limited=False):
        return Scene(
            NONE, (battlement(4, limited=limited, **first), battlement(7, limited=limited, **second)), a, b, 1
        ).is_joined()

    # s = (4 - u) / (v - u) and t = (7 - u) / (v - u): t - s = 3 / (v - u) lies between 3/10 and 3/8.
    below, above = {"high": Fraction(2, 5)}, {"low": Fraction(7, 10)}  # s > 2/5 and t < 7/10: t - s < 3/10
    assert is_joined(below, {}, limited=True)
    assert not is_joined(below, above)
    assert is_joined({"high": Fraction(2, 5) - HAIR}, above)
    assert is_joined(below, {"low": Fraction(7, 10) + HAIR})
    assert is_joined(below, above, limited=True)
    assert not is_joined({}, {}, limited=True)


def test_next_to_each_other():
    """Any fraction is possible at the common side."""
    a, b = (0, 0, 1, 1), (1, 0, 1, 1)
    assert not Scene(NONE, (battlement(1),), a, b, 1).is_joined()
    for band in ({"high": 1 - HAIR}, {"low": HAIR}, {"limited": True}):
        assert Scene(NONE, (battlement(1, **band),), a, b, 1).is_joined()
    assert not Scene(NONE, (battlement(1, high=HAIR), battlement(1, low=HAIR)), a, b, 1).is_joined()
    # Across the corner at (1, 1), past hard walls that leave only the corner's neighbourhood.
    hard = np.array([[1, 1, 1, 9], [1, 1, 9, 1]])
    assert Scene(hard, (), (0, 0, 1, 1), (1, 1, 1, 1), 1).is_joined() is False
    assert Scene(hard[:1], (battlement(1, high=1 - HAIR),), (0, 0, 1, 1), (1, 1, 1, 1), 1).is_joined()


def test_what_the_centre_sees_is_judged_at_the_ends_of_the_way():
    """Only a shaft leads to the square at (0, -4), from where x > 8 2/3; the wall x = 8 hides that from the centre at x = 6."""
    hard = np.array([[9, -36, 9, 0], [10, -36, 10, 0], [-FAR, 0, 9, 0], [10, 0, FAR, 0]])
    a, b = (0, 0, 1, 1), (0, -4, 1, 1)
    for band, expected in (
        ({}, False),
        ({"high": Fraction(0)}, False),  # the leg is judged at 0
        ({"low": HAIR}, True),
        ({"side": 2}, True),  # the centre is on its left
        ({"side": 1}, False),
        ({"limited": True}, True),
    ):
        wall = Conditional(8, 24, 8, 0, **band)  # drawn upward: its left is the west
        assert (scene := Scene(hard, (wall,), a, b, 12)).is_joined() == expected, band
        assert way_back(scene).is_joined() == expected, band


def test_spaces_that_share_a_square():
    (x, y), end = Scene(NONE, (), (0, 0, 2, 2), (1, 1, 3, 1), 4).find()
    assert (x, y) == end == (6, 6)


def test_big_spaces_in_line():
    """The line in the middle runs along the grid; no end of a segment may lie there."""
    for a, b in (((0, 0, 2, 2), (9, 0, 2, 2)), ((0, 0, 2, 2), (0, 2, 2, 2)), ((0, 0, 4, 4), (4, 4, 4, 4))):
        assert Scene(NONE, (), a, b, 1).is_joined()
    thin = (battlement(7, low=Fraction(5, 9) + HAIR), Conditional(-FAR, 1, FAR, 1, low=HAIR))
    assert Scene(NONE, thin, (0, 0, 2, 2), (9, 0, 2, 2), 1).is_joined()

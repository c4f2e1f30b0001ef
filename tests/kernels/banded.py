"""Random scenes of ``oracle_heights.py`` with everything that special walls can be, and the kernel's answers about them."""

from __future__ import annotations

import inspect
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import product
from types import SimpleNamespace
from unittest.mock import patch

import numpy as np
import oracle_heights
from hypothesis import strategies as st
from kernels.support import indexed, square_number
from oracle import squares_of
from oracle_heights import Banded, Body, Heights, square_sides
from oracle_walls import HARD, LIMITED, LIMITED_ONE_WAY, ONE_WAY
from strategies import build_situation

from gridlos.facts import Hidden
from gridlos.kernels import line, special, special_cost
from gridlos.questions.hiding import Terms, hiding_of
from gridlos.questions.obstacles import Obstacles
from gridlos.questions.specials import Specials

HALF = Fraction(1, 2)
LEVELS = [None, -2, 0, HALF, 1, 2, 3, 4, 5, 6, 8, 10, 12]
LOW_RULES = [None, None, (5, "5-10-5"), (5, "1"), (10, "5-10-5")]
SIDED = {HARD: 0, LIMITED: 0, (0, 2): special_cost.FROM_RIGHT, (0, 1): special_cost.FROM_RIGHT}
SIDED |= {ONE_WAY: special_cost.FROM_LEFT, LIMITED_ONE_WAY: special_cost.FROM_LEFT}


@dataclass(frozen=True)
class Case:
    """Walls, the bodies of attacker and target, a square of each, and what the edition says.

    ``fences`` stop nothing, they have a word only.
    """

    heights: Heights
    a: Body
    t: Body
    square_a: tuple
    square_t: tuple
    low: tuple | None = None
    least: int = 1
    fences: tuple = ()

    @property
    def words(self):
        return tuple(sorted({wall.word for wall in (*self.heights.banded, *self.fences) if wall.word is not None}))

    @property
    def with_fences(self):
        """What the oracle, to which walls with a word are hard ones, is asked about words."""
        return replace(self.heights, banded=self.heights.banded + self.fences)


def build_band(below):
    """Bottom and top: often on the ground, often 3 feet high, often without an end."""
    bottom = (0, 0, 0, None, LEVELS[below(len(LEVELS))])[below(5)]
    top = (3, 3, 4, LEVELS[below(len(LEVELS))], LEVELS[below(len(LEVELS))], None)[below(6)]
    return (bottom, top) if bottom is None or top is None or bottom < top else (0, 3)


def build_traits(below):
    """Limited and one-way walls, and cover words; of the walls with a word the oracle knows the hard ones only."""
    if below(6) == 0:
        word = {"word": ("improved", "standard")[below(2)], "slit": bool(below(2))}
        return word | {"tolls": (HARD, HARD, ONE_WAY, (0, 2))[below(4)]}
    return {"tolls": (HARD, HARD, HARD, HARD, LIMITED, ONE_WAY, (0, 2), LIMITED_ONE_WAY)[below(8)]}


def build_body(below, space):
    feet = Fraction((0, 0, 0, 0, 3, 5, 10, -5)[below(8)])
    return Body(tuple(space), feet, feet + (6, 6, 6, 3, 10, HALF)[below(6)])


def build_case(below, largest_space=2, largest=8, most_free=8):
    """A case whose walls, edges and solid squares are plain in part only."""
    it = build_situation(below, largest_space, largest, most_free)
    s, plain, banded = it.walls.subdivisions, [], []
    for wall in it.walls.segments:
        if below(5) == 4:
            plain.append(wall)
        else:
            banded.append(Banded((wall[:2], wall[2:]), *build_band(below), **build_traits(below)))
    edges = []
    for edge in sorted(it.walls.edges):
        if below(5) == 4:
            edges.append(edge)
        else:
            x0, y0, x1, y1 = (s * v for v in edge)
            banded.append(Banded(((x0, y0), (x1, y1)), *build_band(below), **build_traits(below)))
    solid = []
    for square in sorted(it.walls.solid):
        if below(5) == 4:
            solid.append(square)
        else:
            banded += square_sides(square, s, *build_band(below), **build_traits(below))
    base = replace(it.walls, segments=tuple(plain), edges=frozenset(edges), solid=frozenset(solid))
    a, t = build_body(below, it.a), build_body(below, it.b)
    pairs = [(p, q) for p, q in product(squares_of(it.a), squares_of(it.b)) if p != q] or [(it.a[:2], it.b[:2])]
    squares = pairs[below(len(pairs))]
    fences = [wall for wall in banded if wall.word is not None and below(2)]
    banded = [wall for wall in banded if wall not in fences]
    terms = LOW_RULES[below(len(LOW_RULES))], (1, 1, 3)[below(3)]
    return Case(Heights(base, tuple(banded)), a, t, *squares, *terms, tuple(fences))


def seeded(seed, **limits):
    """The case of a seed."""
    rng = np.random.default_rng(seed)
    return build_case(lambda bound: int(rng.integers(bound)), **limits)


@st.composite
def cases(draw, **limits):
    """Cases for hypothesis."""
    return build_case(lambda bound: draw(st.integers(0, bound - 1)), **limits)


# ---- the kernel


def heights_of(case):
    """``(bottom, top)`` of every banded wall and the bodies in half feet, ends of bands beyond all bodies cut there."""
    bodies = case.a, case.t
    low, high = int(2 * min(body.feet for body in bodies)) - 1, int(2 * max(body.top for body in bodies)) + 1
    bands = [
        (low if wall.bottom is None else max(int(2 * wall.bottom), low), high if wall.top is None else int(2 * wall.top))
        for wall in (*case.heights.banded, *case.fences)
    ]
    return [(min(bottom, high), max(min(top, high), low)) for bottom, top in bands], bodies


def specials_of(case):
    """The special walls and the bodies as the questions hand them to the kernel."""
    base = case.heights.base
    bands, bodies = heights_of(case)
    rows = []
    for wall, (bottom, top) in zip((*case.heights.banded, *case.fences), bands, strict=True):
        if wall.wall[0] == wall.wall[1]:
            continue
        hard, limited = (0 if wall in case.fences else 3 * (max(wall.tolls) == toll) for toll in (2, 1))
        word = -1 if wall.word is None else case.words.index(wall.word)
        square = -1 if wall.own is None else square_number(base, wall.own)
        rows.append((*wall.wall[0], *wall.wall[1], hard, limited, SIDED[wall.tolls], bottom, top, word, wall.slit, square))
    table = np.array(rows, np.int64).reshape(-1, 12)
    return Specials(
        walls=table[:, :4].copy(),
        stops=table[:, 4].astype(np.uint8),
        limited=table[:, 5].astype(np.uint8),
        side=table[:, 6].copy(),
        bands=table[:, 7:9].copy(),
        words=case.words,
        word=table[:, 9].copy(),
        is_slit=table[:, 10].astype(np.bool_),
        squares=table[:, 11].copy(),
        owners=np.arange(len(table)),
        bodies=np.array([[*body.space, int(2 * body.feet), int(2 * body.top)] for body in bodies], np.int64),
    )


def hiding(case):
    """What the questions find for the case's two squares, both ways."""
    base, plain = case.heights.base, indexed(case.heights.base)
    feet, diagonals = case.low or (5, "5-10-5")
    squares = np.array([[square_number(base, case.square_a), square_number(base, case.square_t)]], np.int64)
    return hiding_of(
        SimpleNamespace(subdivisions=plain.size, rows=base.rows, cols=base.cols, feet_per_square=feet),
        specials_of(case),
        Obstacles(plain.size, plain.arms, plain.free, plain.barriers, plain.pivots),
        np.array([[0, 1]], np.int64),
        squares,
        line.blocked_lines(*plain.lines, squares, plain.size),
        Terms(case.least, case.low is not None, diagonals),
    )


def arguments(case):
    """What the kernel is given for it, by name: for both ways; [] if it is not asked."""
    names, given = inspect.signature(getattr(special.special_lines, "py_func", special.special_lines)).parameters, []

    def recorded(*arrays):
        given.append(dict(zip(names, (array.copy() for array in arrays), strict=True)))
        return asked(*arrays)

    asked = special.special_lines
    with patch.object(special, "special_lines", recorded):
        hiding(case)
    return given


def answers(case):
    """``codes, tolls, words, ends`` as lists, of one attacker's square against one target's."""
    found = hiding(case)
    if found is not None and len(found.choices):
        return [array[0, 0].tolist() for array in (found.codes, found.tolls, found.words, found.ends)]
    # Special walls do nothing there.
    base, plain = case.heights.base, indexed(case.heights.base)
    squares = [square_number(base, square) for square in (case.square_a, case.square_t)]
    (lines,) = line.blocked_lines(*plain.lines, np.array([squares], np.int64), plain.size).tolist()
    codes, tolls = ([most * (lines >> k & 1) for k in range(16)] for most in (int(Hidden.ALL), special_cost.STOPPED))
    legs = [int(plain.legs.ravel()[square]) for square in squares]
    return [codes, tolls, [0] * len(case.words), [sum(1 << c for c in range(4) if leg >> (2 * c) & 3) for leg in legs]]


def expected(case):
    """The same by the oracle."""
    heights, a, t, low, least = case.heights, case.a, case.t, case.low, case.least
    lines = [(a, case.square_a, ca, t, case.square_t, cb) for ca in range(4) for cb in range(4)]
    codes = [oracle_heights.code(oracle_heights.hidden(heights, *one, low)) for one in lines]
    tolls = [oracle_heights.toll(heights, *one) for one in lines]
    words = [
        sum(oracle_heights.tagged(case.with_fences, *one, word, least, low) << bit for bit, one in enumerate(lines))
        for word in case.words
    ]
    terms = {"least": least, "low": low}
    ends = [
        oracle_heights.usable_corners(heights, a, t, square, is_outward=outward, **terms)
        for square, outward in ((case.square_a, True), (case.square_t, False))
    ]
    return [[code if code >= least else 0 for code in codes], tolls, words, ends]


def disagreement(case):
    """What kernel and oracle say differently."""
    return differences(answers(case), expected(case))


def differences(found, expected):
    """What is not the same; from which corners nothing passes nobody asks."""
    names = ["codes", "tolls", "words", "ends"][: 3 if min(expected[0]) == special_cost.ALL else 4]
    return [(name, one, other) for name, one, other in zip(names, found, expected, strict=False) if one != other]


def smallest(case, is_wrong):
    """The case with as few walls as show the fault."""
    again = True
    while again:
        again = False
        for fewer in fewer_walls(case.heights):
            if is_wrong(smaller := replace(case, heights=fewer)):
                case, again = smaller, True
                break
        for k in range(len(case.fences)):
            if is_wrong(smaller := replace(case, fences=case.fences[:k] + case.fences[k + 1 :])):
                case, again = smaller, True
                break
    return case


def fewer_walls(heights):
    """The walls without one of them, for each."""
    base, banded = heights.base, heights.banded
    for k in range(len(banded)):
        yield replace(heights, banded=banded[:k] + banded[k + 1 :])
    for k in range(len(base.segments)):
        yield replace(heights, base=replace(base, segments=base.segments[:k] + base.segments[k + 1 :]))
    for edge in sorted(base.edges):
        yield replace(heights, base=replace(base, edges=base.edges - {edge}))
    for square in sorted(base.solid):
        yield replace(heights, base=replace(base, solid=base.solid - {square}))

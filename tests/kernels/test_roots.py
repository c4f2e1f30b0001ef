"""Numbers between roots: against roots chosen beforehand, and where roots nearly coincide."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import pairwise

import pytest

from gridlos.kernels.roots import between, plus, simplest, times


def with_root(value):
    return -value.numerator, value.denominator


def value_at(p, x):
    return sum(c * x**k for k, c in enumerate(p))


def shifted_root(square, shift):
    """The polynomial with the roots ``shift ± √square``."""
    return plus(times((-shift, 1), (-shift, 1)), (-square,))


@pytest.mark.parametrize("seed", range(40))
def test_one_number_in_each_gap(seed):
    rng = random.Random(seed)
    # Roots as pairs (whole, square): whole + or - the root of 2, 3, or 0 for a rational one.
    rational = [Fraction(rng.randint(-9, 9), rng.randint(1, 7)) for _ in range(4)]
    surds = [(rng.choice((2, 3, 5)), rng.randint(-2, 2)) for _ in range(2)]
    polynomials, exact, approximate = [], set(), set()
    for _ in range(rng.randint(1, 6)):
        p = (rng.choice((-3, 1, 2)),)
        for root in rng.sample(rational, rng.randint(0, 2)):
            p = times(p, with_root(root))
            exact.add(root)
        if len(p) < 3 and rng.random() < 0.6:
            square, shift = rng.choice(surds)
            p = times(p, shifted_root(square, shift))
            approximate |= {round(shift + sign * square**0.5, 9) for sign in (-1, 1)}
        polynomials.append(p)
    found = list(between(polynomials, None, None))
    roots = sorted({*map(float, exact), *approximate})
    assert len(found) == len(roots) + 1
    assert all(x < root < y for (x, y), root in zip(pairwise(found), roots, strict=True))
    low, high = sorted(rng.sample([Fraction(n, 13) for n in range(-60, 60)], 2))
    some = list(between(polynomials, low, high))
    assert len(some) == len([root for root in roots if low < root < high]) + 1
    assert all(low < x < high for x in some)


def test_roots_that_nearly_coincide():
    big = 10**40
    near = (-2 * big - 1, 0, big)  # ± the root of 2 and a little
    assert len(list(between([(-2, 0, 1), near], None, None))) == 5
    cubic = times((-2, 0, 1), (-5, 3))
    same = [(-2 * big, 0, big), cubic, (-2, 0, 1), (1, 0, 1)]
    assert len(list(between(same, Fraction(0), Fraction(9)))) == 3
    inside = between([near, (-2, 0, 1)], Fraction(1), Fraction(2))
    assert sum(value_at((-2, 0, 1), x) > 0 > value_at(near, x) for x in inside) == 1


def test_multiple_and_missing_roots():
    cube = times((-1, 1), times((-1, 1), (-1, 1)))
    assert [x > 1 for x in between([cube, (), (7,), (0, 0)], None, None)] == [False, True]
    assert list(between([(1, 0, 1)], None, None)) == [0]
    assert len(list(between([(-1, 0, 0, 0, 1), (1, -3, 0, 1)], None, None))) == 6


@pytest.mark.parametrize(
    ("low", "high", "expected"),
    [("0", "1", "1/2"), ("1/3", "1/2", "2/5"), ("-1/2", "3", "0"), ("-5/2", "-2", "-7/3"), ("2", "4", "3")],
)
def test_the_simplest_fraction(low, high, expected):
    assert simplest(Fraction(low), Fraction(high)) == Fraction(expected)

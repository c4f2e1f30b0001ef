"""Rational numbers between the real roots of polynomials, exactly: no two different roots are ever taken for one.

A polynomial is a tuple of integers, the coefficient of the lowest power first. A root is held between two neighbours of
a binary grid, which is made finer whenever two roots have to be told apart; common factors tell which of them are equal.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cmp_to_key
from itertools import pairwise
from math import gcd, isqrt

__all__ = ["Polynomial", "between", "plus", "simplest", "times"]

Polynomial = tuple[int, ...]

_FINE = 24
"""To this many binary places every root is known before roots are compared."""


def times(p: Polynomial, q: Polynomial) -> Polynomial:
    """Return the product of two polynomials."""
    result = [0] * max(len(p) + len(q) - 1, 0)
    for i, one in enumerate(p):
        for j, other in enumerate(q):
            result[i + j] += one * other
    return tuple(result)


def plus(p: Polynomial, q: Polynomial) -> Polynomial:
    """Return the sum of two polynomials."""
    if len(p) < len(q):
        p, q = q, p
    return tuple(one + (q[k] if k < len(q) else 0) for k, one in enumerate(p))


def _primitive(p: Polynomial) -> Polynomial:
    """Return the polynomial without leading zeros and common factors, the highest coefficient positive."""
    n = len(p)
    while n and p[n - 1] == 0:
        n -= 1
    if n == 0:
        return ()
    common = gcd(*p[:n]) * (1 if p[n - 1] > 0 else -1)
    return tuple(c // common for c in p[:n])


def _derivative(p: Polynomial) -> Polynomial:
    return tuple(k * c for k, c in enumerate(p))[1:]


def _remainder(p: Polynomial, q: Polynomial) -> Polynomial:
    """Return a positive multiple of the remainder of ``p`` by ``q``."""
    rest = list(p)
    lead = q[-1]
    while len(rest) >= len(q):
        top = rest[-1] if lead > 0 else -rest[-1]
        shift = len(rest) - len(q)
        rest = [abs(lead) * c for c in rest]
        for k, c in enumerate(q):
            rest[k + shift] -= top * c
        while rest and rest[-1] == 0:
            rest.pop()
    common = gcd(*rest) or 1
    return tuple(c // common for c in rest)


def _common(p: Polynomial, q: Polynomial) -> Polynomial:
    while q:
        p, q = q, _remainder(p, q)
    return _primitive(p)


def _quotient(p: Polynomial, q: Polynomial) -> Polynomial:
    """Return a multiple of ``p / q``, which leaves no remainder."""
    rest, result = [Fraction(c) for c in p], []
    for shift in range(len(p) - len(q), -1, -1):
        factor = rest[shift + len(q) - 1] / q[-1]
        result.append(factor)
        for k, c in enumerate(q):
            rest[k + shift] -= factor * c
    scale = 1
    for factor in result:
        scale *= factor.denominator // gcd(scale, factor.denominator)
    return _primitive(tuple(int(factor * scale) for factor in reversed(result)))


def _sign(p: Polynomial, n: int, places: int) -> int:
    """Return the sign of the polynomial at ``n / 2 ** places``."""
    value, power = 0, 0
    if places < 0:
        n, places = n << -places, 0
    for c in reversed(p):
        value = value * n + (c << power)
        power += places
    return (value > 0) - (value < 0)


@dataclass(slots=True)
class _Root:
    """A root strictly between ``n`` and ``n + 1``, both over ``2 ** places``, or ``exact``; no other of the polynomial is there."""

    polynomial: Polynomial
    n: int
    places: int
    exact: Fraction | None = None

    def bounds(self) -> tuple[Fraction, Fraction]:
        if self.exact is not None:
            return self.exact, self.exact
        scale = Fraction(2) ** -self.places
        return self.n * scale, (self.n + 1) * scale

    def refine(self) -> None:
        """Halve the interval."""
        if self.exact is not None:
            return
        middle = _sign(self.polynomial, 2 * self.n + 1, self.places + 1)
        if middle == 0:
            self.exact = (2 * self.n + 1) * Fraction(2) ** -(self.places + 1)
            return
        before = _sign(self.polynomial, self.n, self.places)
        self.n = 2 * self.n + (1 if before == 0 or before == middle else 0)
        self.places += 1


def _variations(chain: list[Polynomial], n: int, places: int) -> int:
    signs = [sign for p in chain if (sign := _sign(p, n, places))]
    return sum(one != other for one, other in pairwise(signs))


def _isolated(p: Polynomial) -> Iterator[_Root]:
    """Yield the roots of a primitive polynomial without multiple roots."""
    if len(p) < 2:
        return
    if len(p) == 2:
        yield _Root(p, 0, 0, Fraction(-p[0], p[1]))
        return
    if p[0] == 0:
        yield _Root(p, 0, 0, Fraction(0))
        yield from _isolated(p[1:])
    elif len(p) == 3:
        yield from _of_quadratic(p)
    else:
        chain = [p, _derivative(p)]
        while rest := _remainder(chain[-2], chain[-1]):
            chain.append(tuple(-c for c in rest))
        far = (max(map(abs, p[:-1])) // abs(p[-1]) + 2).bit_length()
        yield from _halved(p, chain, far)


def _of_quadratic(p: Polynomial) -> Iterator[_Root]:
    """Yield the two roots of a quadratic with a positive highest coefficient, if they are real."""
    square = p[1] * p[1] - 4 * p[0] * p[2]
    if square < 0:
        return
    side = isqrt(square)
    if side * side == square:
        yield from (_Root(p, 0, 0, Fraction(-p[1] + sign * side, 2 * p[2])) for sign in (-1, 1))
        return
    places, low, high = _FINE, 0, 0
    while low == high:
        side = isqrt(square << 2 * places)  # the root of the square lies strictly between this and the next
        low = ((-p[1] << places) - side - 1) // (2 * p[2])
        high = ((-p[1] << places) + side) // (2 * p[2])
        places *= 2
    yield from (_Root(p, n, places // 2) for n in (low, high))


def _halved(p: Polynomial, chain: list[Polynomial], far: int) -> Iterator[_Root]:
    """Yield the roots that halving the interval between ``-2 ** far`` and ``2 ** far`` finds."""
    todo = [(-1, -far), (0, -far)]
    while todo:
        n, places = todo.pop()
        inside = _variations(chain, n, places) - _variations(chain, n + 1, places)  # in (n, n + 1]
        if _sign(p, n + 1, places) == 0:
            inside -= 1
        if inside == 1 and _sign(p, n, places) != 0 and _sign(p, n + 1, places) != 0:
            yield _Root(p, n, places)
        elif inside:
            if _sign(p, 2 * n + 1, places + 1) == 0:
                yield _Root(p, 0, 0, (2 * n + 1) * Fraction(2) ** -(places + 1))
            todo += [(2 * n, places + 1), (2 * n + 1, places + 1)]


def _are_equal(a: _Root, b: _Root) -> bool:
    """Are two roots, whose intervals overlap, the same number?"""
    if a.exact is not None and b.exact is not None:
        return a.exact == b.exact
    low, high = max(a.bounds()[0], b.bounds()[0]), min(a.bounds()[1], b.bounds()[1])
    if low == high and a.exact is None and b.exact is None:
        return False
    if low == high:
        return _at((a if a.exact is None else b).polynomial, low) == 0
    common = _common(a.polynomial, b.polynomial)
    return len(common) > 1 and _at(common, low) * _at(common, high) < 0


def _at(p: Polynomial, x: Fraction) -> Fraction:
    value = Fraction(0)
    for c in reversed(p):
        value = value * x + c
    return value


def _compare(a: _Root, b: _Root) -> int:
    """Return -1, 0 or 1; different roots are refined until their intervals have no point in common."""
    asked = False
    while True:
        (a0, a1), (b0, b1) = a.bounds(), b.bounds()
        if a1 < b0:
            return -1
        if b1 < a0:
            return 1
        if a0 == a1 == b0 == b1:
            return 0
        if (not asked and max(a0, b0) < min(a1, b1)) or (a0 < b0 == b1 < a1) or (b0 < a0 == a1 < b1):
            if _are_equal(a, b):
                return 0
            asked = True
        a.refine()
        b.refine()


def simplest(low: Fraction, high: Fraction) -> Fraction:
    """Return the fraction with the smallest denominator strictly between two numbers."""
    if low < 0 < high:
        return Fraction(0)
    if high <= 0:
        return -simplest(-high, -low)
    whole = low.numerator // low.denominator
    if whole + 1 < high:
        return Fraction(whole + 1)
    if low == whole:
        rest = 1 / (high - whole)
        return whole + Fraction(1, rest.numerator // rest.denominator + 1)
    return whole + 1 / simplest(1 / (high - whole), 1 / (low - whole))


def between(polynomials: Iterable[Polynomial], low: Fraction | None, high: Fraction | None) -> Iterator[Fraction]:
    """Yield one number of each gap that all roots between ``low`` and ``high`` (None: infinite) leave."""
    distinct = {_primitive(p) for p in polynomials}
    distinct |= {(-end.numerator, end.denominator) for end in (low, high) if end is not None}
    roots = []
    for p in distinct:
        if len(p) > 1:
            factor = _common(p, _derivative(p)) if len(p) > 2 else (1,)
            roots += list(_isolated(p if len(factor) < 2 else _quotient(p, factor)))
    for root in roots:
        while root.exact is None and root.places < _FINE:
            root.refine()
    order = sorted(roots, key=cmp_to_key(_compare))
    kept = [root for k, root in enumerate(order) if k == 0 or _compare(order[k - 1], root) < 0]
    if not kept:
        yield Fraction(0)
        return
    ends = [(kept[0].bounds()[0] - 2, kept[0].bounds()[0])]
    ends += [(one.bounds()[1], other.bounds()[0]) for one, other in pairwise(kept)]
    ends.append((kept[-1].bounds()[1], kept[-1].bounds()[1] + 2))
    for start, end in ends:
        if (low is None or low <= start) and (high is None or end <= high):
            yield simplest(start, end)

"""Crowded maps for hypothesis and from seeds, as the oracle and as the kernels read them.

Creatures stand anywhere, side by side, on top of each other, or in rows between others; some are large, some give no
cover, or none to some.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import product

import numpy as np
import oracle_creatures as judge
from hypothesis import strategies as st
from oracle_creatures import Body

SIDES = ("party", "monsters", "neutral", "bandits")
ALL = 0xFFFF


@dataclass(frozen=True)
class Crowd:
    """Creatures on a map."""

    rows: int
    cols: int
    bodies: tuple

    def moved(self, dx, dy, rows, cols):
        """The same on a larger map."""
        bodies = [replace(body, space=(body.space[0] + dx, body.space[1] + dy, *body.space[2:])) for body in self.bodies]
        return Crowd(rows, cols, tuple(bodies))


def within(value, low, high):
    return min(max(value, low), high)


def build_space(below, rows, cols, found, largest):
    """A space anywhere, or beside another one, or on top of it."""
    width, height = (1 + below(1 + below(min(largest, n))) for n in (cols, rows))
    x, y = below(cols - width + 1), below(rows - height + 1)
    if found and below(3):
        ox, oy, ow, oh = found[below(len(found))]
        kind = below(6)
        if kind == 0:  # on top
            x, y = ox + below(ow), oy + below(oh)
        elif kind == 1:  # to the right or the left, in line or shifted
            x, y = (ox + ow, ox - width)[below(2)], oy + below(3) - 1
        elif kind == 2:  # below or above
            x, y = ox + below(3) - 1, (oy + oh, oy - height)[below(2)]
        elif kind == 3:  # corner to corner
            x, y = (ox + ow, ox - width)[below(2)], (oy + oh, oy - height)[below(2)]
        elif kind == 4:  # in the same columns, farther off
            x = ox
        else:  # in the same rows
            y = oy
    return within(x, 0, cols - width), within(y, 0, rows - height), width, height


def build_crowd(below, largest=3, most=8, size=9):
    """A map of at most ``size`` squares a side with two to ``most`` creatures."""
    rows, cols = 1 + below(size), 2 + below(size)
    spaces = []
    for _ in range(2 + below(most - 1)):
        spaces.append(build_space(below, rows, cols, spaces, largest))
    bodies = []
    for space in spaces:
        kind = below(8)
        gives_cover = True
        if kind == 6:
            gives_cover = False
        elif kind == 7:
            gives_cover = SIDES[: 1 + below(3)]
        bodies.append(Body(space, side=SIDES[below(len(SIDES))], gives_cover=gives_cover))
    if below(4) == 0:  # one rides another
        rider, mount = below(len(bodies)), below(len(bodies))
        if rider != mount:
            bodies[rider] = replace(bodies[rider], mount=mount)
    return Crowd(rows, cols, tuple(bodies))


def build_melee(below):
    """A target in the middle of others, most of them hostile to it, within three squares of it."""
    width, height = 1 + below(3), 1 + below(3)
    bodies = [Body((5, 5, width, height), side="monsters")]
    for _ in range(4 + below(5)):
        size, apart = (1, 1, 1, 2, 3)[below(5)], below(3)
        x, y = 5 - apart - size + below(width + size + 2 * apart), 5 - apart - size + below(height + size + 2 * apart)
        side = ("party", "party", "party", "monsters", "neutral", "bandits")[below(6)]
        bodies.append(Body((x, y, size, size), side=side))
    if below(3) == 0:
        rider = below(len(bodies))
        mount = below(len(bodies))
        if rider != mount:
            bodies[rider] = replace(bodies[rider], mount=mount)
    return Crowd(16, 16, tuple(bodies))


def chooser(seed):
    """A source of whole numbers below a bound."""
    rng = np.random.default_rng(seed)
    return lambda bound: int(rng.integers(bound))


def seeded_crowd(seed, **limits):
    return build_crowd(chooser(seed), **limits)


@st.composite
def crowds(draw, **limits):
    return build_crowd(lambda bound: draw(st.integers(0, bound - 1)), **limits)


# ---- as the kernels read them


def spaces_of(crowd):
    return np.array([body.space for body in crowd.bodies], np.int32).reshape(-1, 4)


def mounts_of(crowd):
    return np.array([-1 if body.mount is None else body.mount for body in crowd.bodies], np.int32)


def all_pairs(crowd):
    n = range(len(crowd.bodies))
    return [(a, b) for a, b in product(n, n) if a != b]


@dataclass(frozen=True, eq=False)
class Asked:
    """Pairs of creatures with their choices, or with some of these."""

    pairs: np.ndarray
    starts: np.ndarray
    squares: np.ndarray
    choices: tuple  # (a, b, square, other square)


def ask(crowd, pairs, below=None, most=None):
    """The choices of pairs; with ``most`` no more than so many of each, picked by ``below``."""
    starts, choices = [0], []
    for a, b in pairs:
        found = judge.choices(crowd.bodies[a].space, crowd.bodies[b].space)
        if most is not None and len(found) > most:
            found = [found[below(len(found))] for _ in range(most)]
        choices += [(a, b, *pair) for pair in found]
        starts.append(len(choices))
    squares = [[y * crowd.cols + x for x, y in pair] for _, _, *pair in choices]
    return Asked(
        np.array(pairs, np.int64).reshape(-1, 2),
        np.array(starts, np.int64),
        np.array(squares, np.int64).reshape(-1, 2),
        tuple(choices),
    )


def word(nibbles):
    """The bits of sixteen lines."""
    return sum(nibble << (4 * corner) for corner, nibble in enumerate(nibbles))


# ---- the eight symmetries of the square


def mirrored(crowd):
    """Left to right; a corner becomes the one beside it."""
    bodies = [
        replace(body, space=(crowd.cols - body.space[0] - body.space[2], *body.space[1:])) for body in crowd.bodies
    ]
    return replace(crowd, bodies=tuple(bodies))


def transposed(crowd):
    """Rows become columns; corners 1 and 2 change places."""
    bodies = [replace(body, space=tuple(body.space[k] for k in (1, 0, 3, 2))) for body in crowd.bodies]
    return Crowd(crowd.cols, crowd.rows, tuple(bodies))


@dataclass(frozen=True)
class View:
    """One of the eight symmetries: what becomes of a crowd, a square, a corner and an array of squares."""

    steps: tuple
    shapes: tuple  # (rows, cols) before each step

    def square(self, square):
        for step, (_, cols) in zip(self.steps, self.shapes, strict=True):
            square = (cols - 1 - square[0], square[1]) if step == "mirror" else square[::-1]
        return square

    def corner(self, corner):
        for step in self.steps:
            corner = corner ^ 1 if step == "mirror" else corner >> 1 | (corner & 1) << 1
        return corner

    def array(self, array):
        for step in self.steps:
            array = array[:, ::-1] if step == "mirror" else array.T
        return np.ascontiguousarray(array)


def views(crowd):
    """The crowd in the eight symmetries of the square, with each view."""
    for choice in product((False, True), repeat=3):
        steps = [name for name, is_on in zip(("mirror", "transpose", "mirror"), choice, strict=True) if is_on]
        found, shapes = crowd, []
        for step in steps:
            shapes.append((found.rows, found.cols))
            found = mirrored(found) if step == "mirror" else transposed(found)
        yield found, View(tuple(steps), tuple(shapes))


def same_choices(asked, crowd, view):
    """The same choices as another view shows them."""
    choices = [(a, b, view.square(one), view.square(other)) for a, b, one, other in asked.choices]
    squares = [[y * crowd.cols + x for x, y in pair] for _, _, *pair in choices]
    return Asked(asked.pairs, asked.starts, np.array(squares, np.int64).reshape(-1, 2), tuple(choices))


def as_seen(bits, view):
    """The sixteen bits of lines with their corners as a view shows them."""
    return sum(
        (int(bits) >> (4 * i + j) & 1) << (4 * view.corner(i) + view.corner(j)) for i, j in product(range(4), range(4))
    )


def far_spaces(below, crowd, a, b, n):
    """Spaces that do not meet the upright rectangle round two creatures."""
    ax, ay, aw, ah = crowd.bodies[a].space
    bx, by, bw, bh = crowd.bodies[b].space
    left, top, right, bottom = min(ax, bx), min(ay, by), max(ax + aw, bx + bw), max(ay + ah, by + bh)
    found = []
    for _ in range(30 * n):
        width, height = 1 + below(min(6, crowd.cols)), 1 + below(min(6, crowd.rows))
        x, y = below(crowd.cols - width + 1), below(crowd.rows - height + 1)
        if x + width < left or right < x or y + height < top or bottom < y:
            found.append((x, y, width, height))
    return found[:n]


def bodies_on(spaces, **keys):
    return tuple(Body(space, **keys) for space in spaces)

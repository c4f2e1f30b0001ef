"""Small battle maps on which much is degenerate, for hypothesis and from seeds.

One generator serves both: it asks a chooser for whole numbers below a bound; the chooser is either a hypothesis draw
(which shrinks towards 0, the plainest choice) or a seeded numpy generator.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import gcd

import numpy as np
from hypothesis import strategies as st
from oracle import Walls, squares_of

SUBDIVISIONS = (1, 2, 3, 4, 8, 12)


@dataclass(frozen=True)
class Situation:
    """Walls and two spaces (x, y, width, height) that stand on no solid square; they may overlap."""

    walls: Walls
    a: tuple
    b: tuple


def place(below, rows, cols, s, found):
    """A lattice point as the end of a free wall."""
    kind = below(8)
    x, y = below(cols + 1), below(rows + 1)
    if kind <= 1:  # a grid corner
        return s * x, s * y
    if kind == 2:  # the middle of a square, or near it
        return s * x + s // 2, s * y + s // 2
    if kind == 3 and found:  # an end of another wall
        wall = found[below(len(found))]
        return wall[:2] if below(2) else wall[2:]
    if kind == 4 and found:  # a point on another wall
        return along(below, found[below(len(found))])
    if kind == 5:  # a point on a line between two grid corners
        return along(below, (s * x, s * y, s * below(cols + 1), s * below(rows + 1)))
    if kind == 6:  # a little off a grid corner
        return s * x + below(3) - 1, s * y + below(3) - 1
    return below(s * (cols + 2) + 1) - s, below(s * (rows + 2) + 1) - s  # anywhere, one square beyond the map included


def along(below, wall):
    """A lattice point on a wall."""
    x0, y0, x1, y1 = wall
    n = gcd(x1 - x0, y1 - y0)
    if n == 0:
        return x0, y0
    k = below(n + 1)
    return x0 + k * (x1 - x0) // n, y0 + k * (y1 - y0) // n


def free_wall(below, rows, cols, s, found):
    """A free wall, often one that lies in an awkward way to a square or to the walls found."""
    kind = below(8)
    if kind == 1:  # through the middle of a square, or just past it
        x, y = s * below(cols), s * below(rows)
        dx, dy = below(2 * s + 1) - s, below(2 * s + 1) - s
        cut = below(3)
        ends = (x + (s - dx) // 2, y + (s - dy) // 2, x + (s + dx) // 2, y + (s + dy) // 2)
        return ends if cut else (*ends[:2], x + s // 2, y + s // 2)
    if kind == 2 and found:  # on the same line as another wall: inside it, over its end or beyond it
        x0, y0, x1, y1 = found[below(len(found))]
        n = gcd(x1 - x0, y1 - y0) or 1
        i, j = below(2 * n + 1) - n // 2, below(2 * n + 1) - n // 2
        dx, dy = (x1 - x0) // n, (y1 - y0) // n
        return x0 + i * dx, y0 + i * dy, x0 + j * dx, y0 + j * dy
    if kind == 3 and found:  # another wall the other way round
        x0, y0, x1, y1 = found[below(len(found))]
        return x1, y1, x0, y0
    if kind == 4:  # short
        x, y = place(below, rows, cols, s, found)
        return x, y, x + below(2 * s + 1) - s, y + below(2 * s + 1) - s
    return *place(below, rows, cols, s, found), *place(below, rows, cols, s, found)


def build_walls(below, largest=8, most_free=12):
    """Walls of a map of at most ``largest`` squares a side: solid squares, edges and free walls, or some of these."""
    s = SUBDIVISIONS[below(len(SUBDIVISIONS))]
    rows, cols = 2 + below(largest - 1), 2 + below(largest - 1)
    n_solid, n_edges, n_free = 0, 0, 0
    parts = below(7)
    if parts in (0, 3, 5, 6):
        n_free = below(most_free + 1)
    if parts in (1, 3, 4, 6):
        n_solid = below(1 + rows * cols // (2 + below(4)))
    if parts in (2, 4, 5, 6):
        n_edges = below(1 + rows * cols)
    solid = frozenset((below(cols), below(rows)) for _ in range(n_solid))
    edges = set()
    for _ in range(n_edges):
        x, y, across = below(cols + 1), below(rows + 1), below(2)
        if across and x < cols:
            edges.add((x, y, x + 1, y))
        elif not across and y < rows:
            edges.add((x, y, x, y + 1))
    found = [(s * x0, s * y0, s * x1, s * y1) for x0, y0, x1, y1 in sorted(edges)]
    found += [(s * x, s * y, s * x + s, s * y + s) for x, y in sorted(solid)]
    free = []
    for _ in range(n_free):
        free.append(free_wall(below, rows, cols, s, found + free))
    return Walls(rows, cols, s, solid, frozenset(edges), tuple(free))


def build_space(below, walls, largest, around=None):
    """A space on the map; beside the other one as often as anywhere."""
    width, height = (1 + below(1 + below(min(largest, n))) for n in (walls.cols, walls.rows))
    x, y = below(walls.cols - width + 1), below(walls.rows - height + 1)
    if around is not None and below(2):
        x = min(max(around[0] + below(5) - 2, 0), walls.cols - width)
        y = min(max(around[1] + below(5) - 2, 0), walls.rows - height)
    return x, y, width, height


def barrier(below, walls, a, b):
    """Two long walls across the way between two spaces, which meet, overlap or leave a slit one lattice unit wide."""
    s = walls.subdivisions
    low = [s * min(a[i], b[i]) for i in (0, 1)]
    high = [s * max(a[i] + a[i + 2], b[i] + b[i + 2]) for i in (0, 1)]
    x, y = (low[i] + below(high[i] - low[i] + 1) for i in (0, 1))
    dx, dy = below(2 * s + 1) - s, below(2 * s + 1) - s
    long = 1 + below(12)
    gap_x, gap_y = below(3) - 1, below(3) - 1
    return (x - long * dx, y - long * dy, x, y), (x + gap_x, y + gap_y, x + gap_x + long * dx, y + gap_y + long * dy)


def build_situation(below, largest_space=3, largest=8, most_free=12):
    """A map with two spaces on squares that are not solid."""
    walls = build_walls(below, largest, most_free)
    a = build_space(below, walls, largest_space)
    b = build_space(below, walls, largest_space, a)
    if below(2):
        across = [wall for _ in range(1 + below(3)) for wall in barrier(below, walls, a, b)]
        walls = replace(walls, segments=walls.segments + tuple(across))
    return Situation(replace(walls, solid=walls.solid - set(squares_of(a)) - set(squares_of(b))), a, b)


def build_slits(below, largest_space=3):
    """A map on which only narrow slits, or the tips of shadows, may leave the spaces a free segment."""
    s = (4, 8, 12)[below(3)]
    walls = Walls(2 + below(7), 2 + below(7), s)
    a = build_space(below, walls, largest_space)
    b = build_space(below, walls, largest_space, a)
    free = [wall for _ in range(1 + below(4)) for wall in barrier(below, walls, a, b)]
    free += [near_wall(below, s, (a, b)[below(2)]) for _ in range(below(5))]
    return Situation(replace(walls, segments=tuple(free)), a, b)


def near_wall(below, s, space):
    """A wall across a space, or just beside it."""
    x, y, width, height = space
    ends = [
        (s * x - s // 2 + below(s * (width + 1) + 1), s * y - s // 2 + below(s * (height + 1) + 1)) for _ in range(2)
    ]
    return *ends[0], *ends[1]


def seeded_slits(seed, largest_space=3):
    """The slits of a seed."""
    rng = np.random.default_rng(seed)
    return build_slits(lambda bound: int(rng.integers(bound)), largest_space)


@st.composite
def slits(draw, largest_space=3):
    """Slits for hypothesis."""
    return build_slits(lambda bound: draw(st.integers(0, bound - 1)), largest_space)


def seeded(seed, largest_space=3, largest=8, most_free=12):
    """The situation of a seed."""
    rng = np.random.default_rng(seed)
    return build_situation(lambda bound: int(rng.integers(bound)), largest_space, largest, most_free)


@st.composite
def situations(draw, largest_space=3, largest=8, most_free=12):
    """Situations for hypothesis."""
    return build_situation(lambda bound: draw(st.integers(0, bound - 1)), largest_space, largest, most_free)

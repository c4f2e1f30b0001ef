"""The same situation in other words: turned, mirrored, moved, its walls cut to pieces."""

from __future__ import annotations

from dataclasses import replace

from oracle import Walls


def sides_of(x, y):
    """The four sides of a square as edges."""
    return [(x, y, x + 1, y), (x, y + 1, x + 1, y + 1), (x, y, x, y + 1), (x + 1, y, x + 1, y + 1)]


def border_of(walls):
    """The border of a map as edges."""
    across = [(x, y, x + 1, y) for x in range(walls.cols) for y in (0, walls.rows)]
    return across + [(x, y, x, y + 1) for y in range(walls.rows) for x in (0, walls.cols)]


class View:
    """A situation as one of the eight symmetries of the square shows it: ``walls``, ``space`` and ``corner``."""

    def __init__(self, walls, is_mirrored, is_transposed, is_mirrored_after):
        self.steps = []
        self.walls = walls
        if is_mirrored:
            self._mirror()
        if is_transposed:
            self._transpose()
        if is_mirrored_after:
            self._mirror()

    def _mirror(self):
        s, cols, it = self.walls.subdivisions, self.walls.cols, self.walls
        self.walls = replace(
            it,
            solid=frozenset((cols - 1 - x, y) for x, y in it.solid),
            edges=frozenset((cols - x1, y0, cols - x0, y1) for x0, y0, x1, y1 in it.edges),
            segments=tuple((s * cols - x0, y0, s * cols - x1, y1) for x0, y0, x1, y1 in it.segments),
        )
        self.steps.append((lambda x, y, w, h: (cols - x - w, y, w, h), lambda c: c ^ 1))

    def _transpose(self):
        it = self.walls
        self.walls = Walls(
            it.cols,
            it.rows,
            it.subdivisions,
            frozenset((y, x) for x, y in it.solid),
            frozenset((y0, x0, y1, x1) for x0, y0, x1, y1 in it.edges),
            tuple((y0, x0, y1, x1) for x0, y0, x1, y1 in it.segments),
        )
        self.steps.append((lambda x, y, w, h: (y, x, h, w), lambda c: c >> 1 | (c & 1) << 1))

    def space(self, space):
        for of_space, _ in self.steps:
            space = of_space(*space)
        return space

    def line(self, a, ca, b, cb):
        for _, of_corner in self.steps:
            ca, cb = of_corner(ca), of_corner(cb)
        return self.space((*a, 1, 1))[:2], ca, self.space((*b, 1, 1))[:2], cb


def views(walls):
    """The eight symmetries."""
    return [View(walls, first & 1, first & 2, first & 4) for first in range(8)]


def moved(walls, dx, dy, s=None):
    """The map ``(dx, dy)`` squares away from the origin, its border drawn as walls; ``s`` a multiple of its subdivisions."""
    s = s or walls.subdivisions
    k = s // walls.subdivisions
    return Walls(
        walls.rows + dy,
        walls.cols + dx,
        s,
        frozenset((x + dx, y + dy) for x, y in walls.solid),
        frozenset((a + dx, b + dy, c + dx, d + dy) for a, b, c, d in [*walls.edges, *border_of(walls)]),
        tuple((k * a + s * dx, k * b + s * dy, k * c + s * dx, k * d + s * dy) for a, b, c, d in walls.segments),
    )


def finer(walls, k):
    """The same map with ``k`` times as many lattice units a square."""
    segments = tuple(tuple(k * v for v in wall) for wall in walls.segments)
    return replace(walls, subdivisions=k * walls.subdivisions, segments=segments)


def split(wall, places, turned):
    """A wall of a map that is 12 times finer, as two pieces that join or overlap and one without length."""
    x0, y0, x1, y1 = wall
    first, last = sorted(places)
    pieces = []
    for k, (low, high) in enumerate(((0, last), (first, 12), (first, first))):
        piece = tuple(v + k * (w - v) // 12 for k in (low, high) for v, w in ((x0, x1), (y0, y1)))
        pieces.append(piece[2:] + piece[:2] if turned >> k & 1 else piece)
    return pieces

"""What the walls and squares of a published situation do, for the oracles: built from the drawing and nothing else.

WIRE has the kinds. A situation without anything that stops, hides or covers in part is left to ``oracle.py``, any other to
``oracle_heights.py`` and ``oracle_walls.py``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache
from itertools import product
from math import lcm
from random import Random
from typing import Any

import oracle
import oracle_centre
import oracle_creatures as creatures
import oracle_heights
import oracle_walls
from oracle_heights import Banded, Body, Heights
from oracle_walls import BLOCKED, HARD, LIMITED

CHANNELS = ("effect", "sight")
SOLID, FLOOR = "#", {"kind": "floor"}
LETTERS = {
    ".": {}, "~": {}, "f": {"kind": "fog"}, "b": {"kind": "brush"}, SOLID: {"kind": "wall"}, " ": {"kind": "void"},
    "w": {"kind": "low wall"}, "c": {"kind": "obstacle"}, "s": {"kind": "arrow slit"},
}  # fmt: skip
BOTH, NEITHER = (HARD, HARD), ((0, 0), (0, 0))
STOPS = {  # of effect and of sight: the tolls from the left and from the right; all others stop nothing
    "wall": BOTH, "void": BOTH, "door": BOTH, "secret door": BOTH, "low wall": BOTH, "obstacle": BOTH, "floor": BOTH,
    "window": (HARD, (0, 0)), "curtain": ((0, 0), HARD), "terrain": ((0, 0), LIMITED),
}  # fmt: skip
OVERRIDES = {True: HARD, False: (0, 0), "limited": LIMITED}
BANDS = {"low wall": (0, 3), "obstacle": (0, 4)}
WORDS = {"arrow slit": "improved", "fence": "standard", "portcullis": "standard"}
TRIES = 300


@dataclass(frozen=True)
class Piece:
    """A wall, or a side of a square: its tolls by channel, its band in world feet, its word."""

    wall: tuple  # in squares
    tolls: tuple
    bottom: Fraction | None = None
    top: Fraction | None = None
    word: str | None = None
    is_slit: bool = False
    own: tuple | None = None

    @property
    def is_plain(self) -> bool:
        is_whole = self.word is None and self.bottom is None and self.top is None
        return is_whole and all(tolls in (HARD, (0, 0)) for tolls in self.tolls)

    def banded(self, unit: int, tolls: tuple, word: str | None = None) -> Banded:
        ends = tuple(tuple(int(unit * value) for value in end) for end in self.wall)
        return Banded(ends, self.bottom, self.top, tolls, word, self.is_slit, self.own)


def piece_of(wall: tuple, keys: Mapping[str, Any], floor: Fraction = Fraction(0), own: tuple | None = None) -> Piece:
    """What a wall, or a side of the square ``own``, does by its keys; the floor is what its kind's band stands on."""
    kind = keys.get("kind", "wall")
    tolls = NEITHER if keys.get("state") == "open" else STOPS.get(kind, NEITHER)
    tolls = tuple(OVERRIDES[keys[name]] if name in keys else own for name, own in zip(CHANNELS, tolls, strict=True))
    if side := keys.get("blocks_from"):
        tolls = tuple((left, 0) if side == "left" else (0, right) for left, right in tolls)
    band = {}
    for name, end in zip(("bottom", "top"), BANDS.get(kind, (None, None)), strict=True):
        is_given, value = name in keys, keys.get(name, end)
        band[name] = None if value is None else Fraction(str(value)) + (0 if is_given and own is None else floor)
    return Piece(wall, tolls, **band, word=keys.get("cover", WORDS.get(kind)), is_slit=kind == "arrow slit", own=own)


def sides(x: int, y: int) -> list[tuple]:
    return [((x, y), (x + 1, y)), ((x + 1, y), (x + 1, y + 1)), ((x + 1, y + 1), (x, y + 1)), ((x, y + 1), (x, y))]


@dataclass(frozen=True)
class Ground:
    """The squares of a drawing, with what is under creatures, and its walls."""

    rows: tuple[str, ...]
    legend: Mapping[str, Mapping[str, Any]]
    walls: tuple[tuple, ...]  # (x0, y0, x1, y1, keys), in squares

    def keys_of(self, x: int, y: int) -> Mapping[str, Any]:
        letter = self.rows[y][x]
        keys = {} if letter.isupper() else (LETTERS | dict(self.legend))[letter]
        return {"kind": "open"} | keys

    def floor(self, x: int, y: int) -> Fraction:
        return Fraction(str(self.keys_of(x, y).get("elevation", 0)))

    def floor_under(self, space: tuple) -> Fraction:
        return max(self.floor(x, y) for x, y in oracle.squares_of(space))

    def solid(self) -> set[tuple[int, int]]:
        return {(x, y) for y, row in enumerate(self.rows) for x, letter in enumerate(row) if letter == SOLID}

    def pieces(self, lowest: Fraction) -> list[Piece]:
        """All but solid squares; floors only where somebody's feet are lower."""
        found, has_floors = [], any("elevation" in kind for kind in self.legend.values())
        for x0, y0, x1, y1, keys in self.walls:
            assert keys.get("kind") not in BANDS or not has_floors, "no low wall where floors differ"
            found.append(piece_of(((x0, y0), (x1, y1)), keys))
        for y, row in enumerate(self.rows):
            for x, letter in enumerate(row):
                floor = self.floor(x, y)
                if letter != SOLID:
                    found += [piece_of(side, self.keys_of(x, y), floor, (x, y)) for side in sides(x, y)]
                if floor > lowest:
                    found += [piece_of(side, FLOOR | {"top": floor}, own=(x, y)) for side in sides(x, y)]
        return [piece for piece in found if piece.tolls != NEITHER or piece.word is not None]


@dataclass(frozen=True)
class CaseWalls:
    """The walls of a situation: the plain ones by channel, and, where there are others, all of them.

    ``cover`` has what counts for cover; walls with a word are hard there, whatever they stop.
    """

    plain: Mapping[str, oracle.Walls]
    cover: Heights | None = None
    stopping: Mapping[str, Heights] | None = None

    @property
    def effect(self) -> oracle.Walls:
        return self.plain["effect"]

    def hidden(self, a: Body, t: Body, square: tuple, other: tuple, low: tuple | None) -> list[list[Fraction]]:
        """The hidden fraction of the line from each corner of the attacker's square to each of the target's."""
        if self.cover is None:
            return [[Fraction(nibble >> c & 1) for c in range(4)] for nibble in blocked_nibbles(self.effect, square, other)]
        return [[hidden(self.cover, a, square, i, t, other, j, low) for j in range(4)] for i in range(4)]

    def words(self, a: Body, t: Body, square: tuple, other: tuple, least: Fraction, low: tuple | None) -> list[list[set]]:
        """The words of the walls that each line crosses."""
        found = [[set() for _ in range(4)] for _ in range(4)]
        for word in {wall.word for wall in self.cover.banded if wall.word} if self.cover else ():
            for i, j in product(range(4), range(4)):
                if tagged(self.cover, a, square, i, t, other, j, word, oracle_heights.code(least), low):
                    found[i][j].add(word)
        return found

    def between_centres(self, a: Body, t: Body, least: Fraction, low: tuple | None) -> tuple[Fraction, set]:
        """The hidden fraction of the line between the centres, and the words of the walls that it crosses."""
        if self.cover is None:
            return Fraction(oracle_centre.is_blocked(self.effect, a.space, t.space)), set()
        words = {wall.word for wall in self.cover.banded if wall.word}
        least_code = oracle_heights.code(least)
        found = {word for word in words if oracle_centre.tagged(self.cover, a, t, word, least_code, low)}
        return oracle_centre.hidden(self.cover, a, t, low), found

    def corners(self, a: Body, t: Body, square: tuple, least: Fraction, low: tuple | None, *, is_outward: bool) -> list[int]:
        """The corners of the attacker's square (outward), or of the target's, that no wall cuts off."""
        if self.cover is None:
            return [c for c in range(4) if not cut_off(self.effect, square, c)]
        legs = {"is_outward": is_outward}
        # Cover alone: walls with a word do not cut off, and what stops effect is asked apart.
        question = oracle_heights.Question(self.cover, a, square, t, square, low=low)
        stopped = [leg_toll(self.stopping["effect"], a, t, square, c, **legs) == BLOCKED for c in range(4)]
        hidden_ones = [question.leg(square, c, **legs) >= least for c in range(4)]
        found = [c for c in range(4) if not (stopped[c] or hidden_ones[c])]
        return found or [c for c in range(4) if not stopped[c]]

    def has_line(self, channel: str, a: Body, t: Body, *, is_touching: bool = False) -> bool:
        """Whether there is line of effect, or of sight; ``is_touching``: a line between corners is enough."""
        if self.stopping is None:
            find = plain_any_free if is_touching else plain_line
            return find(self.plain[channel], a.space, t.space)
        heights = self.stopping[channel]
        if is_touching:
            pairs = product(oracle.squares_of(a.space), oracle.squares_of(t.space), range(4), range(4))
            return any(toll(heights, a, one, i, t, other, j) < BLOCKED for one, other, i, j in pairs)
        return line_among_bands(heights, a, t)


def walls_of(ground: Ground, lowest: Fraction) -> CaseWalls:
    """The walls of a situation in which nobody's feet are lower than ``lowest``."""
    pieces, solid = ground.pieces(lowest), frozenset(ground.solid())
    unit = lcm(*(Fraction(value).denominator for piece in pieces for end in piece.wall for value in end))
    size = {"rows": len(ground.rows), "cols": len(ground.rows[0]), "subdivisions": unit, "solid": solid}
    plain = {}
    for k, channel in enumerate(CHANNELS):
        walls = [piece.wall for piece in pieces if piece.is_plain and piece.tolls[k] == HARD]
        segments = tuple(tuple(int(unit * value) for end in wall for value in end) for wall in walls)
        plain[channel] = oracle.Walls(**size, segments=segments)
    special = [piece for piece in pieces if not piece.is_plain]
    if not special:
        return CaseWalls(plain)
    cover = []
    for piece in special:
        if piece.word is not None:
            cover.append(piece.banded(unit, HARD, piece.word))
        elif max(piece.tolls[0]) == BLOCKED:
            cover.append(piece.banded(unit, piece.tolls[0]))
    stopping = {
        channel: Heights(plain[channel], tuple(piece.banded(unit, piece.tolls[k]) for piece in special if any(piece.tolls[k])))
        for k, channel in enumerate(CHANNELS)
    }
    return CaseWalls(plain, Heights(plain["effect"], tuple(cover)), stopping)


# Walls do not depend on the edition.
cut_off = cache(oracle.cut_off)
blocked_nibbles = cache(oracle.blocked_nibbles)
plain_line = cache(oracle.line_of_effect)
plain_any_free = cache(oracle.any_free)
hidden = cache(oracle_heights.hidden)
tagged = cache(oracle_heights.tagged)
toll = cache(oracle_heights.toll)
leg_toll = cache(oracle_heights.leg_toll)


@cache
def line_among_bands(heights: Heights, a: Body, t: Body) -> bool:
    """Whether a straight segment joins the insides of two spaces with a toll below 2.

    Where both bodies stand on one level and are of one height, each wall fills their span everywhere or nowhere, and the
    exact search of ``oracle_walls`` decides; otherwise segments are tried.
    """
    if set(oracle.squares_of(a.space)) & set(oracle.squares_of(t.space)):
        return True
    if (a.feet, a.top) != (t.feet, t.top):
        return oracle_heights.find_segment(heights, a, t, TRIES, Random(0)) is not None
    filling = [w for w in heights.banded if oracle_heights.hidden_part([(w.bottom, w.top)], a.feet, a.top) == 1]
    groups: dict[tuple, list] = {(2, 2): [], (1, 1): [], (2, 0): [], (1, 0): []}
    for wall in filling:
        ends, tolls = wall.wall, wall.tolls
        if tolls not in groups:
            ends, tolls = ends[::-1], tolls[::-1]
        groups[tolls].append((*ends[0], *ends[1]))
    hard, limited, one_way, limited_one_way = (tuple(segments) for segments in groups.values())
    base = replace(heights.base, segments=heights.base.segments + hard)
    if not (limited or one_way or limited_one_way):
        return plain_line(base, a.space, t.space)
    special = oracle_walls.Special(base, limited, one_way, limited_one_way)
    return oracle_walls.line_of_effect(special, a.space, t.space)


def runs_along_walls(walls: oracle.Walls, p: tuple, q: tuple) -> bool:
    """Whether the line runs along a wall or along a side of a solid square."""
    p, q = (tuple(walls.subdivisions * place for place in point) for point in (p, q))
    sides = [((x0, y0), (x1, y1)) for x0, y0, x1, y1 in walls.segments]
    for square in walls.solid:
        low, right, under, high = (
            tuple(walls.subdivisions * place for place in creatures.corner_of(square, corner)) for corner in range(4)
        )
        sides += [(low, right), (low, under), (right, high), (under, high)]
    return any(creatures.runs_along(p, q, side) for side in sides if side[0] != side[1])


def is_in_line(square: tuple, other: tuple) -> bool:
    """Whether two squares stand in one row or one column."""
    return (square[0] == other[0]) != (square[1] == other[1])


def is_parallel(square: tuple, other: tuple, i: int, j: int) -> bool:
    """Whether the line between two of their corners leads along their row or column."""
    axis = 0 if square[0] == other[0] else 1
    return creatures.corner_of(square, i)[axis] == creatures.corner_of(other, j)[axis]


def is_outer(space: tuple, square: tuple, corner: int) -> bool:
    """Whether a corner of one of its squares is a corner of a space."""
    x, y, width, height = space
    return creatures.corner_of(square, corner) in {(x, y), (x + width, y), (x, y + height), (x + width, y + height)}

"""What special walls do to the corner lines of creatures: how much they hide, what they stop, whose cover words count."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import floor
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gridlos.battlemap import BattleMap
from gridlos.facts import Bools, Channel, Hidden, Masks
from gridlos.kernels import index, special, special_cost
from gridlos.kernels.jit import interpreted
from gridlos.questions.obstacles import Obstacles
from gridlos.questions.specials import Specials

__all__ = ["ALL_BLOCKED", "TURNED", "EveryWall", "Hiding", "Terms", "any_free", "hiding_of"]

Indices = NDArray[np.int64]
Lines = NDArray[np.uint16]

_LOW_FEET = 30
_WIDEST = 2**62
_BITS = np.arange(16)


ALL_BLOCKED = 0xFFFF


def _turned_bits() -> Lines:
    """Return for the 16 bits of a choice's lines the same lines from the other side: bit ``4 i + j`` becomes ``4 j + i``."""
    bits = np.arange(1 << 16)
    turned = np.zeros(1 << 16, np.uint16)
    for i in range(4):
        for j in range(4):
            turned |= ((bits >> (4 * i + j) & 1) << (4 * j + i)).astype(np.uint16)
    return turned


TURNED = _turned_bits()


@dataclass(frozen=True, slots=True)
class Terms:
    """What an edition lays down about lines past special walls.

    Attributes
    ----------
    least
        The least code of :class:`gridlos.facts.Hidden` that counts.
    low_obstacles
        Whether low obstacles far from the target, or nearer to the attacker, are ignored.
    diagonals
        As in :func:`gridlos.grid.distance`.
    """

    least: int = int(Hidden.QUARTER)
    low_obstacles: bool = False
    diagonals: str = "5-10-5"


@dataclass(frozen=True, slots=True, eq=False)
class Hiding:
    """What was found for ``c`` choices; the second axis is 0 if the first creature attacks, 1 if the second one does.

    Lines are numbered from the attacker's square, ``4 i + j`` from its corner ``i`` to corner ``j`` of the target's.

    Attributes
    ----------
    codes
        ``(c, 2, 16)`` uint8 of Hidden, 0 below the least that counts.
    tolls
        ``(c, 2, 16)`` uint8: 2 for blocked lines.
    words
        ``(c, 2, n)`` uint16: the lines that cross walls with each of the cover words.
    ends
        ``(c, 2, 2)`` uint8: nibbles of the corners of the attacker's square, and of the target's, that no wall cuts off; where plain
        walls block all lines, that no plain wall cuts off.
    """

    codes: Masks
    tolls: Masks
    words: Lines
    ends: Masks


def hiding_of(
    battle_map: BattleMap,
    specials: Specials,
    obstacles: Obstacles,
    creatures: Indices,
    squares: Indices,
    blocked: Lines,
    uncut: Masks,
    terms: Terms,
) -> Hiding:
    """Return what plain and special walls do to the lines of each choice.

    Parameters
    ----------
    obstacles
        The plain walls that stop effect.
    creatures, squares
        ``(c, 2)`` each: the two creatures of each choice and their squares, ``row * cols + column``.
    blocked
        ``(c,)``: the lines that plain walls block, from the first square to the second.
    uncut
        ``(rows * cols,)``: the corners of every square that plain walls do not cut off.
    """
    every = EveryWall.of(battle_map, specials, obstacles)
    near = every.near(squares, blocked)
    # Without low obstacles, slits and sides, the lines of the way back are the same lines.
    is_mutual = not (terms.low_obstacles or specials.side.any() or specials.is_slit.any())
    directions: list[tuple[NDArray[Any], ...]] = []
    for way in range(2):
        order = [way, 1 - way]
        lines = blocked if way == 0 else TURNED[blocked]
        is_blocked = (lines[:, None] >> _BITS & 1).astype(np.bool_)
        codes = np.where(is_blocked, np.uint8(Hidden.ALL), np.uint8(0))
        tolls = np.where(is_blocked, np.uint8(special_cost.STOPPED), np.uint8(0))
        words = np.zeros((len(squares), len(specials.words)), np.uint16)
        ends = uncut[squares[:, order]]
        if way and is_mutual:
            forth = directions[0]
            codes, tolls = (_turned_lines(of_lines) for of_lines in forth[:2])
            words = TURNED[forth[2]]
            ends = forth[3][:, ::-1]
        elif len(near):
            asks = np.concatenate((creatures[near][:, order], squares[near][:, order]), axis=1)
            asked = every.lines(asks, lines[near], terms)
            codes[near], tolls[near], words[near], ends[near] = asked
        directions.append((codes, tolls, words, ends))
    return Hiding(*(np.stack(parts, axis=1) for parts in zip(*directions, strict=True)))


def _turned_lines(of_lines: Masks) -> Masks:
    return of_lines.reshape(-1, 4, 4).swapaxes(1, 2).reshape(-1, 16)


@dataclass(frozen=True, slots=True, eq=False)
class EveryWall:
    """All walls that stop effect or give cover, plain and special ones, as :func:`gridlos.kernels.special.special_lines` takes them.

    ``before (rows + 1, cols + 1)``: how many squares that special walls touch lie above and left of a grid corner.
    """

    shape: tuple[int, int]
    size: int
    walls: Indices
    traits: Indices
    bins: Indices
    cells: NDArray[np.uint16]
    before: Indices
    bodies: Indices
    n_words: int
    feet_per_square: float

    @classmethod
    def of(cls, battle_map: BattleMap, specials: Specials, obstacles: Obstacles | None) -> EveryWall:
        """Return all walls of a map, ``obstacles`` being the plain ones; None: there are no plain ones."""
        size, rows, cols = battle_map.subdivisions, battle_map.rows, battle_map.cols
        plain = np.empty((0, 4), np.int64) if obstacles is None else obstacles.barriers.astype(np.int64)
        legs = np.full(rows * cols, 0xFF) if obstacles is None else obstacles.legs.ravel() & 0xFF
        walls = np.concatenate((plain, specials.walls))
        marks = np.diff(index.index_walls(specials.walls.astype(np.int32), rows, cols, size)[: rows * cols + 1]) > 0
        before = np.zeros((rows + 1, cols + 1), np.int64)
        before[1:, 1:] = marks.reshape(rows, cols).cumsum(axis=0).cumsum(axis=1)
        return cls(
            shape=(rows, cols),
            size=size,
            walls=walls,
            traits=specials.traits(Channel.EFFECT, len(plain)),
            bins=index.index_walls(walls.astype(np.int32), rows, cols, size).astype(np.int64),
            cells=np.where(marks, legs | special.MARK, legs).astype(np.uint16),
            before=before,
            bodies=specials.bodies,
            n_words=len(specials.words),
            feet_per_square=battle_map.feet_per_square,
        )

    def near(self, squares: Indices, blocked: Lines) -> Indices:
        """Return the choices that special walls can matter to.

        They matter where they touch a square in the box of the two squares of a choice, unless all lines are blocked
        without them.
        """
        y, x = np.divmod(squares, self.shape[1])
        top, bottom, left, right = y.min(axis=1), y.max(axis=1) + 1, x.min(axis=1), x.max(axis=1) + 1
        before = self.before
        count = before[bottom, right] - before[top, right] - before[bottom, left] + before[top, left]
        return np.flatnonzero((count > 0) & (blocked != ALL_BLOCKED))

    def lines(self, asks: Indices, blocked: Lines, terms: Terms) -> tuple[Any, Any, Any, Any]:
        """Return what the kernel finds for its ``asks (k, 4)``: codes, tolls, words and ends."""
        arrays: list[NDArray[Any]] = [
            self.walls, self.traits, self.bins, self.cells, self.bodies, asks, blocked, self.numbers(terms),
        ]  # fmt: skip
        if self.fits:
            return special.special_lines(*(np.ascontiguousarray(array) for array in arrays))
        slow: Any = interpreted(special.special_lines)
        found: tuple[Any, Any, Any, Any] = slow(*(array.astype(object) for array in arrays))
        return found

    def numbers(self, terms: Terms) -> Indices:
        """Return the kernels' ``terms``."""
        far = floor(_LOW_FEET / Fraction(str(self.feet_per_square))) if terms.low_obstacles else -1
        diagonals = 2 if terms.diagonals == "5-10-5" else 1
        return np.array([self.size, *self.shape, terms.least, far, diagonals, self.n_words], np.int64)

    @property
    def fits(self) -> bool:
        """Whether all products of the kernels fit into int64."""
        extent = int(np.abs(self.walls).max(initial=1)) + self.size
        height = int(self.bodies[:, special_cost.FEET :].max(initial=1))
        crossing = 32 * extent * extent
        return max(crossing * 160 * height, crossing * 2 * extent // self.size) < _WIDEST


def any_free(hiding: Hiding) -> Bools:
    """Return ``(c, 2)``: is some of the 16 lines not blocked, legs included?"""
    return np.asarray((hiding.tolls < special_cost.STOPPED).any(axis=2), np.bool_)

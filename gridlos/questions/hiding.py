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
from gridlos.questions.choices import Order
from gridlos.questions.obstacles import Obstacles
from gridlos.questions.specials import Specials

__all__ = ["ALL_BLOCKED", "ALL_OF", "TURNED", "EveryWall", "Hiding", "Terms", "choices_near", "hiding_of"]

Indices = NDArray[np.int64]
Lines = NDArray[np.uint16]

_LOW_FEET = 30
_WIDEST = 2**62

ALL_BLOCKED = 0xFFFF

ALL_OF = np.array([[Hidden.ALL * (nibble >> k & 1) for k in range(4)] for nibble in range(16)], np.uint8)
"""What is hidden on the four lines of a nibble of blocked ones."""


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
    """What was found for those of ``n`` choices that special walls can matter to; of the others all is known from plain walls.

    The second axis is 0 if the first creature attacks, 1 if the second one does. Lines are numbered from the attacker's
    square, ``4 i + j`` from its corner ``i`` to corner ``j`` of the target's.

    Attributes
    ----------
    choices
        ``(k,)`` int64: their places among all.
    codes
        ``(k, 2, 16)`` uint8 of Hidden, 0 below the least that counts.
    tolls
        ``(k, 2, 16)`` uint8: 2 for blocked lines.
    words
        ``(k, 2, m)`` uint16: the lines that cross walls with each of the cover words.
    ends
        ``(k, 2, 2)`` uint8: nibbles of the corners of the attacker's square, and of the target's, that no wall cuts off.
    """

    n: int
    choices: Indices
    codes: Masks
    tolls: Masks
    words: Lines
    ends: Masks

    def any_free(self, blocked: Lines) -> Bools:
        """Return ``(2, n)``: is some of the 16 lines not blocked, legs included? ``blocked (n,)`` is what plain walls block."""
        found: Bools = np.tile(blocked != ALL_BLOCKED, (2, 1))
        found[:, self.choices] = (self.tolls < special_cost.STOPPED).any(axis=2).T
        return found

    def facts(self, order: Order, hard: Masks, ends: Masks, words: tuple[str, ...]) -> dict[str, Any]:
        """Return the facts of walls on the lines of ordered choices, and which corners they cut off.

        ``hard (C, 4)`` is what plain walls block, ``ends (C, 2)`` are the corners that these do not cut off; ``words`` are
        the cover words.
        """
        place = np.full(self.n + 1, -1, np.int64)
        place[self.choices] = np.arange(len(self.choices))
        of_order = place[order.rows]
        rows = np.flatnonzero(of_order >= 0)
        found = of_order[rows], order.back[rows].astype(np.int64)
        hidden, hard, ends = ALL_OF[hard], hard.copy(), ends.copy()
        hidden[rows] = self.codes[found].reshape(-1, 4, 4)
        hard[rows] = ((hidden[rows] == Hidden.ALL) << np.arange(4)).sum(axis=2)
        ends[rows] = self.ends[found]
        nibbles = np.zeros((len(hard), 4, len(words)), np.uint8)
        nibbles[rows] = self.words[found][:, None, :] >> (4 * np.arange(4))[:, None] & 15
        return {
            "hard": hard,
            "hidden": hidden,
            "tagged": tuple((word, nibbles[:, :, k]) for k, word in enumerate(words)) or None,
            "usable": ends[:, 0],
            "counted": ends[:, 1],
        }


def hiding_of(
    battle_map: BattleMap,
    specials: Specials,
    obstacles: Obstacles,
    creatures: Indices,
    squares: Indices,
    blocked: Lines,
    terms: Terms,
) -> Hiding | None:
    """Return what plain and special walls do to the lines of each choice; None if special ones do nothing to any.

    Parameters
    ----------
    obstacles
        The plain walls that stop effect.
    creatures, squares
        ``(c, 2)`` each: the two creatures of each choice and their squares, ``row * cols + column``.
    blocked
        ``(c,)``: the lines that plain walls block, from the first square to the second.
    """
    n, near = len(blocked), choices_near(battle_map, specials, squares, blocked)
    # Of one-way walls that are near no line it is told that there are some: who sees whom depends on them.
    if not len(near) and not specials.side.any():
        return None
    creatures, squares, blocked = creatures[near], squares[near], blocked[near]
    every = EveryWall.of(battle_map, specials, obstacles, squares)
    # Without low obstacles, slits and sides, the lines of the way back are the same lines.
    is_mutual = not (terms.low_obstacles or specials.side.any() or specials.is_slit.any())
    forth = every.lines(np.concatenate((creatures, squares), axis=1), blocked, terms)
    if is_mutual:
        back = (*map(_turned_lines, forth[:2]), TURNED[forth[2]], forth[3][:, ::-1])
    else:
        back = every.lines(np.concatenate((creatures[:, ::-1], squares[:, ::-1]), axis=1), TURNED[blocked], terms)
    codes, tolls, words, ends = (np.stack(parts, axis=1) for parts in zip(forth, back, strict=True))
    return Hiding(n, near, codes, tolls, words, ends)


def choices_near(battle_map: BattleMap, specials: Specials, squares: Indices, blocked: Lines) -> Indices:
    """Return the places of the choices ``squares (c, 2)`` that special walls can matter to: not all lines are blocked without them."""
    rest = np.flatnonzero(blocked != ALL_BLOCKED)
    y, x = np.divmod(squares[rest].ravel(), battle_map.cols)
    spaces = np.ones((len(x), 4), np.int64)
    spaces[:, 0], spaces[:, 1] = x, y
    return rest[specials.are_near(battle_map, None, np.arange(len(x)).reshape(-1, 2), spaces)]


def _turned_lines(of_lines: Masks) -> Masks:
    return of_lines.reshape(-1, 4, 4).swapaxes(1, 2).reshape(-1, 16)


@dataclass(frozen=True, slots=True, eq=False)
class EveryWall:
    """All walls that stop effect or give cover, plain and special ones, as :func:`gridlos.kernels.special.special_lines` takes them."""

    shape: tuple[int, int]
    size: int
    walls: Indices
    traits: Indices
    bins: Indices
    cells: NDArray[np.uint16]
    bodies: Indices
    n_words: int
    feet_per_square: float

    @classmethod
    def of(
        cls, battle_map: BattleMap, specials: Specials, obstacles: Obstacles | None, squares: Indices | None = None
    ) -> EveryWall:
        """Return all walls of a map, ``obstacles`` being the plain ones; None: there are no plain ones.

        ``squares`` are those that lines begin and end in; None: all.
        """
        size, rows, cols = battle_map.subdivisions, battle_map.rows, battle_map.cols
        plain = np.empty((0, 4), np.int64) if obstacles is None else obstacles.barriers.astype(np.int64)
        squares = np.arange(rows * cols) if squares is None else squares
        legs = np.full(rows * cols, 0xFF) if obstacles is None else obstacles.lines_at(squares)[1].ravel() & 0xFF
        walls = np.concatenate((plain, specials.walls))
        marks = np.diff(index.index_walls(specials.walls.astype(np.int32), rows, cols, size)[: rows * cols + 1]) > 0
        return cls(
            shape=(rows, cols),
            size=size,
            walls=walls,
            traits=specials.traits(Channel.EFFECT, len(plain)),
            bins=index.index_walls(walls.astype(np.int32), rows, cols, size).astype(np.int64),
            cells=np.where(marks, legs | special.MARK, legs).astype(np.uint16),
            bodies=specials.bodies,
            n_words=len(specials.words),
            feet_per_square=battle_map.feet_per_square,
        )

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

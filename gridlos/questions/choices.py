"""Which pairs are asked about, and their choices of squares: every two creatures once, read both ways."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gridlos.facts import Bools, Ints, Masks
from gridlos.kernels import pairs as kernels

__all__ = ["AskedPairs", "Choices", "Order", "nibbles_of"]

Indices = NDArray[np.int64]
Lines = NDArray[np.uint16]


@dataclass(frozen=True, slots=True, eq=False)
class AskedPairs:
    """Ordered pairs of creatures, and each two of them once: arrays of :func:`gridlos.kernels.pairs.index_pairs`.

    Attributes
    ----------
    rows, columns
        ``(A,)`` and ``(T,)``: the attackers and targets of all pairs; of listed pairs, those of each.
    attackers, targets
        ``(P,)``: the two of each ordered pair.
    pairs, place, pair, turned
        Every two creatures once, where they stand in it, and where each ordered pair does.
    listed
        Whether the pairs are listed, ``(P, 1)``, instead of all attackers against all targets, ``(A, T)``.
    is_everybody
        Whether they are those of all creatures against all, in the scene's order.
    """

    rows: Indices
    columns: Indices
    attackers: Indices
    targets: Indices
    pairs: Indices
    place: Indices
    pair: Indices
    turned: Bools
    listed: bool = False
    is_everybody: bool = False

    @classmethod
    def grid(cls, attackers: Indices, targets: Indices, n: int) -> AskedPairs:
        """Return all of some attackers against all of some targets, indices below ``n``."""
        if len(attackers) == len(targets) == n and np.array_equal(attackers, targets) and _is_counting(attackers):
            return cls.everybody(n)
        return cls.between(attackers, targets, n)

    @classmethod
    def everybody(cls, n: int) -> AskedPairs:
        """Return everybody against everybody, of ``n``; the arrays are shared and not to be written."""
        return _everybody(n)

    @classmethod
    def between(cls, attackers: Indices, targets: Indices, n: int) -> AskedPairs:
        """Return what :meth:`grid` does, with arrays of its own."""
        attackers, targets = (np.ascontiguousarray(one, np.int64) for one in (attackers, targets))
        first, second = np.repeat(attackers, len(targets)), np.tile(targets, len(attackers))
        return cls(attackers, targets, first, second, *kernels.index_pairs(first, second, n))

    @classmethod
    def listing(cls, pairs: Indices, n: int) -> AskedPairs:
        """Return listed pairs ``(P, 2)``, attackers first, indices below ``n``."""
        first, second = (np.ascontiguousarray(pairs[:, k], np.int64) for k in (0, 1))
        return cls(first, second, first, second, *kernels.index_pairs(first, second, n), listed=True)

    @property
    def shape(self) -> tuple[int, int]:
        """That of what is told of pairs."""
        return len(self.rows), 1 if self.listed else len(self.columns)

    def shaped(self, values: NDArray[Any]) -> NDArray[Any]:
        """Return values of the ordered pairs in their shape."""
        return values.reshape(self.shape)

    def among(self, values: NDArray[Any], rows: Indices, columns: Indices) -> NDArray[Any]:
        """Return those of the pairs among values of all ``rows`` against all ``columns``, which are sorted and hold them all."""
        if not self.listed:
            return values
        return values[np.searchsorted(rows, self.rows), np.searchsorted(columns, self.columns)][:, None]

    def sides(self) -> tuple[Indices, Indices]:
        """Return attackers and targets, each once if the pairs are listed."""
        return (np.unique(self.rows), np.unique(self.columns)) if self.listed else (self.rows, self.columns)


def _is_counting(numbers: Indices) -> bool:
    return bool((numbers == np.arange(len(numbers))).all())


@lru_cache(maxsize=4)
def _everybody(n: int) -> AskedPairs:
    """Return everybody against everybody; the arrays are shared and not to be written."""
    everybody = np.arange(n, dtype=np.int64)
    return replace(AskedPairs.between(everybody, everybody, n), is_everybody=True)


@dataclass(frozen=True, slots=True, eq=False)
class Choices:
    """Squares against squares, pair by pair: ``starts (pairs + 1,)``, ``squares (n, 2)``, each ``row * cols + column``."""

    starts: Indices
    squares: Indices

    @classmethod
    def of(cls, spaces: Ints, pairs: Indices, cols: int) -> Choices:
        """Return the choices of the pairs ``(U, 2)`` of indices into ``spaces``, squares in reading order."""
        return cls(*kernels.list_choices(spaces, pairs, cols))


@dataclass(frozen=True, slots=True, eq=False)
class Order:
    """Where each ordered choice stands among the unordered ones.

    ``rows`` (-1: a creature against itself), ``starts`` of the pairs, and ``back``, whether it is read from the other side.
    """

    rows: Indices
    starts: Indices
    back: Bools

    @classmethod
    def of(cls, asked: AskedPairs, spaces: Ints, choices: Choices) -> Order:
        """Return the order of the pairs' choices."""
        if len(choices.starts) == len(choices.squares) + 1:
            return cls(asked.pair, np.arange(len(asked.pair) + 1, dtype=np.int64), asked.turned)
        found = asked.attackers, asked.targets, asked.pair, asked.turned
        return cls(*kernels.order_choices(spaces, choices.starts, *found))

    def either_way(self, forth: NDArray[Any], back: NDArray[Any]) -> NDArray[Any]:
        """Return the rows of ``forth`` or, where read from the other side, of ``back``; zeros for a creature against itself."""
        none = np.zeros((1, *forth.shape[1:]), forth.dtype)
        turned = self.back.reshape(-1, *[1] * (forth.ndim - 1))
        return np.where(turned, np.concatenate((back, none))[self.rows], np.concatenate((forth, none))[self.rows])

    def nibbles(self, forth: Lines, back: Lines) -> Masks:
        """Return ``(C, 4)`` nibbles of lines whose 16 bits all are written from the first square to the second."""
        found: Masks = kernels.nibbles_either_way(self.rows, self.back, forth, back)
        return found


def nibbles_of(lines: Lines) -> Masks:
    """Return ``(C, 4)``: the 16 bits of each choice by corners of the first square.

    >>> nibbles_of(np.array([0x4321, 0xF0A0], np.uint16)).tolist()
    [[1, 2, 3, 4], [0, 10, 0, 15]]
    """
    low_first = np.ascontiguousarray(lines, "<u2").view(np.uint8).reshape(-1, 2)
    found = np.empty((len(lines), 4), np.uint8)
    found[:, ::2], found[:, 1::2] = low_first & 15, low_first >> 4
    return found

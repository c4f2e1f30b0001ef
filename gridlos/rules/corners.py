"""Where the attacker's lines start: the choice of squares and the corner that he takes, for all pairs at once.

Every corner of a choice gets one small key, and the smallest key of a pair is taken: bit 15, the corner is not usable;
bits 2 to 14, what it costs; bits 0 and 1, the corner. Of equal costs the first in reading order of choice, then corner,
is taken, where no answer tells these apart; where some does, :mod:`gridlos.rules.ties` chooses.

For cover the cost is a rank: by the penalty for the attacker, then by the lines blocked by walls, then by those blocked
by creatures, then by either. What the four lines from a corner are like is its *class*, ``25 walls + 5 creatures + together``: the
number of lines that walls block, that creatures block, and that either blocks, each 0 … 4.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gridlos.facts import Masks, PairFacts, Value

__all__ = [
    "ALL_BLOCKED",
    "CLASSES",
    "N_CLASSES",
    "Choosing",
    "Chosen",
    "Indices",
    "Keys",
    "by_choice",
    "choices_of",
    "class_of",
    "class_parts",
    "keys_of",
    "lines_of",
    "ordered_keys",
    "ranks_of",
    "worst_keys",
]

Keys = NDArray[np.uint16]
Indices = NDArray[np.int64]

N_CLASSES = 125
ALL_BLOCKED = 4 * 25 + 4
"""The class of a corner whose lines walls block all."""

_CORNERS = np.arange(4, dtype=np.uint16)
_UNUSABLE = np.uint16(0x8000)

# For a nibble of usable corners: the key of each corner that is not among them, 0 for the others.
_UNUSABLE_KEYS = np.array(
    [[0 if nibble >> corner & 1 else 0x8000 | corner for corner in range(4)] for nibble in range(16)], np.uint16
)
_UNUSABLE_BITS = _UNUSABLE_KEYS & _UNUSABLE


@dataclass(frozen=True, slots=True, eq=False)
class Chosen:
    """What was chosen for each pair: ``(P,)`` each, the int64 index of a choice and the uint8 number of a corner."""

    index: Indices
    corner: Masks


def class_parts() -> tuple[Masks, Masks, Masks]:
    """Return the lines blocked by walls, by creatures and by either for every class, ``(125,)`` uint8 each.

    Examples
    --------
    >>> walls, creatures, together = class_parts()
    >>> int(walls[58]), int(creatures[58]), int(together[58])
    (2, 1, 3)
    """
    number = np.arange(N_CLASSES, dtype=np.uint8)
    return number // 25, number // 5 % 5, number % 5


def _class_table(*, every_corner: bool) -> Masks:
    """Return the class for the index ``counted << 8 | hard << 4 | soft``, ``(4096,)`` uint8.

    Only lines to counted target corners are counted; where all of them are blocked it is four of four, and so it is for
    walls where none is counted. With ``every_corner`` all four count, whatever ``counted`` says.
    """
    index = np.arange(4096)
    counted = np.full(4096, 15) if every_corner else index >> 8
    bits = np.array([nibble.bit_count() for nibble in range(16)])

    def lines(blocked: NDArray[np.int64]) -> NDArray[np.int64]:
        return np.where(blocked & counted == counted, 4, bits[blocked & counted])

    hard, soft = index >> 4 & 15, index & 15
    creatures = np.where(counted == 0, 0, lines(soft))
    classes: Masks = (25 * lines(hard) + 5 * creatures + lines(hard | soft)).astype(np.uint8)
    return classes


CLASSES = {"ignore": _class_table(every_corner=False), "count": _class_table(every_corner=True)}
_HARD_LINES = {cut_corners: table[::16] // np.uint8(25) for cut_corners, table in CLASSES.items()}


def class_of(cut_corners: str, counted: Masks, hard: Masks, soft: Masks | None) -> Masks:
    """Return the class of lines with these nibbles, whose shapes broadcast to that of ``hard``.

    Examples
    --------
    >>> nibbles = (np.uint8([one]) for one in (0b1011, 0b0110, 0b1000))
    >>> counted, hard, soft = nibbles  # two lines are blocked by walls; corner 2, one of theirs, is cut off
    >>> class_of("ignore", counted, hard, soft).item() == 25 * 1 + 5 * 1 + 2
    True
    >>> class_of("count", counted, hard, soft).item() == 25 * 2 + 5 * 1 + 3
    True
    """
    table = CLASSES[cut_corners]
    if soft is None:
        found: Masks = table[::16].take(counted << np.uint8(4) | hard)
        return found
    index = hard.astype(np.uint16) << np.uint16(4)
    index |= counted.astype(np.uint16) << np.uint16(8)
    index |= soft
    return table.take(index)


def lines_of(cut_corners: str, counted: Masks, blocked: Masks) -> Masks:
    """Return how many of the lines in these nibbles walls block, 0 … 4, as :func:`class_of` counts them.

    Examples
    --------
    >>> int(lines_of("ignore", np.uint8(0b0111), np.uint8(0b1011)))
    2
    """
    found: Masks = _HARD_LINES[cut_corners].take(counted << np.uint8(4) | blocked)
    return found


def ranks_of(penalties: NDArray[np.int64]) -> Keys:
    """Return the rank of every class by its penalty, then by lines blocked by walls, by creatures, by either, then by its degree.

    ``penalties (125,)`` are those of the classes, or ``(125 d,)`` those of classes with ``d`` degrees, degree by degree. Two
    corners of one rank give the same answers about cover.
    """
    walls, creatures, together = (np.tile(part, len(penalties) // N_CLASSES).astype(np.int64) for part in class_parts())
    order = ((penalties * 8 + walls) * 8 + creatures) * 8 + together
    order = order * (len(penalties) // N_CLASSES) + np.arange(len(penalties)) // N_CLASSES
    ranks: Keys = np.unique(order, return_inverse=True)[1].astype(np.uint16)
    return ranks


def keys_of(costs: Keys, usable: Masks) -> Keys:
    """Return the keys of costs ``(C, 4)`` at the corners, where ``usable (C,)`` is the nibble of usable ones."""
    keys = costs << np.uint16(2)
    keys |= _CORNERS
    np.maximum(keys, _UNUSABLE_KEYS.take(usable, axis=0), out=keys)
    return keys


def ordered_keys(costs: Keys, usable: Masks) -> Keys:
    """Return the keys likewise, but that costs order the corners that are not usable, too.

    Examples
    --------
    >>> costs = np.uint16([[5, 3, 4, 3]])
    >>> [int(keys(costs, np.uint8([0])).argmin()) for keys in (keys_of, ordered_keys)]
    [0, 1]
    """
    keys = costs << np.uint16(2)
    keys |= _CORNERS
    keys |= _UNUSABLE_BITS.take(usable, axis=0)
    return keys


def worst_keys(classes: Masks | Keys, usable: Masks, ranks: Keys) -> Keys:
    """Return the key of the worst corner of each choice, ``(C, 1)``: the rank of its class and the corner.

    It is the usable one with the most lines blocked by walls, then by creatures, then by either; of equals the first. Of
    graded classes (:mod:`gridlos.rules.grades`) it is one with the largest degree, and among these so.
    """
    order = classes.astype(np.uint16) << np.uint16(2)
    order += np.uint16(4) - _CORNERS  # the first corner has the most, so that it wins; 0 is left for corners that are not usable
    order[_UNUSABLE_KEYS.take(usable, axis=0) > 0] = 0
    worst = np.maximum(np.maximum(order[:, 0], order[:, 1]), np.maximum(order[:, 2], order[:, 3]))
    found = np.maximum(worst, np.uint16(1)) - np.uint16(1)
    keys: Keys = ranks.take(found >> np.uint16(2)) << np.uint16(2)
    keys |= ~found & np.uint16(3)
    keys[worst == 0] = _UNUSABLE
    return keys[:, None]


@dataclass(frozen=True, slots=True, eq=False)
class Choosing:
    """Among what is chosen: the usable corners of each choice, and whether all squares of a target count.

    Attributes
    ----------
    choice_start
        As in the facts.
    usable
        ``(C,)`` uint8: nibble of corners from which lines may start.
    group_start
        Where the choices of one attacker square begin, if the lines run to all squares of the target and the one that
        costs the most counts; None: any one square is enough.
    """

    choice_start: Indices
    usable: Masks
    group_start: Indices | None = None

    @classmethod
    def of(cls, facts: PairFacts, *, cut_corners: str, outer_corners: bool, all_squares: bool) -> Choosing:
        """Return what is chosen among by these rules."""
        usable = facts.usable if cut_corners == "ignore" else np.full_like(facts.usable, 15)
        start = facts.choice_start
        if len(usable) == len(start) - 1:
            return cls(start, usable)
        if outer_corners:
            usable = usable & _outer(facts)
        if not all_squares:
            return cls(start, usable)
        begins = np.zeros(len(usable), np.bool_)
        begins[1:] = (facts.attacker_square[1:] != facts.attacker_square[:-1]).any(axis=1)
        begins[start[:-1]] = True
        return cls(start, usable, np.flatnonzero(begins))

    def without(self, corners: Masks) -> Choosing:
        """Return the choice without some corners, a nibble for each choice, in those pairs where others are left."""
        rest = self.usable & ~corners
        starts = self.choice_start
        is_left = np.logical_or.reduceat(rest > 0, starts[:-1]) if len(starts) > 1 else np.zeros(0, np.bool_)
        usable = np.where(np.repeat(is_left, np.diff(starts)), rest, self.usable)
        return Choosing(starts, usable, self.group_start)

    def chosen(self, keys: Keys | Masks) -> Chosen:
        """Return the choice and corner with the smallest of the keys of every pair; ``keys`` as in :meth:`least`."""
        index, key = self.least(keys)
        return Chosen(index, key.astype(np.uint8) & np.uint8(3))

    def least(self, keys: Keys | Masks) -> tuple[Indices, Keys | Masks]:
        """Return the choice with the smallest of the keys of every pair, and that key, ``(P,)`` each.

        ``keys`` are ``(C, 4)`` of uint16 or uint8; or ``(C,)``, those of one corner each, where there is no ``group_start``.
        """
        if self.group_start is None:
            return _smallest(keys if keys.ndim == 1 else _least(keys), self.choice_start)
        order = (keys.astype(np.int64) >> 2) << 40
        order |= (1 << 40) - 1 - np.arange(len(keys), dtype=np.int64)[:, None]
        worst = np.maximum.reduceat(order, self.group_start, axis=0)
        costs = (worst >> 40 << 2).astype(np.uint16) | (keys[self.group_start] & 3).astype(np.uint16)
        best = costs.argmin(axis=1)
        rows = np.arange(len(costs))
        group, key = _smallest(costs[rows, best], np.searchsorted(self.group_start, self.choice_start))
        index = (1 << 40) - 1 - (worst[group, best[group]] & (1 << 40) - 1)
        return index, key


def by_choice(values: NDArray[Value], facts: PairFacts) -> NDArray[Value]:
    """Return for every choice what is told of its pair, ``(C,)``."""
    return np.repeat(values.ravel(), np.diff(facts.choice_start))


def choices_of(facts: PairFacts, pairs: Indices) -> Indices:
    """Return the choices of some pairs, indices one pair after another."""
    starts = facts.choice_start.take(pairs)
    counts = facts.choice_start.take(pairs + 1) - starts
    ends = np.cumsum(counts)
    return np.repeat(starts - ends + counts, counts) + np.arange(ends[-1] if len(ends) else 0)


def _outer(facts: PairFacts) -> Masks:
    """Return the nibbles of the corners of each choice's attacker square that are corners of his space."""
    counts = np.diff(facts.choice_start)
    nibbles = np.full(len(facts.usable), 15, np.uint8)
    for axis, (low_corners, high_corners) in enumerate(((0b0101, 0b1010), (0b0011, 0b1100))):
        place = facts.attacker_square[:, axis]
        low, high = (
            np.repeat(extreme.reduceat(place, facts.choice_start[:-1]), counts) for extreme in (np.minimum, np.maximum)
        )
        at_sides = np.where(place == low, low_corners, 0) | np.where(place == high, high_corners, 0)
        nibbles &= at_sides.astype(np.uint8)
    return nibbles


def _least(keys: Keys | Masks) -> Keys | Masks:
    """Return the smallest key of every row: column by column, which is many times faster than along such short rows."""
    least = keys[:, 0]
    for column in range(1, keys.shape[1]):
        least = np.minimum(least, keys[:, column])
    return least


def _smallest(keys: Keys | Masks, start: Indices) -> tuple[Indices, Keys | Masks]:
    """Return for each pair the row with the smallest key, the first of those that differ in the corner only."""
    n_pairs, n_rows = len(start) - 1, len(keys)
    if n_pairs == n_rows:
        return np.arange(n_pairs, dtype=np.int64), keys
    bits = 26 if keys.dtype == np.uint8 and n_rows <= 1 << 26 else 48  # for the number of the row
    order: NDArray[np.unsignedinteger[Any]] = keys.astype(np.uint32 if bits == 26 else np.uint64)
    order >>= 2
    order <<= bits
    order |= np.arange(n_rows, dtype=order.dtype)
    least = np.minimum.reduceat(order, start[:-1])
    least &= (1 << bits) - 1
    index = least.astype(np.int64)
    return index, keys.take(index)

"""Where the attacker's lines start: the choice of squares and the corner that he takes, for all pairs at once.

In this order: a usable corner; the lowest penalty for him by the edition's table; the fewest lines blocked by walls;
reading order of choice, then corner. Where all corners of his square count, the worst of its usable corners speaks for
a choice, and the choice is taken in the same order.

Every corner of a choice gets one small key that sorts in this order, so that the smallest key is the choice's answer:
bit 7, the corner is not usable; bits 2 to 4, the rank of its count of blocked lines by penalty, then by count; bits 0
and 1, the corner.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gridlos.facts import Bools, Masks, PairFacts

__all__ = ["Chosen", "blocked_counts", "chosen_corners"]

_CORNERS = np.arange(4, dtype=np.uint8)
_UNUSABLE = np.uint8(0x80)
_USED = np.uint8(0x40)  # in the order of the worst corner: a usable one comes before the others

# For a nibble of usable corners: the key of each corner that is not among them, 0 for the others.
_UNUSABLE_KEYS = np.array(
    [[0 if nibble >> corner & 1 else 0x80 | corner for corner in range(4)] for nibble in range(16)], np.uint8
)


@dataclass(frozen=True, slots=True, eq=False)
class Chosen:
    """What the attacker of each pair chose: ``(P,)`` each.

    Attributes
    ----------
    index
        int64 index into the facts' choices.
    corner
        uint8 number of the attacker's corner.
    lines
        uint8, 0 … 4: blocked lines from there.
    """

    index: NDArray[np.int64]
    corner: Masks
    lines: Masks


def blocked_counts(*, every_corner: bool) -> Masks:
    """Return the number of blocked lines, ``(256,)`` uint8, for the index ``counted << 4 | hard``.

    Only lines to counted target corners are counted; where all of them are blocked, or none is counted, it is four of
    four. With ``every_corner`` all four count, whatever ``counted`` says.

    Examples
    --------
    >>> ignoring, counting = blocked_counts(every_corner=False), blocked_counts(every_corner=True)
    >>> hard, counted = 0b0110, 0b1011  # two lines are blocked; corner 2, one of theirs, is cut off
    >>> int(ignoring[counted << 4 | hard]), int(counting[counted << 4 | hard])
    (1, 2)
    """
    counts = np.empty(256, np.uint8)
    for index in range(256):
        counted, hard = 15 if every_corner else index >> 4, index & 15
        blocked = hard & counted
        counts[index] = 4 if blocked == counted else blocked.bit_count()
    return counts


_COUNTS = {"ignore": blocked_counts(every_corner=False), "count": blocked_counts(every_corner=True)}


def chosen_corners(
    facts: PairFacts, best: Sequence[int], worst: Sequence[int], *, all_corners: Bools, cut_corners: str
) -> Chosen:
    """Return what the attacker of each pair chooses.

    Parameters
    ----------
    facts
        The facts of ``P`` pairs.
    best
        His penalty for 0 … 4 blocked lines where his best corner counts.
    worst
        The same where all corners of his square count.
    all_corners
        ``(A, T)`` bool: where all count.
    cut_corners
        ``ignore``: corners cut off from the centre of their square are not used, nor counted; ``count``: they are.
    """
    counts = _COUNTS[cut_corners]
    lines_at = facts.hard | (facts.counted << np.uint8(4))[:, None]
    usable = facts.usable if cut_corners == "ignore" else np.full_like(facts.usable, 15)
    by_best, by_worst = _by_rank(best), _by_rank(worst)
    keys = _best_keys(counts, lines_at, usable, by_best)
    if all_corners.any():
        here = np.flatnonzero(np.repeat(all_corners.ravel(), np.diff(facts.choice_start)))
        keys[here] = _worst_keys(counts.take(lines_at[here]), usable[here], by_worst)
    index, key = _smallest(keys, facts.choice_start)
    lines = _lines_by_key(by_best).take(key)
    if all_corners.any():
        lines = np.where(all_corners.ravel(), _lines_by_key(by_worst).take(key), lines)
    return Chosen(index, key & np.uint8(3), lines)


def _by_rank(penalties: Sequence[int]) -> list[int]:
    """Return the counts 0 … 4 in the order in which the attacker likes them."""
    return sorted(range(5), key=lambda count: (penalties[count], count))


def _rank_keys(by_rank: list[int]) -> Masks:
    """Return the key of each count 0 … 4, the corner left open: ``(5,)`` uint8."""
    keys = np.zeros(5, np.uint8)
    keys[by_rank] = np.arange(5) << 2
    return keys


def _best_keys(counts: Masks, lines_at: Masks, usable: Masks, by_rank: list[int]) -> Masks:
    """Return the smallest key of the four corners of each choice, ``(C,)``."""
    keys = _rank_keys(by_rank)[counts].take(lines_at)
    keys += _CORNERS
    np.maximum(keys, _UNUSABLE_KEYS.take(usable, axis=0), out=keys)
    return np.minimum(np.minimum(keys[:, 0], keys[:, 1]), np.minimum(keys[:, 2], keys[:, 3]))


def _worst_keys(lines: Masks, usable: Masks, by_rank: list[int]) -> Masks:
    """Return the key of the usable corner with the most blocked lines of each choice, the first such, ``(C,)``."""
    order = (lines << np.uint8(2)) + (np.uint8(3) - _CORNERS) + _USED
    order[_UNUSABLE_KEYS.take(usable, axis=0) > 0] = 0
    worst = order.max(axis=1, initial=0)
    keys = _rank_keys(by_rank).take((worst & np.uint8(0x3F)) >> np.uint8(2)) + (np.uint8(3) - (worst & np.uint8(3)))
    return np.where(worst == 0, _UNUSABLE, keys)


def _smallest(keys: Masks, choice_start: NDArray[np.int64]) -> tuple[NDArray[np.int64], Masks]:
    """Return for each pair the choice with the smallest key, the first of those that differ in the corner only."""
    n_pairs, n_choices = len(choice_start) - 1, len(keys)
    if n_pairs == n_choices:
        return np.arange(n_pairs, dtype=np.int64), keys
    order = (keys >> np.uint8(2)).astype(np.int64) << 48
    order |= np.arange(n_choices, dtype=np.int64)
    index = np.minimum.reduceat(order, choice_start[:-1]) & (1 << 48) - 1
    return index, keys.take(index)


def _lines_by_key(by_rank: list[int]) -> Masks:
    """Return the number of blocked lines for each key, ``(256,)`` uint8; four at a corner that is not usable."""
    lines = np.full(256, 4, np.uint8)
    lines[:20] = np.repeat(by_rank, 4)
    return lines

"""Which of the corners with the same cover the attacker takes, where an answer beside cover is told from there.

With concealment taken at the corner for cover, or with the hidden part of the target's square told, corners whose cover
costs the same are not equal. Of these the attacker takes one with the least concealment, where that is taken there, and
among those one with the least hidden part, where that is told; only then the first in reading order, which changes nothing
but the proof. An attacker without a usable corner takes so among all of them.

Where the worst stands for several, the ties go the other way: of those with the worst cover the one with the most
concealment, then with the most hidden, stands for them. That is the worst corner where all corners of a square count, and
the worst square where all squares of the target do; among what they stand for the attacker takes the least, as above. So
every answer is one number, the least of the largest, whatever is read first.
"""

from __future__ import annotations

import numpy as np

from gridlos.facts import Attack, Bools, Masks, PairFacts
from gridlos.rules.corners import Choosing, Chosen, Indices, Keys
from gridlos.rules.levels import levels_at_corners
from gridlos.rules.model import Edition

__all__ = ["taken", "tie_costs", "tied_costs"]

_SPAN = 40
"""Bits for what decides between equal ranks: 6 levels times as many hidden parts as there are corners."""
_CUT_OFF = 1 << 16
"""The rank of all corners where none is usable: above those of classes."""
_NEVER = 1 << 62

_IS_IN = np.array([[nibble >> corner & 1 for corner in range(4)] for nibble in range(16)], np.bool_)


def tie_costs(edition: Edition, facts: PairFacts, attack: Attack) -> Indices | None:
    """Return what decides between corners whose cover costs the same, ``(C, 4)``; None: no answer tells them apart."""
    table = edition.table
    levels = levels_at_corners(edition, facts, attack) if table.concealing.corner == "cover" else None
    parts = None if table.by_area is None else facts.hidden_area
    if levels is None and parts is None:
        return None
    costs = np.zeros(facts.hard.shape, np.int64) if levels is None else levels.astype(np.int64)
    if parts is not None:
        known, places = np.unique(parts.astype(np.float64), return_inverse=True)
        costs = costs * len(known) + places.reshape(costs.shape)
    return costs


def tied_costs(
    classes: Masks | Keys, usable: Masks, ranks: tuple[Keys, Keys], is_worst: Bools, ties: Indices
) -> Indices:
    """Return what every corner costs with what decides between equals, ``(C, 4)``.

    Parameters
    ----------
    classes
        ``(C, 4)``: the classes of the lines from there, graded or not.
    usable
        ``(C,)``: nibbles of usable corners.
    ranks
        Those of classes from the best corner, and where all corners count.
    is_worst
        ``(C,)``: all corners count, so that the worst one alone may be taken: that with the worst class.
    ties
        As from :func:`tie_costs`.
    """
    is_cut_off = usable == 0
    may_be_taken = _IS_IN.take(np.where(is_cut_off, np.uint8(15), usable), axis=0)
    best, worst = ranks
    costs = np.where(is_worst[:, None], worst.take(classes), best.take(classes)).astype(np.int64)
    costs[is_cut_off] = _CUT_OFF
    costs = (costs << _SPAN) + ties
    if is_worst.any():
        badness = (np.where(is_cut_off[:, None], 0, classes.astype(np.int64)) << _SPAN) + ties
        badness[~may_be_taken] = -1
        may_be_taken &= ~is_worst[:, None] | (np.arange(4) == badness.argmax(axis=1)[:, None])
    costs[~may_be_taken] = _NEVER
    return costs


def taken(choosing: Choosing, costs: Indices) -> Chosen:
    """Return the choice and corner of the least of the costs ``(C, 4)`` for every pair, the first in reading order.

    Where all squares of a target count, a corner costs what it does for the worst of these, the first such.
    """
    begins = choosing.group_start
    if begins is None:
        return _first_least(costs, choosing.choice_start)
    worst = np.maximum.reduceat(costs, begins, axis=0)
    group = _first_least(worst, np.searchsorted(begins, choosing.choice_start))
    is_worst = costs == np.repeat(worst, np.diff(begins, append=len(costs)), axis=0)
    index = np.empty_like(group.index)
    for corner in range(4):
        pairs, rows = np.flatnonzero(group.corner == corner), np.flatnonzero(is_worst[:, corner])
        index[pairs] = rows[np.searchsorted(rows, begins[group.index[pairs]])]
    return Chosen(index, group.corner)


def _first_least(costs: Indices, start: Indices) -> Chosen:
    """Return the row and column of the least cost of every pair, whose rows begin at ``start``; of equals the first."""
    least = np.minimum.reduceat(costs.min(axis=1), start[:-1])
    places = np.flatnonzero(costs == np.repeat(least, np.diff(start))[:, None])
    first = places[np.searchsorted(places, start[:-1] * 4)]
    return Chosen(first >> 2, (first & 3).astype(np.uint8))

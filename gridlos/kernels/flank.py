"""Flanking: does an attacker stand opposite to a partner who threatens the target too?"""

from __future__ import annotations

import numpy as np

from gridlos.facts import Relation
from gridlos.kernels.jit import Array, inner_kernel, int64, kernel

__all__ = ["ANYBODY", "ATTACKERS_ALLY", "TARGETS_ENEMY", "flanked", "meets_opposite_sides"]

ATTACKERS_ALLY, TARGETS_ENEMY, ANYBODY = 0, 1, 2
"""Who may be a partner."""

_NEUTRAL, _ALLY, _ENEMY = int(Relation.NEUTRAL), int(Relation.ALLY), int(Relation.ENEMY)


@inner_kernel
def _meets_both(at_first: int, at_second: int, low: int, high: int, with_ends: bool) -> bool:
    """Does a segment meet two parallel sides from ``low`` to ``high``, which it reaches at these two places?"""
    if with_ends:
        return low <= at_first <= high and low <= at_second <= high
    is_diagonal = (at_first == low and at_second == high) or (at_first == high and at_second == low)
    return is_diagonal or (low < at_first < high and low < at_second < high)


@inner_kernel
def meets_opposite_sides(
    px: int, py: int, qx: int, qy: int, left: int, top: int, right: int, bottom: int, with_ends: bool
) -> bool:
    """Does the segment meet the left and the right side of the rectangle, or the upper and the lower one?

    ``with_ends``: sides hold their ends, so that a corner belongs to two sides. Else the segment has to meet the inside
    of the two sides, or two opposite corners.
    """
    dx, dy = qx - px, qy - py
    if min(px, qx) <= left and right <= max(px, qx):
        # Where it meets the two lines on which the sides lie, seen from its first end and times |dx|.
        sign = 1 if dx > 0 else -1
        at_left, at_right = sign * dy * (left - px), sign * dy * (right - px)
        if _meets_both(at_left, at_right, (top - py) * abs(dx), (bottom - py) * abs(dx), with_ends):
            return True
    if min(py, qy) <= top and bottom <= max(py, qy):
        sign = 1 if dy > 0 else -1
        at_top, at_bottom = sign * dx * (top - py), sign * dx * (bottom - py)
        return _meets_both(at_top, at_bottom, (left - px) * abs(dy), (right - px) * abs(dy), with_ends)
    return False


@inner_kernel
def _are_opposite(spaces: Array, a: int, p: int, t: int, any_square: bool, with_ends: bool) -> bool:
    """Do creatures ``a`` and ``p`` stand on opposite sides of ``t``?

    Their places are the centres of their squares, any of each, or the centres of their spaces, in half squares.
    """
    left, top = 2 * int64(spaces[t, 0]), 2 * int64(spaces[t, 1])
    right, bottom = left + 2 * spaces[t, 2], top + 2 * spaces[t, 3]
    ax, ay = 2 * int64(spaces[a, 0]), 2 * int64(spaces[a, 1])
    px, py = 2 * int64(spaces[p, 0]), 2 * int64(spaces[p, 1])
    if not any_square:
        ax, ay, px, py = ax + spaces[a, 2], ay + spaces[a, 3], px + spaces[p, 2], py + spaces[p, 3]
        return meets_opposite_sides(ax, ay, px, py, left, top, right, bottom, with_ends)
    for y in range(ay + 1, ay + 2 * spaces[a, 3], 2):
        for x in range(ax + 1, ax + 2 * spaces[a, 2], 2):
            for v in range(py + 1, py + 2 * spaces[p, 3], 2):
                for u in range(px + 1, px + 2 * spaces[p, 2], 2):
                    if meets_opposite_sides(x, y, u, v, left, top, right, bottom, with_ends):
                        return True
    return False


@inner_kernel
def _is_partner(relation: Array, a: int, p: int, t: int, partner: int) -> bool:
    """May creature ``p`` be the partner of ``a`` against ``t``?"""
    if partner == ANYBODY:
        return True
    if partner == ATTACKERS_ALLY:
        return relation[a, p] == _ALLY
    # Who attacks a neutral creature together makes it an enemy; two enemies of each other do nothing together.
    return relation[a, p] != _ENEMY and (
        relation[p, t] == _ENEMY or (relation[p, t] == _NEUTRAL and relation[a, p] == _ALLY)
    )


@kernel
def flanked(
    spaces: Array,
    able: Array,
    relation: Array,
    attackers: Array,
    targets: Array,
    partner: int,
    any_square: bool,
    with_ends: bool,
) -> Array:
    """Return ``(A, T)`` bool: does the attacker flank the target, together with somebody?

    Both must be able to flank the target, and the attacker must not be its ally; a creature is never its own partner.

    Parameters
    ----------
    spaces
        ``(n, 4)`` int32 of all creatures.
    able
        ``(n, T)`` bool: who threatens each target and may take part in flanking it.
    relation
        ``(n, n)`` uint8 of Relation.
    attackers, targets
        ``(A,)`` and ``(T,)`` int64, indices of creatures.
    partner
        :data:`ATTACKERS_ALLY`, :data:`TARGETS_ENEMY` (and no enemy of the attacker) or :data:`ANYBODY`.
    any_square
        Whether any square of a big flanker may serve, instead of the centre of its space.
    with_ends
        Whether the sides of the target's space hold their ends.
    """
    n = len(spaces)
    result = np.zeros((len(attackers), len(targets)), np.bool_)
    row_of = np.full(n, -1, np.int64)
    for i in range(len(attackers)):
        row_of[attackers[i]] = i
    around = np.empty(n, np.int64)
    for column in range(len(targets)):
        t = targets[column]
        n_around = 0
        for k in range(n):
            if able[k, column] and k != t:
                around[n_around] = k
                n_around += 1
        for first in range(n_around):
            for second in range(first + 1, n_around):
                a, p = around[first], around[second]
                row, other_row = row_of[a], row_of[p]
                asks = row >= 0 and not result[row, column] and relation[a, t] != _ALLY
                asks = asks and _is_partner(relation, a, p, t, partner)
                other_asks = other_row >= 0 and not result[other_row, column] and relation[p, t] != _ALLY
                other_asks = other_asks and _is_partner(relation, p, a, t, partner)
                if (asks or other_asks) and _are_opposite(spaces, a, p, t, any_square, with_ends):
                    if asks:
                        result[row, column] = True
                    if other_asks:
                        result[other_row, column] = True
    return result

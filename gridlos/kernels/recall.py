"""What of a pair its answers follow from, as one number, where walls hide all or nothing and nothing conceals.

The answers of a pair follow from few things: the class of the lines from the corner that the attacker takes, line of effect
and of sight, how the two stand to each other, and of what kind each of them is. Together they are the digits of one number,
the *key* of the pair: two pairs of equal keys have equal answers, their distance apart.
"""

from __future__ import annotations

import numpy as np

from gridlos.kernels.jit import Array, inner_kernel, int64, kernel
from gridlos.kernels.pairs import measured, turned_lines
from gridlos.kernels.touched import place_of_pair

__all__ = ["MOST_KINDS", "N_OWN", "N_TABLES", "N_TERMS", "find_keys", "list_pairs", "look_up"]

KEYS, CLASSES, WORST_ORDERS, WORST_KEYS, WORST_CLASSES = range(5)
N_TABLES = 5
"""Rows of ``tables``, of 4096 entries each: those of :class:`gridlos.rules.plain.LineTables` for the best corner, and where all count."""

(
    EVERY_SECOND,
    SECOND_DIAGONAL,
    DEAD_ZONE,
    SOFT,
    SOFT_WHEN_ADJACENT,
    COUNTS_CUT_CORNERS,
    IS_MELEE,
    ALL_WHEN_ADJACENT,
    RANGED_WHEN_LARGE,
    LEAST_HIGHER,
    ASKS_FREE,
) = range(11)
N_TERMS = 11
"""What the edition lays down, the entries of ``terms``."""

FEET, AS_ATTACKER, AS_TARGET, THREATENS, IS_LARGE = range(5)
N_OWN = 5
"""What is told of a creature, the columns of ``own``."""

KIND_BITS = 14
MOST_KINDS = 1 << KIND_BITS
"""Kinds of attackers, and of targets, that keys can tell apart."""


@kernel
def list_pairs(flat: Array, marked: Array) -> tuple[Array, Array]:
    """Return the pairs that are marked, and every two creatures among them once.

    ``marked (n, n)`` bool, nobody against himself; ``flat (P,)`` int64, where it is true, ``row * n + column``, ascending. The
    former are ``(P, 4)`` int64 in that order: attacker, target, their place among the latter, whether the attacker is the second
    of these; the latter ``(U, 2)`` int64, the lower index first.
    """
    n, count = len(marked), int64(0)
    listed, pairs = np.empty((len(flat), 4), np.int64), np.empty((len(flat), 2), np.int64)
    following = np.zeros(n, np.int64)  # for each attacker a place before which no pair is left that has not been met from behind
    for k in range(len(flat)):
        a, t = flat[k] // n, flat[k] % n
        place = count
        if a < t and (k == 0 or listed[k - 1, 0] != a or listed[k - 1, 1] < a):
            following[a] = count
        if a > t and marked[t, a]:
            place = following[t]
            while pairs[place, 1] != a or pairs[place, 0] != t:
                place += 1
            following[t] = place + 1
        else:
            pairs[count, 0], pairs[count, 1] = min(a, t), max(a, t)
            count += 1
        listed[k, 0], listed[k, 1], listed[k, 2], listed[k, 3] = a, t, place, a > t
    return listed, pairs[:count].copy()


@inner_kernel
def _corner_key(tables: Array, hard: int, soft: int, usable: int, counted: int, is_worst: bool) -> int:
    """Return the key of the corner of a square that is taken, the best or the worst one; of the lines one nibble each."""
    least, most = int64(255), int64(0)
    for corner in range(4):
        entry = counted << 8 | (hard >> (4 * corner) & 15) << 4 | soft >> (4 * corner) & 15
        if not usable >> corner & 1:
            least = min(least, 0xFC | corner)
        elif is_worst:
            most = max(most, int64(tables[WORST_ORDERS, entry]) + 3 - corner)
        else:
            least = min(least, int64(tables[KEYS, entry]) | corner)
    return int64(tables[WORST_KEYS, most]) if is_worst else least


@inner_kernel
def _engagement(steps: int) -> int:
    """Return whether the target is larger than its opponents by fewer than two steps of size, by two, or by more; 0: it has none."""
    return 0 if steps < 0 else 1 if steps < 2 else min(steps, 3)


@kernel
def look_up(known: Array, keys: Array) -> Array:
    """Return ``(P,)`` int64: the places of keys ``(P,)`` among known ones, ascending; -1: it is none of them."""
    found = np.full(len(keys), -1, np.int64)
    for k in range(len(keys)):
        low, high = 0, len(known)
        while low < high:
            middle = (low + high) >> 1
            if known[middle] < keys[k]:
                low = middle + 1
            else:
                high = middle
        if low < len(known) and known[low] == keys[k]:
            found[k] = low
    return found


@inner_kernel
def _class_of(
    pair: int,
    back: int,
    choices: tuple[Array, Array, Array],
    soft: Array,
    first_soft: int,
    uncut: Array,
    tables: Array,
    is_worst: bool,
) -> tuple[int, bool]:
    """Return the class of the lines from the corner that the attacker takes, and whether any line is free.

    ``soft`` are the lines that creatures block, from ``first_soft`` on, empty where these do not count; ``uncut`` is empty where
    corners count that walls cut off.
    """
    starts, squares, hard = choices
    least, is_free = int64(255), False
    for choice in range(starts[pair], starts[pair + 1]):
        bits, by_creatures = int64(hard[choice]), int64(0)
        is_free |= bits != 0xFFFF
        if len(soft):
            by_creatures = int64(soft[first_soft + choice - starts[pair]])
        usable, counted = int64(15), int64(15)
        if len(uncut):
            usable, counted = int64(uncut[squares[choice, back]]), int64(uncut[squares[choice, 1 - back]])
        if back:
            bits, by_creatures = turned_lines(bits), turned_lines(by_creatures)
        least = min(least, _corner_key(tables, bits, by_creatures, usable, counted, is_worst))
    return int64(tables[WORST_CLASSES if is_worst else CLASSES, least]), is_free


@kernel
def find_keys(
    listed: Array,
    choices: tuple[Array, Array, Array],
    soft: tuple[Array, Array, Array],
    answers: tuple[Array, Array],
    creatures: tuple[Array, Array, Array, Array],
    uncut: Array,
    tables: Array,
    terms: Array,
) -> tuple[Array, Array, Array]:
    """Return of listed pairs, ``(P,)`` each: the keys int64, the distances in squares int64, who is in reach bool.

    Bit 0 of the keys is left for who flanks whom.

    Parameters
    ----------
    listed
        ``(P, 4)`` from :func:`list_pairs`.
    choices
        ``starts`` and ``squares`` from :func:`gridlos.kernels.pairs.list_choices`, of every two creatures among them, and the lines
        of these, from the first square to the second, that walls block, ``(C,)`` uint16.
    soft
        The lines that creatures block between every two of all creatures, ``(c,)`` uint16 each, if the first one attacks and if the
        second one does; both empty where none can. ``(u,)`` int64, where those of every two begin; empty where each have one choice.
    answers
        ``(U,)`` bool each: line of effect and line of sight.
    creatures
        ``numbers (n, 9)`` as for :func:`gridlos.kernels.pairs.measure`; ``own (n, 5)`` int64, see :data:`N_OWN`; ``engaged (n, n)``
        int8 and ``crowded (n,)`` bool as in :class:`gridlos.facts.PairFacts`, empty where nobody asks.
    uncut
        ``(rows * cols,)`` uint8: the corners of every square that no wall cuts off from its centre.
    tables, terms
        ``(5, 4096)`` uint8, see :data:`N_TABLES`; ``(11,)`` int64, see :data:`N_TERMS`.
    """
    n = len(listed)
    numbers, own, engaged, crowded = creatures
    keys, distances, in_reach = np.empty(n, np.int64), np.empty(n, np.int64), np.empty(n, np.bool_)
    if terms[COUNTS_CUT_CORNERS]:
        uncut = uncut[:0]
    for k in range(n):
        a, t, pair = listed[k, 0], listed[k, 1], listed[k, 2]
        squares, is_adjacent, relation, reaches = measured(
            numbers, a, t, terms[EVERY_SECOND] > 0, terms[SECOND_DIAGONAL] > 0, terms[DEAD_ZONE] > 0
        )
        is_close = is_adjacent and terms[IS_MELEE] > 0 and not (terms[RANGED_WHEN_LARGE] > 0 and own[a, IS_LARGE] > 0)
        is_worst = is_close and terms[ALL_WHEN_ADJACENT] > 0
        back = listed[k, 3]
        first_soft = place_of_pair(t if back else a, a if back else t, len(numbers))
        if len(soft[2]):
            first_soft = soft[2][first_soft]
        by_creatures = soft[1] if back else soft[0]
        if not terms[SOFT_WHEN_ADJACENT if is_close else SOFT]:
            by_creatures = by_creatures[:0]
        found, is_free = _class_of(pair, back, choices, by_creatures, first_soft, uncut, tables, is_worst)
        reaches = reaches and answers[0][pair]
        rise = own[a, FEET] - own[t, FEET]
        key = found << 1 | int64(is_worst)
        key = key << 2 | int64(answers[0][pair]) << 1 | int64(answers[1][pair])
        key = key << 1 | int64(is_free and terms[ASKS_FREE] > 0)
        key = key << 3 | int64(is_adjacent) << 2 | int64(relation)
        key = key << 2 | int64(reaches) << 1 | int64(reaches and own[a, THREATENS] > 0)
        key = key << 2 | int64(rise >= terms[LEAST_HIGHER]) << 1 | int64(-rise >= terms[LEAST_HIGHER])
        key = key << 3 | (_engagement(int64(engaged[a, t])) if len(engaged) else 0) << 1 | int64(len(crowded) > 0 and crowded[a])
        key = key << KIND_BITS | own[a, AS_ATTACKER]
        key = key << KIND_BITS | own[t, AS_TARGET]
        keys[k], distances[k], in_reach[k] = key << 1, squares, reaches
    return keys, distances, in_reach

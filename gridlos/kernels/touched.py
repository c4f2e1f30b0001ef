"""What it changes for others that a creature moves: who stands beside it, who fights whom, what lines it blocks."""

from __future__ import annotations

import numpy as np

from gridlos.kernels.jit import Array, inner_kernel, int64, kernel
from gridlos.kernels.pairs import REACH, crowded, engaged, steps_between

__all__ = ["are_beside", "lines_anew", "melees_anew", "n_sharing", "patch", "place_of_pair"]


@inner_kernel
def place_of_pair(a: int, b: int, n: int) -> int:
    """Return the place of two of ``n`` creatures, ``a < b``, among every two of them, ascending."""
    return a * (2 * n - a - 1) // 2 + b - a - 1


@kernel
def are_beside(numbers: Array, group: Array, others: Array) -> tuple[Array, Array]:
    """Return ``(m,)`` bool each: which of the others stand adjacent to one of a group, or are one; which one of it reaches.

    ``numbers (n, 9)`` int64 as for :func:`gridlos.kernels.pairs.measure`; ``group (g,)`` and ``others (m,)`` int64. All steps
    count as one, diagonal or not; walls play no part.
    """
    beside, in_reach = np.zeros(len(others), np.bool_), np.zeros(len(others), np.bool_)
    for k in range(len(others)):
        for one in group:
            longest = steps_between(numbers, one, others[k])[0]
            beside[k] |= longest <= 1
            in_reach[k] |= longest <= numbers[one, REACH]
    return beside, in_reach


@kernel
def n_sharing(spaces: Array, who: int) -> int:
    """Return how many spaces ``(n, 4)`` have a square in common with one of them, itself included."""
    x, y, right, bottom = spaces[who, 0], spaces[who, 1], spaces[who, 0] + spaces[who, 2], spaces[who, 1] + spaces[who, 3]
    count = int64(0)
    for k in range(len(spaces)):
        is_beside = spaces[k, 0] >= right or spaces[k, 1] >= bottom
        count += not (is_beside or spaces[k, 0] + spaces[k, 2] <= x or spaces[k, 1] + spaces[k, 3] <= y)
    return count


@kernel
def melees_anew(
    numbers: Array, able: Array, size: Array, beside: Array, is_engaged: Array, is_crowded: Array, found: Array
) -> tuple[Array, Array]:
    """Return who fights whom, ``(n, n)`` int8, and who is crowded, ``(n,)`` bool, since some have moved; mark the pairs that differ.

    Parameters
    ----------
    numbers, able, size
        As for :func:`gridlos.kernels.pairs.engaged`.
    beside
        ``(n,)`` bool: who has moved, or stood or stands beside one of these.
    is_engaged, is_crowded
        What it was before; empty where nobody asks, and so are the results.
    found
        ``(n, n)`` bool, written: the pairs whose attacker's friends fight the target otherwise, and those of attackers who are
        crowded and were not, or were and are not.
    """
    n, near = len(numbers), np.flatnonzero(beside)
    fighting, pressed = is_engaged.copy(), is_crowded.copy()
    if len(is_engaged):
        attackers, targets = np.empty(n * len(near), np.int64), np.empty(n * len(near), np.int64)
        for k in range(len(near)):
            attackers[k * n : (k + 1) * n], targets[k * n : (k + 1) * n] = np.arange(n), near[k]
        anew = engaged(numbers, able, size, attackers, targets)
        for k in range(len(anew)):
            a, t = attackers[k], targets[k]
            found[a, t] |= fighting[a, t] != anew[k]
            fighting[a, t] = anew[k]
    if len(is_crowded):
        among = crowded(numbers, able, near)
        for k in range(len(near)):
            if pressed[near[k]] != among[k]:
                pressed[near[k]] = among[k]
                found[near[k]] = True
    return fighting, pressed


@kernel
def lines_anew(
    pairs: Array,
    starts: Array,
    lines: tuple[Array, Array],
    known: tuple[Array, Array],
    known_starts: Array,
    found: Array,
) -> tuple[Array, Array]:
    """Return the lines that creatures block between every two, where they are found anew for some; mark the pairs that differ.

    Parameters
    ----------
    pairs, starts
        ``(P, 2)`` int64, the lower index first, and ``(P + 1,)``, their choices.
    lines
        ``(C,)`` uint16 each, for attacks of the first and of the second of the two: those of these choices.
    known, known_starts
        Those of the choices of every two creatures, and where these begin; empty where every two have one choice.
    found
        ``(n, n)`` bool, written: pairs are marked both ways.
    """
    n = len(found)
    forth, back = known[0].copy(), known[1].copy()
    for k in range(len(pairs)):
        a, b = pairs[k, 0], pairs[k, 1]
        row = place_of_pair(a, b, n)
        if len(known_starts):
            row = known_starts[row]
        for choice in range(starts[k], starts[k + 1]):
            if forth[row] != lines[0][choice] or back[row] != lines[1][choice]:
                found[a, b] = found[b, a] = True
                forth[row], back[row] = lines[0][choice], lines[1][choice]
            row += 1
    return forth, back


@kernel
def patch(kept: Array, flat: Array, told: Array, new: Array) -> Array:
    """Write records at some places, and return which of them differ from what stood there, ``(m,)`` int64.

    ``kept (N, w)`` uint64; ``flat (P,)`` int64 places in it, ``told (P, w)`` the records; those that are ``new (P,)`` bool
    always differ; empty: none.
    """
    found, count = np.empty(len(flat), np.int64), 0
    for k in range(len(flat)):
        differs = len(new) > 0 and new[k]
        for word in range(told.shape[1]):
            differs |= kept[flat[k], word] != told[k, word]
            kept[flat[k], word] = told[k, word]
        if differs:
            found[count] = k
            count += 1
    return found[:count].copy()

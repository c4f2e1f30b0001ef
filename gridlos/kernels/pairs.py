"""Pairs of creatures: each two asked about once and read both ways, their choices of squares, and where they stand to each other."""

from __future__ import annotations

from typing import Any

import numpy as np

from gridlos.facts import Relation
from gridlos.kernels.jit import Array, inner_kernel, int64, kernel

__all__ = [
    "N_NUMBERS",
    "answers_either_way",
    "crowded",
    "ends_either_way",
    "engaged",
    "index_pairs",
    "list_choices",
    "measure",
    "measure_all",
    "measured",
    "nibbles_either_way",
    "order_choices",
    "steps_between",
    "turned_lines",
]

_NEUTRAL, _ALLY, _ENEMY = int(Relation.NEUTRAL), int(Relation.ALLY), int(Relation.ENEMY)

int32: Any = np.int32

X, Y, WIDTH, HEIGHT, LEVEL, N_LEVELS, SIDE, REACH, REACH_MIN = range(9)
N_NUMBERS = 9
"""What is told of a creature, the columns of ``numbers``: its space and levels, its side (-1: nobody's), its reach, all in squares."""


@kernel
def index_pairs(attackers: Array, targets: Array, n: int) -> tuple[Array, Array, Array, Array]:
    """Return the pairs of two creatures that are among ordered ones, each once, and where each ordered one stands among them.

    Parameters
    ----------
    attackers, targets
        ``(P,)`` int64 each: the two of each ordered pair, below ``n``.

    Returns
    -------
    ``pairs (U, 2)`` int64, the lower index first; ``place (n, n)`` int64 of every two creatures among them, -1 for none;
    ``pair (P,)`` int64, that of each ordered pair, -1 for a creature against itself; ``turned (P,)`` bool, where the higher
    index attacks.
    """
    place = np.full((n, n), -1, np.int64)
    pair, turned = np.full(len(attackers), -1, np.int64), np.zeros(len(attackers), np.bool_)
    found = np.empty((min(len(attackers), n * (n - 1) // 2), 2), np.int64)
    count = 0
    for k in range(len(attackers)):
        a, t = attackers[k], targets[k]
        if a == t:
            continue
        if place[a, t] < 0:
            place[a, t] = place[t, a] = count
            found[count, 0], found[count, 1] = min(a, t), max(a, t)
            count += 1
        pair[k], turned[k] = place[a, t], a > t
    return found[:count].copy(), place, pair, turned


@kernel
def list_choices(spaces: Array, pairs: Array, cols: int) -> tuple[Array, Array]:
    """Return ``starts (U + 1,)`` int64 and ``squares (C, 2)`` int64: the squares of the two of each pair, each against each.

    ``spaces (n, 4)`` int32, ``pairs (U, 2)`` int64; squares are ``row * cols + column``, in reading order, those of the first
    creature outside.
    """
    n = len(spaces)
    corner, size = np.empty(n, np.int64), np.empty(n, np.int64)
    for k in range(n):
        corner[k], size[k] = int64(spaces[k, 1]) * cols + spaces[k, 0], int64(spaces[k, 2]) * spaces[k, 3]
    starts = np.empty(len(pairs) + 1, np.int64)
    starts[0] = 0
    for k in range(len(pairs)):
        starts[k + 1] = starts[k] + size[pairs[k, 0]] * size[pairs[k, 1]]
    squares = np.empty((starts[len(pairs)], 2), np.int64)
    for k in range(len(pairs)):
        a, t = pairs[k, 0], pairs[k, 1]
        c = starts[k]
        if starts[k + 1] == c + 1:
            squares[c, 0], squares[c, 1] = corner[a], corner[t]
            continue
        for y in range(spaces[a, 1], spaces[a, 1] + spaces[a, 3]):
            for x in range(spaces[a, 0], spaces[a, 0] + spaces[a, 2]):
                for v in range(spaces[t, 1], spaces[t, 1] + spaces[t, 3]):
                    for u in range(spaces[t, 0], spaces[t, 0] + spaces[t, 2]):
                        squares[c, 0], squares[c, 1] = y * cols + x, v * cols + u
                        c += 1
    return starts, squares


@kernel
def order_choices(
    spaces: Array, starts: Array, attackers: Array, targets: Array, pair: Array, turned: Array
) -> tuple[Array, Array, Array]:
    """Return ``(rows (C,), begins (P + 1,), back (C,))``: the choice of each ordered one, and whether it is read from the other side.

    ``starts`` come from :func:`list_choices`, ``pair`` and ``turned`` from :func:`index_pairs`. A creature against itself has
    one choice, row -1. The squares of the attacker are outside.
    """
    begins = np.zeros(len(pair) + 1, np.int64)
    for k in range(len(pair)):
        begins[k + 1] = begins[k] + (1 if pair[k] < 0 else starts[pair[k] + 1] - starts[pair[k]])
    rows, back = np.full(begins[len(pair)], -1, np.int64), np.zeros(begins[len(pair)], np.bool_)
    for k in range(len(pair)):
        if pair[k] < 0:
            continue
        a, t = attackers[k], targets[k]
        n_a, n_t = int64(spaces[a, 2]) * spaces[a, 3], int64(spaces[t, 2]) * spaces[t, 3]
        c, start = begins[k], starts[pair[k]]
        for i in range(n_a):
            for j in range(n_t):
                rows[c] = start + (j * n_a + i if turned[k] else i * n_t + j)
                back[c] = turned[k]
                c += 1
    return rows, begins, back


@inner_kernel
def turned_lines(bits: int) -> int:
    """Return the 16 lines of a choice from the other side: bit ``4 i + j`` becomes ``4 j + i``."""
    swapped = (bits ^ (bits >> 3)) & 0x0A0A
    bits ^= swapped ^ (swapped << 3)
    swapped = (bits ^ (bits >> 6)) & 0x00CC
    return bits ^ swapped ^ (swapped << 6)


@kernel
def nibbles_either_way(rows: Array, back: Array, forth: Array, other: Array) -> Array:
    """Return ``(C, 4)`` uint8: the lines of each ordered choice, a nibble for each corner of the attacker's square.

    ``forth`` and ``other``, ``(n,)`` uint16, are the lines if the first of the two attacks, and if the second one does; the bits
    of both are written from the first square to the second. ``rows`` and ``back`` come from :func:`order_choices`; no line for
    a creature against itself.
    """
    found = np.zeros((len(rows), 4), np.uint8)
    for k in range(len(rows)):
        row = rows[k]
        if row < 0:
            continue
        bits = turned_lines(int64(other[row])) if back[k] else int64(forth[row])
        for corner in range(4):
            found[k, corner] = bits >> (4 * corner) & 15
    return found


@inner_kernel
def _write_ends(
    space: Array, other: Array, uncut: Array, cols: int, c: int, starts: Array, ends: Array, corners: Array
) -> int:
    """Write from choice ``c`` on what :func:`ends_either_way` says of two spaces; return the number of the next one."""
    for y in range(space[1], space[1] + space[3]):
        for x in range(space[0], space[0] + space[2]):
            for v in range(other[1], other[1] + other[3]):
                for u in range(other[0], other[0] + other[2]):
                    starts[c, 0], starts[c, 1], ends[c, 0], ends[c, 1] = x, y, u, v
                    corners[0, c], corners[1, c] = uncut[y * cols + x], uncut[v * cols + u]
                    c += 1
    return c


@kernel
def ends_either_way(
    spaces: Array, attackers: Array, targets: Array, uncut: Array, n: int, cols: int
) -> tuple[Array, Array, Array]:
    """Return what each of ``n`` ordered choices joins: the attacker's square, the target's, ``(n, 2)`` int32, and their corners.

    ``uncut (rows * cols,)`` uint8 are the corners of every square; those of the two squares are ``(2, n)`` uint8. Choices
    are in the order of :func:`order_choices`. A creature against itself has the first square of the map twice, with all
    corners.
    """
    starts, ends = np.empty((n, 2), np.int32), np.empty((n, 2), np.int32)
    corners = np.empty((2, n), np.uint8)
    wide = np.empty((len(spaces), 4), np.int64)
    nibble = np.empty(len(spaces), np.int64)  # of those who stand on one square; -1 for the others
    for k in range(len(spaces)):
        wide[k] = spaces[k]
        nibble[k] = uncut[wide[k, 1] * cols + wide[k, 0]] if wide[k, 2] * wide[k, 3] == 1 else -1
    c = int64(0)
    for k in range(len(attackers)):
        a, t = attackers[k], targets[k]
        if a == t:
            starts[c, 0], starts[c, 1], ends[c, 0], ends[c, 1] = 0, 0, 0, 0
            corners[0, c], corners[1, c] = 15, 15
            c += 1
        elif nibble[a] < 0 or nibble[t] < 0:
            c = _write_ends(wide[a], wide[t], uncut, cols, c, starts, ends, corners)
        else:
            starts[c, 0], starts[c, 1], ends[c, 0], ends[c, 1] = wide[a, 0], wide[a, 1], wide[t, 0], wide[t, 1]
            corners[0, c], corners[1, c] = nibble[a], nibble[t]
            c += 1
    return starts, ends, corners


@kernel
def answers_either_way(pair: Array, turned: Array, answers: Array) -> Array:
    """Return ``(m, P)`` bool: ``answers (m, 2, U)``, if the first of the two attacks and if the second does, for ordered pairs.

    True for a creature against itself.
    """
    found = np.ones((len(answers), len(pair)), np.bool_)
    for m in range(len(answers)):
        for k in range(len(pair)):
            if pair[k] >= 0:
                found[m, k] = answers[m, 1 if turned[k] else 0, pair[k]]
    return found


@inner_kernel
def _gap(first: int, length: int, other: int, other_length: int) -> int:
    """Return the steps from one stretch of squares to another; 0 where they overlap."""
    return max(other - (first + length - 1), first - (other + other_length - 1), 0)


@inner_kernel
def steps_between(numbers: Array, a: int, t: int) -> tuple[int, int]:
    """Return the longest and the second longest of the steps between columns, rows and levels of two creatures."""
    dx = _gap(numbers[a, X], numbers[a, WIDTH], numbers[t, X], numbers[t, WIDTH])
    dy = _gap(numbers[a, Y], numbers[a, HEIGHT], numbers[t, Y], numbers[t, HEIGHT])
    dz = _gap(numbers[a, LEVEL], numbers[a, N_LEVELS], numbers[t, LEVEL], numbers[t, N_LEVELS])
    most, least = max(dx, dy), min(dx, dy)
    return max(most, dz), max(least, min(most, dz))


@inner_kernel
def _is_near(numbers: Array, a: int, t: int) -> bool:
    """Do two creatures stand adjacent, or share a square?"""
    if numbers[a, X] > numbers[t, X] + numbers[t, WIDTH] or numbers[t, X] > numbers[a, X] + numbers[a, WIDTH]:
        return False  # so are most
    return steps_between(numbers, a, t)[0] <= 1


@inner_kernel
def _relation(one: int, other: int) -> int:
    """Return what two sides are to each other."""
    if one < 0 or other < 0:
        return _NEUTRAL
    return _ALLY if one == other else _ENEMY


@inner_kernel
def measured(
    numbers: Array, a: int, t: int, every_second: bool, second_diagonal: bool, dead_zone: bool
) -> tuple[int, bool, int, bool]:
    """Return what :func:`measure` does of one pair."""
    longest, second = steps_between(numbers, a, t)
    distance = longest + (second // 2 if every_second else 0)
    squares = distance
    if second_diagonal and second == 2 and longest == 2 and numbers[a, REACH] == 2:
        squares = 2
    least = numbers[a, REACH_MIN] if dead_zone else 0
    return distance, longest <= 1, _relation(numbers[a, SIDE], numbers[t, SIDE]), least < squares <= numbers[a, REACH]


@kernel
def measure(
    numbers: Array, attackers: Array, targets: Array, every_second: bool, second_diagonal: bool, dead_zone: bool
) -> tuple[Array, Array, Array, Array]:
    """Return how ordered pairs stand to each other, ``(P,)`` each: distance int32, adjacent bool, relation uint8, in reach bool.

    Parameters
    ----------
    numbers
        ``(n, 9)`` int64 of all creatures, see :data:`N_NUMBERS`.
    attackers, targets
        ``(P,)`` int64.
    every_second, second_diagonal, dead_zone
        Whether every second diagonal step counts double, a reach of two squares takes in the square two diagonal steps away,
        and what is too near is out of reach. Walls play no part.
    """
    n = len(attackers)
    distance, adjacent = np.empty(n, np.int32), np.empty(n, np.bool_)
    relation, reaches = np.empty(n, np.uint8), np.empty(n, np.bool_)
    for k in range(n):
        distance[k], adjacent[k], relation[k], reaches[k] = measured(
            numbers, attackers[k], targets[k], every_second, second_diagonal, dead_zone
        )
    return distance, adjacent, relation, reaches


@inner_kernel
def _fill_gaps(others: Array, axis: int, own: Array, gaps: Array) -> None:
    """Write the steps on one axis from a creature to the others, whose first and last places on it are two rows."""
    column = X if axis == 0 else Y if axis == 1 else LEVEL
    first = int32(own[column])
    last = int32(own[column] + own[WIDTH if axis == 0 else HEIGHT if axis == 1 else N_LEVELS] - 1)
    for t in range(len(gaps)):
        gaps[t] = max(others[2 * axis, t] - last, first - others[2 * axis + 1, t], int32(0))


@inner_kernel
def _fill_steps(longest: Array, second: Array, third: Array) -> None:
    """Turn the steps on three axes into the longest and the second longest, in place of the first two."""
    for t in range(len(longest)):
        one, other = max(longest[t], second[t]), min(longest[t], second[t])
        longest[t], second[t] = max(one, third[t]), max(other, min(one, third[t]))


@inner_kernel
def _fill_distance(longest: Array, second: Array, shift: int, distance: Array) -> None:
    for t in range(len(longest)):
        distance[t] = longest[t] + (second[t] >> shift)


@inner_kernel
def _fill_adjacent(longest: Array, adjacent: Array) -> None:
    for t in range(len(longest)):
        adjacent[t] = longest[t] <= 1


@inner_kernel
def _fill_relation(own: int, sides: Array, relation: Array) -> None:
    for t in range(len(sides)):
        relation[t] = _relation(own, sides[t])


@inner_kernel
def _fill_reaches(longest: Array, second: Array, distance: Array, is_near: bool, least: int, most: int, reaches: Array) -> None:
    """Write who is within reach; ``is_near``: what is two diagonal steps away is two squares away."""
    for t in range(len(longest)):
        squares = int32(2) if is_near & (second[t] == 2) & (longest[t] == 2) else distance[t]
        reaches[t] = (least < squares) & (squares <= most)


@kernel
def measure_all(
    numbers: Array, attackers: Array, targets: Array, every_second: bool, second_diagonal: bool, dead_zone: bool
) -> tuple[Array, Array, Array, Array]:
    """Return what :func:`measure` does of all attackers ``(A,)`` against all targets ``(T,)``, ``(A, T)`` each, several at once."""
    n, m = len(attackers), len(targets)
    others, sides = np.empty((6, m), np.int32), np.empty(m, np.int32)
    for k in range(m):
        one = numbers[targets[k]]
        others[0, k], others[1, k] = one[X], one[X] + one[WIDTH] - 1
        others[2, k], others[3, k] = one[Y], one[Y] + one[HEIGHT] - 1
        others[4, k], others[5, k] = one[LEVEL], one[LEVEL] + one[N_LEVELS] - 1
        sides[k] = one[SIDE]
    distance, adjacent = np.empty((n, m), np.int32), np.empty((n, m), np.bool_)
    relation, reaches = np.empty((n, m), np.uint8), np.empty((n, m), np.bool_)
    gaps = np.empty((3, m), np.int32)
    shift = int32(1) if every_second else int32(31)
    for k in range(n):
        own = numbers[attackers[k]]
        for axis in range(3):
            _fill_gaps(others, axis, own, gaps[axis])
        _fill_steps(gaps[0], gaps[1], gaps[2])
        _fill_distance(gaps[0], gaps[1], shift, distance[k])
        _fill_adjacent(gaps[0], adjacent[k])
        _fill_relation(int32(own[SIDE]), sides, relation[k])
        least, most = int32(own[REACH_MIN] if dead_zone else 0), int32(own[REACH])
        _fill_reaches(gaps[0], gaps[1], distance[k], second_diagonal and most == 2, least, most, reaches[k])
    return distance, adjacent, relation, reaches


@kernel
def engaged(numbers: Array, able: Array, size: Array, attackers: Array, targets: Array) -> Array:
    """Return ``(P,)`` int8: by how many steps of size the target is larger than the largest friend of the attacker who fights it.

    -1 where no friend does. Two fight where they are enemies, stand adjacent, and one of them at least is able to attack.

    Parameters
    ----------
    numbers
        As for :func:`measure`.
    able, size
        ``(n,)`` bool and int16: who is able to attack, and steps of size.
    attackers, targets
        ``(P,)`` int64.
    """
    n, n_sides = len(numbers), int64(0)
    for k in range(n):
        n_sides = max(n_sides, numbers[k, SIDE] + 1)
    row_of = np.full(n, -1, np.int64)
    n_rows = int64(0)
    for k in range(len(targets)):
        if row_of[targets[k]] < 0:
            row_of[targets[k]] = n_rows
            n_rows += 1
    largest = np.full((n_rows, n_sides, 3), -1, np.int64)  # who, and the sizes of him and of the next one, plus 1000
    for t in range(n):
        row = row_of[t]
        if row < 0:
            continue
        for k in range(n):
            side = numbers[k, SIDE]
            if not _is_near(numbers, k, t) or not (able[k] or able[t]) or _relation(side, numbers[t, SIDE]) != _ENEMY:
                continue
            own = 1000 + int64(size[k])
            if own > largest[row, side, 1]:
                largest[row, side, 2] = largest[row, side, 1]
                largest[row, side, 0], largest[row, side, 1] = k, own
            else:
                largest[row, side, 2] = max(largest[row, side, 2], own)
    found = np.full(len(attackers), -1, np.int8)
    for k in range(len(attackers)):
        a, t = attackers[k], targets[k]
        side = numbers[a, SIDE]
        if side >= 0:
            friend = largest[row_of[t], side, 2 if largest[row_of[t], side, 0] == a else 1]
            if friend >= 0:
                found[k] = min(max(size[t] + 1000 - friend, 0), 100)
    return found


@kernel
def crowded(numbers: Array, able: Array, attackers: Array) -> Array:
    """Return ``(A,)`` bool: who stands adjacent to an enemy that is able to attack; arguments as for :func:`engaged`."""
    found = np.zeros(len(attackers), np.bool_)
    for k in range(len(attackers)):
        a = attackers[k]
        for other in range(len(numbers)):
            if able[other] and _relation(numbers[a, SIDE], numbers[other, SIDE]) == _ENEMY:
                found[k] |= _is_near(numbers, a, other)
    return found

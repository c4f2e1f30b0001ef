"""Keys of pairs: digit by digit what other kernels and the judge's tables say; lists of pairs and of what is known."""

from __future__ import annotations

import numpy as np
import pytest
from kernels.test_touched import creatures

from gridlos.facts import Attack, Relation
from gridlos.kernels import pairs, recall
from gridlos.rules import load_edition, read_by
from gridlos.rules.corners import Choosing, choices_of
from gridlos.rules.cover import line_tables
from gridlos.rules.plain import chosen_plainly, packed_lines

SEEDS = range(24)
SIZE = 12


class Case:
    """Random creatures, lines and terms, and the keys of all pairs of them."""

    def __init__(self, seed, n=10):
        rng = np.random.default_rng(seed)
        self.edition = load_edition(("pathfinder1", "dnd35", "dnd5e", "dnd4e")[seed % 4])
        self.attack = (Attack.RANGED, Attack.MELEE)[seed // 4 % 2]
        self.read = read_by(self.edition, self.attack)
        self.numbers = creatures(rng, n, SIZE)
        spaces = self.spaces = np.ascontiguousarray(self.numbers[:, :4], np.int32)
        spaces.flags.writeable = False  # as those of a scene
        others = rng.random((n, n)) < 0.9
        np.fill_diagonal(others, val=False)
        self.listed, self.pairs = recall.list_pairs(np.flatnonzero(others), others)
        self.starts, self.squares = pairs.list_choices(spaces, self.pairs, SIZE + 3)
        every = np.ascontiguousarray(np.argwhere(np.triu(np.ones((n, n), np.bool_), 1)))
        begins = pairs.list_choices(spaces, every, SIZE + 3)[0]
        some = np.append(rng.integers(0, 1 << 16, 6), [0, 0, 0, 0xFFFF]).astype(np.uint16)
        self.blocked = some[rng.integers(0, len(some), len(self.squares))]
        self.soft = [some[rng.integers(0, len(some), begins[-1])] for _ in range(2)] if seed % 3 else [some[:0]] * 2
        place = {(a, b): k for k, (a, b) in enumerate(every.tolist())}
        self.soft_rows = np.concatenate([np.arange(begins[k], begins[k + 1]) for k in (place[a, b] for a, b in self.pairs.tolist())])
        has_one = (spaces[:, 2:] == 1).all()
        self.uncut = rng.choice([0, 3, 7, 15, 15, 15], (SIZE + 3) ** 2).astype(np.uint8)
        self.answers = [rng.random(len(self.pairs)) < 0.7 for _ in range(2)]
        self.engaged = rng.integers(-1, 5, (n, n)).astype(np.int8) if seed % 5 else np.zeros((0, 0), np.int8)
        self.crowded = rng.random(n) < 0.5 if seed % 5 else np.zeros(0, np.bool_)
        self.own = np.zeros((n, recall.N_OWN), np.int64)
        self.own[:, recall.FEET] = rng.choice([0, 0, 900, 1000, 5000], n)
        self.own[:, recall.AS_ATTACKER], self.own[:, recall.AS_TARGET] = rng.integers(0, recall.MOST_KINDS, (2, n))
        self.own[:, recall.THREATENS], self.own[:, recall.IS_LARGE] = rng.integers(0, 2, (2, n))
        self.terms = rng.integers(0, 2, recall.N_TERMS)
        self.terms[recall.IS_MELEE], self.terms[recall.LEAST_HIGHER] = self.attack is Attack.MELEE, (1000, 1 << 62)[seed % 2]
        self.keys, self.distances, self.in_reach = recall.find_keys(
            self.listed,
            (self.starts, self.squares, self.blocked),
            (*self.soft, begins[:0] if has_one else begins),
            tuple(self.answers),
            (self.numbers, self.own, self.engaged, self.crowded),
            self.uncut,
            self.read.tables,
            self.terms,
        )

    def expected(self):
        """The digits, the last ones first, with their numbers of bits; distances; who is in reach."""
        attackers, targets, pair = (np.ascontiguousarray(self.listed[:, k]) for k in range(3))
        turned, terms = self.listed[:, 3] > 0, self.terms > 0
        flags = terms[recall.EVERY_SECOND], terms[recall.SECOND_DIAGONAL], terms[recall.DEAD_ZONE]
        distance, adjacent, relation, within = pairs.measure(self.numbers, attackers, targets, *map(bool, flags))
        effect, sight = (one[pair] for one in self.answers)
        is_close = adjacent & (self.attack is Attack.MELEE)
        if terms[recall.RANGED_WHEN_LARGE]:
            is_close &= self.own[attackers, recall.IS_LARGE] == 0
        is_worst = is_close & terms[recall.ALL_WHEN_ADJACENT]
        classes, is_free = self.classes(attackers, targets, pair, turned, is_close, is_worst)
        rise = self.own[attackers, recall.FEET] - self.own[targets, recall.FEET]
        steps = self.engaged[attackers, targets] if len(self.engaged) else np.full(len(pair), -1)
        in_reach = within & effect
        digits = [
            (np.zeros_like(pair), 1),
            (self.own[targets, recall.AS_TARGET], 14),
            (self.own[attackers, recall.AS_ATTACKER], 14),
            (self.crowded[attackers] if len(self.crowded) else np.zeros_like(pair), 1),
            (np.select([steps < 0, steps < 2, steps == 2], [0, 1, 2], 3), 2),
            (-rise >= self.terms[recall.LEAST_HIGHER], 1),
            (rise >= self.terms[recall.LEAST_HIGHER], 1),
            (in_reach & (self.own[attackers, recall.THREATENS] > 0), 1),
            (in_reach, 1),
            (relation, 2),
            (adjacent, 1),
            (is_free & terms[recall.ASKS_FREE], 1),
            (sight, 1),
            (effect, 1),
            (is_worst, 1),
            (classes, 7),
        ]
        return digits, distance, in_reach

    def classes(self, attackers, targets, pair, turned, is_close, is_worst):
        """The classes of the lines from the corners that are taken, by the judge's own tables; whose lines are not all blocked."""
        rows, starts, back = pairs.order_choices(self.spaces, self.starts, attackers, targets, pair, turned)
        hard = pairs.nibbles_either_way(rows, back, self.blocked, self.blocked)
        soft = np.zeros_like(hard)
        if len(self.soft[0]):
            soft = pairs.nibbles_either_way(rows, back, *(one[self.soft_rows] for one in self.soft))
        terms = self.terms > 0
        of_choices = np.repeat(is_close, np.diff(starts))
        soft[~np.where(of_choices, terms[recall.SOFT_WHEN_ADJACENT], terms[recall.SOFT])] = 0
        ends = self.uncut[np.where(back[:, None], self.squares[rows][:, ::-1], self.squares[rows])]
        if terms[recall.COUNTS_CUT_CORNERS]:
            ends[:] = 15

        class Facts:
            choice_start = starts

        worst = np.flatnonzero(is_worst)
        worst_rows = choices_of(Facts, worst) if len(worst) else None
        choosing, counted = Choosing(starts, ends[:, 0].copy()), ends[:, 1].copy()
        tables = line_tables(self.edition, self.attack)
        _, classes = chosen_plainly(choosing, packed_lines(hard, soft), counted, tables, worst_rows)
        return classes, np.logical_or.reduceat(self.blocked[rows] != 0xFFFF, starts[:-1])


def compare(seed, n=10):
    """Compare the keys of a case digit by digit, and return their number."""
    case = Case(seed, n)
    digits, distance, in_reach = case.expected()
    rest = case.keys.copy()
    for place, (values, bits) in enumerate(digits):
        assert np.array_equal(rest & (1 << bits) - 1, values), place
        rest >>= bits
    assert not rest.any()
    assert np.array_equal(case.distances, distance)
    assert np.array_equal(case.in_reach, in_reach)
    return len(rest)


@pytest.mark.parametrize("seed", SEEDS)
def test_digits(seed, counts):
    counts["keys of pairs"] += compare(seed)


@pytest.mark.parametrize("seed", SEEDS)
def test_listed_pairs(seed):
    rng = np.random.default_rng(seed)
    n = 1 + seed
    marked = rng.random((n, n)) < (0, 0.2, 0.9)[seed % 3]
    marked |= marked.T & (seed % 2 > 0)
    np.fill_diagonal(marked, val=False)
    listed, some = recall.list_pairs(np.flatnonzero(marked), marked)
    assert np.array_equal(listed[:, :2], np.argwhere(marked))
    assert sorted(some.tolist()) == np.argwhere(np.triu(marked | marked.T)).tolist()
    assert np.array_equal(some[listed[:, 2]], np.sort(listed[:, :2], axis=1))
    assert np.array_equal(listed[:, 3], listed[:, 0] > listed[:, 1])


@pytest.mark.parametrize("seed", SEEDS)
def test_places_among_known_keys(seed):
    rng = np.random.default_rng(seed)
    known = np.unique(rng.integers(-50, 50, (0, 1, 40)[seed % 3]))
    keys = rng.integers(-55, 55, 60)
    place = {key: k for k, key in enumerate(known.tolist())}
    assert recall.look_up(known, keys).tolist() == [place.get(key, -1) for key in keys.tolist()]


def test_relations_have_room():
    assert max(Relation) < 4

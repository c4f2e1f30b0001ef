"""Ordered choices: what each joins is what the unordered one does, read from the attacker's side."""

from __future__ import annotations

import numpy as np
from kernels.crowds import seeded_crowd, spaces_of

from gridlos.kernels.pairs import ends_either_way
from gridlos.questions.choices import AskedPairs, Choices, Order

LIMITS = ({}, {"largest": 6, "size": 14}, {"largest": 1, "most": 24, "size": 7}, {"most": 16, "size": 6})


def asked_of(rng, n):
    """Some creatures against some, or listed pairs, among them a creature against itself."""
    if rng.random() < 0.5:
        return AskedPairs.between(rng.permutation(n)[:5], rng.permutation(n)[:4], n)
    return AskedPairs.listing(np.concatenate((rng.integers(0, n, (8, 2)), [[n - 1, n - 1]])), n)


def test_ends_are_those_of_the_choices():
    for seed in range(60):
        crowd, rng = seeded_crowd(seed, **LIMITS[seed % 4]), np.random.default_rng(seed)
        spaces, uncut = spaces_of(crowd), rng.integers(0, 16, crowd.rows * crowd.cols).astype(np.uint8)
        spaces.flags.writeable = False  # as those of a scene are
        asked = asked_of(rng, len(spaces))
        choices = Choices.of(spaces, asked.pairs, crowd.cols)
        order = Order.of(asked, spaces, choices)
        squares = np.concatenate((choices.squares, np.zeros((1, 2), np.int64)))[order.rows]
        squares[order.back] = squares[order.back, ::-1]
        of_pairs = spaces, asked.attackers, asked.targets
        starts, ends, corners = ends_either_way(*of_pairs, uncut, len(order.rows), crowd.cols)
        for found, square, nibbles in zip((starts, ends), squares.T, corners, strict=True):
            assert found.tolist() == np.stack((square % crowd.cols, square // crowd.cols), axis=1).tolist(), seed
            assert nibbles.tolist() == np.where(order.rows < 0, 15, uncut[square]).tolist(), seed

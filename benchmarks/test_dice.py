"""Dice: exact chances of many pairs, and attacks rolled at random, each checked before it is timed.

The peer of the sampling is the plain numpy code that one would write for it: a d20 by ``Generator.integers`` for every
attack, and every other die for every attack too.
"""

from __future__ import annotations

from fractions import Fraction
from time import thread_time

import numpy as np
import pytest

from gridlos.rules.chances import chances, odds
from gridlos.rules.dice import Dice
from gridlos.rules.sampling import sample
from gridlos.rules.strike import Strike, Swing, Weapon, parse_dice

GROUP = "4,000,000 attacks rolled at random"
EXACT = "exact chances"
DICE = Dice(natural_1="misses", off_hand_strength="1/2", two_handed_strength="3/2")
LONGSWORD = Swing(Weapon(parse_dice("1d8"), threat=19), strength=3)
GREATSWORD = Swing(Weapon(parse_dice("2d6"), threat=19), hand="both", strength=3)
BONUS, DEFENSE = (np.arange(40) % 10)[:, None], 10 + np.arange(40) % 15
ATTACKS = 4_000_000
WORKLOADS = {
    "one_pair_longsword": (LONGSWORD, 5, 15, ATTACKS, {}),
    "one_pair_greatsword_concealed": (GREATSWORD, 5, 15, ATTACKS, {"miss_chance": 20}),
    "1600_pairs_longsword": (LONGSWORD, BONUS, DEFENSE, ATTACKS // 1600, {}),
    "1600_pairs_greatsword_mixed": (
        GREATSWORD,
        BONUS,
        DEFENSE,
        ATTACKS // 1600,
        {"miss_chance": 20 * (BONUS > 5), "roll": BONUS % 3},
    ),
}


def check(found, exact, n):
    for name in ("hit", "critical"):
        probability = getattr(exact, name)
        spread = np.sqrt(probability * (1 - probability) / n)
        assert (np.abs(getattr(found, name).mean(axis=-1) - probability) <= 6 * spread + 1e-12).all()
    spread = found.damage.std(axis=-1) / np.sqrt(n)
    assert (np.abs(found.damage.mean(axis=-1) - exact.damage) <= 6 * spread + 1e-9).all()


def own_time(work):
    """Return the seconds that this thread computed: what others do on the same cores does not count."""
    start = thread_time()
    work()
    return thread_time() - start


@pytest.mark.parametrize("workload", WORKLOADS)
def test_sample(benchmark, workload):
    swing, bonus, defense, n, more = WORKLOADS[workload]
    found = sample(DICE, swing, bonus, defense, n, seed=1, **more)
    check(found, chances(DICE, swing, bonus, defense, **more), n)
    assert (sample(DICE, swing, bonus, defense, n, seed=1, **more).damage == found.damage).all()
    benchmark.group = GROUP
    benchmark.pedantic(sample, (DICE, swing, bonus, defense, n), {"seed": 1, **more}, rounds=5, warmup_rounds=1)
    seconds = min(own_time(lambda: sample(DICE, swing, bonus, defense, n, seed=1, **more)) for _ in range(5))
    benchmark.extra_info["million_attacks_a_second_and_core"] = round(ATTACKS / seconds / 1e6, 1)


def plain_numpy(n, seed):
    """Return the samples of the longsword against one target, by plain numpy."""
    generator = np.random.default_rng(seed)
    natural, second = generator.integers(1, 21, n), generator.integers(1, 21, n)
    hit = ((natural + 5 >= 15) | (natural == 20)) & (natural != 1)
    critical = hit & (natural >= 19) & ((second + 5 >= 15) | (second == 20)) & (second != 1)
    once, again = generator.integers(1, 9, n) + 3, generator.integers(1, 9, n) + 3
    return hit, critical, np.where(hit, once, 0) + np.where(critical, again, 0)


def test_plain_numpy(benchmark):
    hit, critical, damage = plain_numpy(ATTACKS, 1)
    exact = odds(DICE, Strike(LONGSWORD, 5, 15))
    for found, probability in ((hit, exact.hit), (critical, exact.critical)):
        assert abs(found.mean() - probability) <= 6 * np.sqrt(float(probability * (1 - probability)) / ATTACKS)
    assert abs(damage.mean() - float(exact.damage)) <= 6 * damage.std() / np.sqrt(ATTACKS)
    benchmark.group = GROUP
    benchmark.pedantic(plain_numpy, (ATTACKS, 1), rounds=3, warmup_rounds=1)


@pytest.mark.parametrize("n", [40, 1000])
def test_chances(benchmark, n):
    bonus, defense = (np.arange(n) % 20)[:, None], 5 + np.arange(n) % 30
    more = {"miss_chance": 20 * (np.arange(n) % 2), "roll": (np.arange(n) % 3)[:, None]}
    found = chances(DICE, GREATSWORD, bonus, defense, **more)
    rolls = ("normal", "advantage", "disadvantage")
    for a, t in ((0, 0), (1, 2), (n - 1, n - 1), (7, 25)):
        strike = Strike(
            GREATSWORD, int(bonus[a, 0]), int(defense[t]), miss_chance=int(more["miss_chance"][t]), roll=rolls[a % 3]
        )
        exact = odds(DICE, strike)
        assert Fraction(0) < exact.hit < 1
        assert found.hit[a, t] == float(exact.hit)
        assert found.damage[a, t] == float(exact.damage)
    benchmark.group = EXACT
    benchmark(chances, DICE, GREATSWORD, bonus, defense, **more)
    if benchmark.stats:  # none with --benchmark-disable
        benchmark.extra_info["million_pairs_a_second"] = round(n * n / benchmark.stats.stats.min / 1e6, 2)

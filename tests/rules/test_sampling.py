"""Attacks rolled at random: the frequencies of exact chances, the same for the same seed."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from rules.slow_dice import TABLES, ends

from gridlos.errors import QuestionError
from gridlos.rules.chances import chances
from gridlos.rules.dice import Dice
from gridlos.rules.sampling import _Dice, sample
from gridlos.rules.strike import Coverer, Strike, Swing, Weapon, parse_dice

SWING = Swing(Weapon(parse_dice("2d4"), threat=17), strength=3, extra=parse_dice("1d6"))
BONUS, DEFENSE = np.arange(0, 12, 3)[:, None], np.array([8, 15, 21, 26, 40])
MIXED = {
    "attack_modifier": np.array([[0, -2, 1, 0, 0]] * 4),
    "defense_modifier": np.array([0, 4, 2, 0, -4]),
    "miss_chance": np.array([0, 20, 50, 0, 1]),
    "roll": np.array([[0], [1], [2], [0]]),
    "hits_are_critical": np.array([[False], [False], [False], [True]]),
    "immune": np.array([False, True, False, False, False]),
}
SIGMAS = 6


def assert_like(frequency, probability, n):
    spread = np.sqrt(probability * (1 - probability) / n)
    assert (np.abs(frequency - probability) <= SIGMAS * spread + 1e-12).all()


def assert_mean_like(damage, mean):
    spread = damage.std(axis=-1) / np.sqrt(damage.shape[-1])
    assert (np.abs(damage.mean(axis=-1) - mean) <= SIGMAS * spread + 1e-9).all()


@pytest.mark.parametrize("edition", TABLES)
@pytest.mark.parametrize("n", [20_000, 100_000])
def test_frequencies_are_the_chances(edition, n):
    flat = {"flat_check": np.array([[5], [0], [11], [20]])} if edition == "pathfinder2" else {}
    found = sample(TABLES[edition], SWING, BONUS, DEFENSE, n, seed=7, **MIXED, **flat)
    exact = chances(TABLES[edition], SWING, BONUS, DEFENSE, **MIXED, **flat)
    assert found.hit.shape == (4, 5, n)
    assert_like(found.hit.mean(axis=-1), exact.hit, n)
    assert_like(found.critical.mean(axis=-1), exact.critical, n)
    assert_mean_like(found.damage, exact.damage)
    assert not found.critical[~found.hit].any()
    assert not found.damage[~found.hit].any()
    assert found.coverer_hit is None


@pytest.mark.parametrize("reach", [False, True])
@pytest.mark.parametrize("flat_check", [0, 11])
def test_cover_is_struck_as_often_as_it_should(reach, flat_check):
    swing = replace(SWING, weapon=replace(SWING.weapon, reach=reach, threat=12))
    more = {
        "cover": np.array([0, 4, 7, 10, 10]),
        "coverer": Coverer(16, dexterity=3, dodge=1, waives_dodge=True),
        "flat_check": np.array([flat_check, 0, flat_check, 0, flat_check]),
    }
    n = 50_000
    found = sample(TABLES["dnd30"], swing, BONUS, DEFENSE, n, seed=8, **MIXED, **more)
    exact = chances(TABLES["dnd30"], swing, BONUS, DEFENSE, **MIXED, **more)
    assert (exact.coverer_hit > 0).any()
    assert_like(found.hit.mean(axis=-1), exact.hit, n)
    assert_like(found.critical.mean(axis=-1), exact.critical, n)
    assert_mean_like(found.damage, exact.damage)
    assert_like(found.coverer_hit.mean(axis=-1), exact.coverer_hit, n)
    assert_mean_like(found.coverer_damage, exact.coverer_damage)
    assert not (found.hit & found.coverer_hit).any()
    assert found.coverer_damage.any() == (not reach)


def test_who_dodged_gave_no_cover_to_the_confirmation_either():
    swing = Swing(Weapon(parse_dice("1d8"), threat=12))
    more = {"cover": 4, "coverer": Coverer(18, dexterity=4)}
    n = 400_000
    found = sample(TABLES["dnd30"], swing, 5, 19, n, seed=10, **more)
    exact = chances(TABLES["dnd30"], swing, 5, 19, **more)
    assert_like(found.hit.mean(axis=-1), exact.hit, n)
    assert_like(found.critical.mean(axis=-1), exact.critical, n)


def test_every_damage_is_as_frequent_as_every_combination_of_rolls_says():
    strike = Strike(Swing(Weapon(parse_dice("1d4-3"), threat=15), extra=parse_dice("1d2")), 4, 14, miss_chance=20)
    n = 1_000_000
    found = sample(TABLES["dnd30"], strike.swing, 4, 14, n, seed=9, miss_chance=20)
    expected = ends(TABLES["dnd30"], strike)
    counts = {}
    for hit, critical in ((False, False), (True, False), (True, True)):
        values, numbers = np.unique(found.damage[(found.hit == hit) & (found.critical == critical)], return_counts=True)
        struck = "target" if hit else "nothing"
        counts |= {(struck, critical, int(value)): int(number) for value, number in zip(values, numbers, strict=True)}
    assert counts.keys() == expected.keys()
    for end, probability in expected.items():
        assert_like(np.array(counts[end] / n), np.array(float(probability)), n)


@pytest.mark.parametrize("n", [1, 7, 999, 70_000])
def test_the_same_seed_gives_the_same_samples_and_another_gives_others(n):
    first, again, other = (sample(Dice(), SWING, BONUS, DEFENSE, n, seed=seed) for seed in (3, 3, 4))
    for name in ("hit", "critical", "damage"):
        assert (getattr(first, name) == getattr(again, name)).all()
    assert (first.damage != other.damage).any()
    halves = sample(Dice(), SWING, BONUS, DEFENSE, 2 * n, seed=3).damage
    assert (halves[..., :n] != halves[..., n:]).any()


@pytest.mark.parametrize("sides", [1, 2, 3, 6, 20, 100, 200, 256, 300, 1000])
def test_every_face_is_equally_frequent(sides):
    n = 2000 * sides
    faces = _Dice(5).roll(sides, n)
    counts = np.bincount(faces, minlength=sides)
    assert len(counts) == sides
    assert_like(counts / n, np.full(sides, 1 / sides), n)


def test_no_pairs_and_no_samples():
    assert sample(Dice(), SWING, np.zeros((0, 1), int), DEFENSE, 5, seed=1).hit.shape == (0, 5, 5)
    with pytest.raises(QuestionError, match="the number of samples is 1 or more, got 0"):
        sample(Dice(), SWING, BONUS, DEFENSE, 0, seed=1)

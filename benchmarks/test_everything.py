"""Everything at once: special walls, creatures in the way, fog, flanking; and the lines past special walls in plain Python."""

from __future__ import annotations

from random import Random
from types import SimpleNamespace

import numpy as np
import oracle_heights
import pytest
import special_scenes

import gridlos
from gridlos.bench import generate
from gridlos.facts import Channel
from gridlos.formats.scene_json import scene_from_data
from gridlos.kernels.line import blocked_lines
from gridlos.questions.hiding import EveryWall, Terms, choices_near
from gridlos.questions.obstacles import obstacles_of
from gridlos.questions.specials import specials_of

EVERYTHING = "40 Medium creatures, 60x40 dungeon, low walls, crates, slits, fog, brush, doors, sides"
TERMS = Terms(low_obstacles=True)
LETTERS = "w" * 12 + "c" * 10 + "s" * 6 + "f" * 14 + "b" * 8


def medium(data):
    for creature in data["creatures"]:
        creature.pop("size", None)
    return data


@pytest.fixture(scope="module")
def crowded():
    """A dungeon with fifty special or foggy squares on its floor, where nobody stands; the creatures are of two sides."""
    data = medium(generate.dungeon(40, 60, 40, seed=13))
    rows = [list(row) for row in data["squares"]]
    taken = {tuple(creature["at"]) for creature in data["creatures"]}
    floor = [
        (x, y) for y, row in enumerate(rows) for x, letter in enumerate(row) if letter == "." and (x, y) not in taken
    ]
    for (x, y), letter in zip(Random(5).sample(floor, len(LETTERS)), LETTERS, strict=True):
        rows[y][x] = letter
    data["squares"] = ["".join(row) for row in rows]
    return scene_from_data(data)


@pytest.mark.parametrize("attack", ["ranged", "melee"])
@pytest.mark.parametrize("edition", ["pathfinder1", "dnd5e"])
def test_evaluate(benchmark, crowded, edition, attack):
    result = gridlos.evaluate(crowded, edition=edition, attack=attack)
    assert result.cover.shape == (40, 40)
    words = {result.degrees[code] for code in result.cover[result.distinct]}
    assert {"none", "total"} < words
    assert result.soft.any()
    assert result.concealment.any()
    benchmark.group = EVERYTHING
    benchmark(gridlos.evaluate, crowded, edition=edition, attack=attack)


@pytest.fixture(scope="module")
def asked(crowded):
    """What the kernel for special walls is asked by ``pathfinder1`` in one direction."""
    specials, obstacles = specials_of(crowded), obstacles_of(crowded.battle_map, Channel.EFFECT)
    every = EveryWall.of(crowded.battle_map, specials, obstacles)
    first, second = np.triu_indices(len(crowded.creatures), 1)
    places = crowded.spaces[:, 1].astype(np.int64) * crowded.battle_map.cols + crowded.spaces[:, 0]
    squares = np.stack((places[first], places[second]), axis=1)
    blocked = blocked_lines(*obstacles.lines, squares, obstacles.size)
    near = choices_near(crowded.battle_map, specials, squares, blocked)
    asks = np.concatenate((np.stack((first, second), axis=1)[near], squares[near]), axis=1)
    return every, asks, blocked[near]


def test_special_lines(benchmark, crowded, asked):
    every, asks, blocked = asked
    codes, _, words, ends = every.lines(asks, blocked, TERMS)
    assert codes.any()
    check_some(crowded, asks, codes)
    benchmark.group = "lines past special walls, one direction"
    benchmark.extra_info["lines"] = 16 * len(asks)
    benchmark(every.lines, asks, blocked, TERMS)
    assert len(words) == len(ends) == len(asks)


def test_special_lines_in_plain_python(benchmark, asked, monkeypatch):
    every, asks, blocked = asked
    expected = every.lines(asks, blocked, TERMS)
    monkeypatch.setattr(EveryWall, "fits", False)
    found = every.lines(asks, blocked, TERMS)
    assert all(np.array_equal(one, other) for one, other in zip(found, expected, strict=True))
    benchmark.group = "lines past special walls, one direction"
    benchmark.pedantic(every.lines, (asks, blocked, TERMS), rounds=3, iterations=1)


def check_some(scene, asks, codes):
    """What the oracle says of some of the lines."""
    rows, walls, s, creatures = special_scenes.parts_of(SimpleNamespace(scene=scene))
    haze = {"f": {"kind": "open"}, "b": {"kind": "open"}}
    _, heights, bodies = special_scenes.read(rows, haze, walls, s, creatures)
    for k in range(0, len(asks), 37):
        attacker, target, *squares = asks[k].tolist()
        p, q = ((square % len(rows[0]), square // len(rows[0])) for square in squares)
        expected = [
            oracle_heights.code(
                oracle_heights.hidden(heights, bodies[attacker], p, i, bodies[target], q, j, (5, "5-10-5"))
            )
            for i in range(4)
            for j in range(4)
        ]
        assert codes[k].tolist() == expected

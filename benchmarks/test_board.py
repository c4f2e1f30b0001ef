"""One creature moves one square: the pairs that this can touch are asked again, beside the question about all pairs anew."""

from __future__ import annotations

import msgspec
import numpy as np
import pytest

import gridlos
from gridlos.bench import generate
from gridlos.errors import SceneError
from gridlos.formats.scene_json import scene_from_data

STEPS = ((1, 0), (0, 1), (-1, 0), (0, -1))


def build(n):
    rows, cols = (40, 60) if n <= 40 else (100, 100)
    return scene_from_data(generate.dungeon(rows, cols, n, seed=13))


def moves_of(scene):
    """One step and back of every creature that has room for it."""
    found = []
    for creature in scene.creatures:
        x, y = creature.at
        for dx, dy in STEPS:
            there = x + dx, y + dy
            try:
                scene.with_creature(msgspec.structs.replace(creature, at=there))
            except SceneError:
                continue
            found += [(creature.id, there), (creature.id, (x, y))]
            break
    return found


@pytest.mark.parametrize("n", [40, 200])
@pytest.mark.parametrize("edition", ["pathfinder1", "dnd5e"])
def test_moves(benchmark, edition, n):
    scene = build(n)
    board, moves = gridlos.Board(scene, edition=edition), moves_of(scene)
    for name, there in moves[: 2 * 10 + 1]:  # an odd number: the last one stands elsewhere
        board.move(name, there)
    expected = gridlos.evaluate(board.scene, edition=edition)
    for word, column in expected.columns.items():
        assert np.array_equal(board.evaluation.columns[word][expected.distinct], column[expected.distinct]), word
    changed = [len(board.move(*move)) for move in moves]

    def play():
        for name, there in moves:
            board.move(name, there)

    benchmark.group = f"moves among {n} creatures"
    benchmark.extra_info["moves"] = len(moves)
    benchmark.extra_info["changed_pairs"] = round(float(np.mean(changed)), 1)
    benchmark.pedantic(play, rounds=3, iterations=1, warmup_rounds=1)
    if benchmark.stats:  # none with --benchmark-disable
        benchmark.extra_info["ms_a_move"] = round(benchmark.stats.stats.min * 1e3 / len(moves), 4)


@pytest.mark.parametrize("n", [40, 200])
@pytest.mark.parametrize("edition", ["pathfinder1", "dnd5e"])
def test_all_pairs_anew(benchmark, edition, n):
    scene = build(n)
    everybody = scene.creatures
    benchmark.group = f"moves among {n} creatures"
    benchmark.pedantic(lambda: gridlos.evaluate(scene.with_creatures(everybody), edition=edition), rounds=3, iterations=1)

"""Kernels that are asked in parts by several threads answer as when they are asked at once."""

import numpy as np
import pytest
from kernels import support

import gridlos
from gridlos.bench import scenes
from gridlos.questions import effect, obstacles
from gridlos.questions.threads import in_parts, n_threads


def test_how_many(monkeypatch):
    monkeypatch.setenv("GRIDLOS_THREADS", "3")
    assert n_threads() == 3
    for said in ("", "0", "many", "-1"):
        monkeypatch.setenv("GRIDLOS_THREADS", said)
        assert n_threads() >= 1


@pytest.mark.parametrize("n", [0, 1, 9, 10, 11, 1000])
def test_parts(monkeypatch, n):
    """All rows once, in their order; as many parts as there are threads and work for them."""
    monkeypatch.setenv("GRIDLOS_THREADS", "3")
    parts = []
    found = in_parts(lambda rows: parts.append(len(rows)) or rows[:, 0] + 1, np.arange(2 * n).reshape(n, 2), 5)
    assert np.array_equal(found, np.arange(0, 2 * n, 2) + 1)
    assert len(parts) == max(1, min(3, n // 5))


@pytest.mark.parametrize("n_walls", [0, 300])
def test_evaluations(monkeypatch, n_walls):
    """Of a dungeon, and among free walls."""
    monkeypatch.setenv("GRIDLOS_THREADS", "3")
    scene = scenes.cave(n_walls) if n_walls else scenes.dungeon(40, 60, 60)
    whole = gridlos.evaluate(scene, edition="pathfinder1")
    monkeypatch.setattr(effect, "_MANY", 50)
    monkeypatch.setattr(obstacles, "_MANY", 50)
    for _ in range(1 if support.PROFILE == "reduced" else 5):
        parts = gridlos.evaluate(scenes.anew(scene), edition="pathfinder1")
        for name, column in whole.columns.items():
            assert np.array_equal(column, parts.columns[name]), name

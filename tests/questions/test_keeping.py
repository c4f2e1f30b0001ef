"""What is kept, and the memory that stays with the process from one question to the next."""

from __future__ import annotations

import os
import platform
import subprocess
import sys

import pytest

ASKED_OFTEN = """
import resource
import gridlos
from gridlos.bench import scenes
scene = scenes.dungeon(40, 60, 200)
def faults():
    return resource.getrusage(resource.RUSAGE_SELF).ru_minflt
for _ in range(5):
    gridlos.evaluate(scene.with_creatures(scene.creatures), edition="pathfinder1")
before = faults()
for _ in range(10):
    gridlos.evaluate(scene.with_creatures(scene.creatures), edition="pathfinder1")
print((faults() - before) // 10)
"""
"""Counts the pages that a question about 39,800 pairs makes the system give, once others have been asked."""


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="other C libraries keep memory as they like")
@pytest.mark.skipif(os.environ.get("HYPOTHESIS_PROFILE") == "reduced", reason="too slow in plain Python")
def test_memory_stays_for_the_next_question():
    found = subprocess.run([sys.executable, "-c", ASKED_OFTEN], capture_output=True, text=True, check=True)
    assert int(found.stdout) < 20, found.stdout

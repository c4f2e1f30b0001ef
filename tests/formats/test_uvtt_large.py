"""A Universal VTT map of 30 MB is loaded without its picture taking up memory."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from large_uvtt import write_large_uvtt

PEAK = Path("/proc/self/status")

# In a process of its own: what the tests have used before is none of the map's. VmHWM is the most it ever had, in kB.
PROGRAM = """
import sys
from pathlib import Path
import gridlos
scene = gridlos.load(sys.argv[1])
kinds = [wall.kind for wall in scene.battle_map.walls]
peak = next(line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith("VmHWM"))
print(kinds.count("wall"), kinds.count("door"), peak.split()[1])
"""


@pytest.mark.skipif(not PEAK.exists(), reason="the system does not say how much memory a process had")
@pytest.mark.parametrize("picture_first", [False, True])
def test_a_map_of_thirty_megabytes_takes_less_than_two_hundred_in_all(tmp_path, picture_first):
    path = tmp_path / "large.dd2vtt"
    expected = write_large_uvtt(path, picture_first=picture_first)
    assert path.stat().st_size > 30_000_000
    done = subprocess.run([sys.executable, "-c", PROGRAM, path], capture_output=True, text=True, check=True)
    n_walls, n_doors, kilobytes = map(int, done.stdout.split())
    assert (n_walls, n_doors) == expected
    assert 10_000 < kilobytes < 200_000

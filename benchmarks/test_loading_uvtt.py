"""How long it takes to load a Universal VTT map of 30 MB, nearly all of it its picture."""

from __future__ import annotations

import pytest
from large_uvtt import write_large_uvtt

from gridlos.formats import load


@pytest.mark.parametrize("picture", ["first", "last"])
@pytest.mark.benchmark(group="loading a Universal VTT map of 30 MB", min_rounds=10, warmup=True, warmup_iterations=2)
def test_large_uvtt(benchmark, tmp_path, picture):
    path = tmp_path / "large.dd2vtt"
    n_walls, n_doors = write_large_uvtt(path, picture_first=picture == "first")
    assert path.stat().st_size > 30_000_000
    scene = load(path)
    kinds = [wall.kind for wall in scene.battle_map.walls]
    assert (kinds.count("wall"), kinds.count("door"), len(scene.lights)) == (n_walls, n_doors, n_doors)
    assert any(warning.startswith("weld: ") for warning in scene.load_warnings)
    benchmark.extra_info["megabytes"] = round(path.stat().st_size / 1e6, 1)
    benchmark(load, path)

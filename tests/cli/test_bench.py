"""The command ``gridlos bench``: what it prints and records, and that it does not time what is wrong."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from xml.etree import ElementTree as ET

import numpy as np
import pytest
import readme_table

import gridlos
from gridlos.bench import growth, measure, peers, reference, scenes, tables, workloads
from gridlos.bench.generate import cave
from gridlos.bench.workloads import WORKLOADS, Case, SkippedError
from gridlos.cli import main
from gridlos.facts import Channel
from gridlos.formats.scene_json import scene_from_data
from gridlos.questions.obstacles import obstacles_of

README = Path(__file__).parents[2] / "README.md"
QUICK = "lines-dungeon-60x40"
ARGUMENTS = ["bench", QUICK, "--seconds", "0.01", "--no-peers"]


@pytest.fixture
def run(tmp_path, capsys):
    """A recorded run of one workload."""
    assert main([*ARGUMENTS, "--json", "--record", str(tmp_path / "new")]) == 0
    (line,) = (tmp_path / "new" / "runs.jsonl").read_text(encoding="utf-8").splitlines()
    recorded = json.loads(line)
    assert json.loads(capsys.readouterr().out) == recorded
    return recorded


def test_record(run, tmp_path, capsys):
    assert re.fullmatch(r"\d{4}-\d\d-\d\d", run["date"])
    assert run["version"] == gridlos.__version__
    assert set(run["machine"]) >= {"processor", "cores", "vector", "python", "numpy", "numba"}
    figures = run["workloads"][QUICK]
    assert 0 < figures["min_ms"] <= figures["median_ms"]
    assert (figures["pairs"], figures["lines"]) == (780, 12480)
    assert main([*ARGUMENTS, "--record", str(tmp_path / "new")]) == 0
    assert len((tmp_path / "new" / "runs.jsonl").read_text(encoding="utf-8").splitlines()) == 2
    text = capsys.readouterr().out
    assert text.splitlines()[0].split()[0] == "workload"
    assert any(line.startswith(f"{QUICK} ") for line in text.splitlines())
    assert f"python {run['machine']['python']}" in text


def test_last_as_markdown(run, tmp_path, capsys):
    assert main(["bench", "--last", str(tmp_path / "new"), "--markdown"]) == 0
    printed = capsys.readouterr().out
    assert names_in(printed) == [QUICK]
    assert all(f"* {name}: " in printed for name in peers.NOT_TOLD)


def names_in(markdown):
    """The names of the workloads of a table, in its order."""
    return re.findall(r"^\| .* \(`([\w-]+)`\) \|", markdown, re.MULTILINE)


def test_the_table_of_the_readme_has_all_workloads():
    assert names_in(README.read_text(encoding="utf-8")) == list(WORKLOADS)


def test_list(capsys):
    assert main(["bench", "--list"]) == 0
    assert [line.split()[0] for line in capsys.readouterr().out.splitlines()] == list(WORKLOADS)
    assert main(["bench", "--list", "move"]) == 0
    assert [line.split()[0] for line in capsys.readouterr().out.splitlines()] == ["move-40", "move-200"]


def test_unknown_name(capsys):
    assert main(["bench", "lines-dungeons"]) == 1
    assert "no workload begins with 'lines-dungeons'" in capsys.readouterr().err


def test_nothing_recorded(tmp_path, capsys):
    assert main(["bench", "--last", str(tmp_path)]) == 1
    (tmp_path / "runs.jsonl").touch()
    assert main(["bench", "--last", str(tmp_path)]) == 1
    assert "no run is recorded here" in capsys.readouterr().err
    (tmp_path / "runs.jsonl").write_text("{\n", encoding="utf-8")
    assert main(["bench", "--last", str(tmp_path)]) == 1
    assert "no record of a run" in capsys.readouterr().err


def broken(function):
    """The function, one bit of its first answer wrong."""

    def answer(*given):
        found = function(*given)
        found[len(found) // 2] ^= 1 << 5
        return found

    return answer


@pytest.mark.parametrize("name", [QUICK, "kernels-40-warm"])
def test_wrong_lines_are_not_timed(name, monkeypatch, capsys):
    monkeypatch.setattr(workloads.walls, "blocked_lines", broken(workloads.walls.blocked_lines))
    assert main(["bench", name, "--seconds", "0.01", "--no-peers"]) == 1
    captured = capsys.readouterr()
    assert "not that of the plain reference" in captured.err
    assert captured.out == ""


def test_wrong_soft_lines_are_not_timed(monkeypatch):
    soft_lines = workloads.soft_lines
    monkeypatch.setattr(workloads, "soft_lines", lambda *given: (broken(lambda: soft_lines(*given)[0])(),) * 2)
    with pytest.raises(reference.WrongResultError, match="creatures"):
        WORKLOADS["kernels-40-warm"].prepare().check()


@pytest.mark.parametrize("column", ["cover", "soft"])
def test_wrong_cover_is_not_timed(column):
    scene = scenes.dungeon(40, 60, 40)
    obstacles = obstacles_of(scene.battle_map, Channel.EFFECT)
    found = gridlos.evaluate(scene, edition="pathfinder1")
    reference.check_cover("as it is", scene, obstacles, found)
    total = found.degrees.index("total")
    a, t = np.argwhere((found.cover != total) & found.distinct)[7]
    columns = {name: values.copy() for name, values in found.columns.items()}
    columns[column][a, t] = not columns[column][a, t]
    with pytest.raises(reference.WrongResultError):
        reference.check_cover("changed", scene, obstacles, replace(found, columns=columns))


def test_creature_lines_in_fractions():
    data = cave(40, 12, 14, 60, seed=5)
    for creature in data["creatures"]:
        creature.pop("size", None)
    scene = scene_from_data(data)
    at = [tuple(space[:2]) for space in scene.spaces.tolist()]
    pairs = np.random.default_rng(2).choice(60, (150, 2))
    pairs = pairs[pairs[:, 0] != pairs[:, 1]]
    for (a, t), bits in zip(pairs.tolist(), reference.creature_lines(scene, pairs), strict=True):
        solid = frozenset(place for k, place in enumerate(at) if k not in (a, t))
        for i in range(4):
            for j in range(4):
                assert bool(bits[i, j]) == blocked_by_creatures(solid, at[a], i, at[t], j), (at[a], i, at[t], j)


def blocked_by_creatures(solid, start, i, end, j):
    """Does the line run through a creature, or between two? In fractions."""
    (xa, ya), (xb, yb) = ((x + (c & 1), y + (c >> 1)) for (x, y), c in ((start, i), (end, j)))
    if (xa, ya) == (xb, yb):
        return False
    if xa != xb and ya != yb:
        return any(passes((xa, ya), (xb, yb), square) for square in solid)
    if xa == xb:
        return any({(xa - 1, y), (xa, y)} <= solid for y in range(min(ya, yb), max(ya, yb)))
    return any({(x, ya - 1), (x, ya)} <= solid for x in range(min(xa, xb), max(xa, xb)))


def passes(start, end, square):
    """Does a segment that is along no axis pass the inside of a square?"""
    low, high = Fraction(0), Fraction(1)
    for axis in (0, 1):
        step = end[axis] - start[axis]
        near, far = sorted(Fraction(square[axis] + edge - start[axis], step) for edge in (0, 1))
        low, high = max(low, near), min(high, far)
    return low < high


def test_peers_are_told_apart():
    case = WORKLOADS[QUICK].prepare()
    assert [one.name for one in case.peers] == ["shapely", "numpy", "plain Python"]
    for one in case.peers:
        one.check()
    assert {one.name for one in case.peers} | {"tcod"} == set(peers.NOT_TOLD)


def test_a_wrong_peer_is_told():
    scene = scenes.dungeon(40, 60, 40)
    obstacles = obstacles_of(scene.battle_map, Channel.EFFECT)
    squares = reference.places_of(scene)[np.stack(np.triu_indices(40, 1), axis=1)]
    other = obstacles_of(scenes.open_field(40, 60, 40).battle_map, Channel.EFFECT)
    right = reference.walked(obstacles, squares)
    wrong = reference.walked(other, squares)
    assert not np.array_equal(right, wrong)
    for one in peers.peers_of_lines(scene, other, squares):
        if one.name == "shapely":
            with pytest.raises(reference.WrongResultError):
                one.check()


def test_skipped_without_a_corpus(monkeypatch, capsys):
    monkeypatch.delenv(scenes.CORPUS, raising=False)
    with pytest.raises(SkippedError):
        WORKLOADS["lines-real-127"].prepare()
    assert main(["bench", "lines-real", "--seconds", "0.01"]) == 0
    assert capsys.readouterr().out.count("skipped: GRIDLOS_CORPUS") == 4


def test_real_files_are_those_of_their_sizes(tmp_path):
    for n in (3, 120, 130, 700, 1800, 2500, 6000):
        content = {"walls": [{"move": 20, "sight": 20}] * n, "grid": 100, "padding": 0}
        (tmp_path / f"{n}.json").write_text(json.dumps(content), encoding="utf-8")
    content = {"walls": [{"move": 20, "sight": 10}] * 127, "grid": 100, "padding": 0}
    (tmp_path / "terrain walls.json").write_text(json.dumps(content), encoding="utf-8")
    (tmp_path / "other.json").write_text('{"walls": 3', encoding="utf-8")
    assert [path.stem for path in scenes.real_files(tmp_path)] == ["130", "700", "1800", "6000"]
    assert scenes.real_files(tmp_path / "none") == ()


def test_times():
    calls = []
    found = measure.times_of(lambda: calls.append("run"), 0.0, lambda: calls.append("fresh"))
    assert found["rounds"] == measure.LEAST_ROUNDS
    assert calls == ["fresh", "run"] * measure.LEAST_ROUNDS


def test_a_case_is_given_something_new_each_time():
    made, given = iter(range(100)), []
    case = Case(given.append, lambda: None, 2, 32, fresh=lambda: next(made))
    figures = measure.figures_of(case, seconds=0.0)
    assert given == list(range(len(given)))
    assert len(given) == figures["rounds"]
    assert (figures["pairs"], figures["lines"]) == (2, 32)


def test_memory_is_that_of_a_process_of_its_own():
    found = measure.memory_of(QUICK)
    assert found["traced_mb"] >= 0
    assert found.get("process_mb", 50) > 30


def test_start_up(monkeypatch):
    asked = "import os; f = 0.0; g = 2.0 + os.environ.get('NUMBA_CACHE_DIR', '').startswith(tempfile.gettempdir()); "
    monkeypatch.setattr(measure, "_FIRST", "import tempfile; " + asked)
    monkeypatch.setenv("NUMBA_CACHE_DIR", "")
    found = measure.start_up(rounds=1, cold=True)
    assert 0 < found.pop("import_s") < 60
    assert found == {"first_evaluate_warm_s": 2.0, "first_evaluate_cold_s": 3.0}


def test_a_process_that_fails_is_told(monkeypatch):
    with pytest.raises(gridlos.GridlosError, match="KeyError"):
        measure.memory_of("no such workload")


def test_growth(tmp_path, monkeypatch, capsys):
    times = iter([1.0, 4.0, 16.0, 1.0, 4.0, 16.0, 1.0, 16.0, 256.0])

    def series(name, by):
        return growth.Series(
            name, f"<{name}>", by, tuple(lambda n=n: {by: n, "min_ms": next(times)} for n in (1, 4, 16))
        )

    both = (series("good", "pairs"), series("linear", "squares"))
    monkeypatch.setattr(growth, "SERIES", both)
    monkeypatch.setattr(growth, "figures_of", lambda case, **_: case)
    assert main(["bench", "--growth", str(tmp_path)]) == 0
    table = capsys.readouterr().out
    assert table == (tmp_path / "growth.md").read_text(encoding="utf-8")
    assert "| <good> | 1 / 4 / 16 pairs | 1 / 4 / 16 | 1.00 | 1.20 |" in table
    plot = ET.parse(tmp_path / "growth.svg").getroot()
    assert len(plot.findall("{*}polyline")) == 2
    monkeypatch.setattr(growth, "SERIES", (series("bad", "free_walls"),))
    assert main(["bench", "--growth", str(tmp_path)]) == 1
    assert "bad: time grows with the power 2.0 of free walls, more than 1.5" in capsys.readouterr().err


def test_growth_asks_for_sizes_that_grow():
    assert [one.name for one in growth.SERIES] == [
        "evaluate-creatures", "evaluate-squares", "squares-squares", "lines-walls", "evaluate-walls",
    ]  # fmt: skip
    assert {one.by for one in growth.SERIES} == set(growth.LIMITS)


def test_text_of_a_run(run):
    run["start_up"] = {"import_s": 0.0861}
    run["workloads"][QUICK]["peers"] = {"numpy": {"min_ms": 8.1, "ratio": 42.5}}
    text = tables.to_text(run)
    assert "numpy 42.5" in text
    assert "import gridlos, a new process: 0.0861 s" in text
    assert "`import gridlos`, a new process | 86.1 |" in tables.to_markdown(run)


def test_the_table_goes_into_the_readme(run, tmp_path):
    readme = tmp_path / "README.md"
    readme.write_text(f"before\n{readme_table.BEGIN}old{readme_table.END}after\n", encoding="utf-8")
    for _ in range(2):
        readme_table.main(tmp_path / "new" / "runs.jsonl", readme)
    table = f"\n{tables.to_markdown(run)}\n"
    text = readme.read_text(encoding="utf-8")
    assert text == f"before\n{readme_table.BEGIN}{table}{readme_table.END}after\n"

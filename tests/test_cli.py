"""Each command, as it is typed: what it prints, what it writes, how it fails."""

import csv
import io
import json
import os
import re
import subprocess
import sys
import time
from pathlib import Path

import pytest
from kernels.entries import ENTRIES

import gridlos
from gridlos.cli import main, warmup
from gridlos.formats import with_creatures
from gridlos.report import to_csv, to_explanation, to_json, to_pairs_json, to_table
from gridlos.rules import edition_ids, load_edition

ROOT = Path(__file__).parents[1]
GATEHOUSE = str(ROOT / "maps" / "gatehouse.scene.json")
CAVE = str(ROOT / "maps" / "cave.scene.json")
MILL = str(ROOT / "maps" / "mill.dd2vtt")
MILLERS = str(ROOT / "maps" / "mill.creatures.json")

HOUSE = """
extends = "pathfinder1"
[rules.PF1-PARTIAL-COVER.modifiers]
defense = 1
"""


@pytest.fixture(autouse=True)
def _width(monkeypatch):
    monkeypatch.setenv("COLUMNS", "100")


@pytest.fixture
def house(tmp_path):
    path = tmp_path / "house.toml"
    path.write_text(HOUSE, encoding="utf-8")
    return path


def usage(capsys, *words):
    """Run one command that is no proper usage; its message."""
    with pytest.raises(SystemExit) as stopped:
        main([str(word) for word in words])
    assert stopped.value.code == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    return captured.err


def warnings_of(path):
    return [f"gridlos: warning: {warning}" for warning in gridlos.load(path).warnings]


# ---- evaluate


@pytest.mark.parametrize("edition", edition_ids())
def test_table(run, edition):
    code, out, err = run("evaluate", GATEHOUSE, "--edition", edition)
    assert code == 0
    assert out == to_table(gridlos.evaluate(gridlos.load(GATEHOUSE), edition=edition), width=100)
    assert err == warnings_of(GATEHOUSE) == []


def test_what_nothing_uses_yet_is_told(run, tmp_path):
    path = tmp_path / "a.txt"
    path.write_text("A.T\n\nwall (1, 0)-(1, 1) fog\n", encoding="utf-8")
    code, _, err = run("evaluate", path, "--edition", "pathfinder1")
    assert (code, err) == (0, ["gridlos: warning: fog: not used yet (1 wall)"])
    assert err == warnings_of(path)


def test_json_csv_and_pairs(run):
    result = gridlos.evaluate(gridlos.load(CAVE), edition="dnd5e")
    shapes = {
        ("--format", "json"): to_json,
        ("--pairs",): to_pairs_json,
        ("--format", "json", "--pairs"): to_pairs_json,
    }
    for words, content in shapes.items():
        code, out, _ = run("evaluate", CAVE, "--edition", "dnd5e", *words)
        assert (code, json.loads(out)) == (0, json.loads(content(result)))
    code, out, _ = run("evaluate", CAVE, "--edition", "dnd5e", "--format", "csv")
    assert (code, out) == (0, to_csv(result))


def test_question(run):
    words = [
        "--attack",
        "melee",
        "--attacker",
        "wolf",
        "--attacker",
        "ogre",
        "--target",
        "archer",
        "--option",
        "partial=off",
    ]
    code, out, _ = run("evaluate", GATEHOUSE, "--edition", "pathfinder1", *words, "--format", "json")
    found = json.loads(out)
    assert code == 0
    assert (found["attack"], found["attackers"], found["targets"]) == ("melee", ["wolf", "ogre"], ["archer"])
    assert found["options"]["partial"] == "off"


def test_options_change_the_answer(run):
    found = {}
    for value in ("lines", "off"):
        _, out, _ = run(
            "evaluate", GATEHOUSE, "--edition", "pathfinder1", "--option", f"partial={value}", "--format", "csv"
        )
        found[value] = {row["cover"] for row in csv.DictReader(io.StringIO(out))}
    assert "partial" in found["lines"] - found["off"]


def test_options_of_the_scene_are_used_and_those_of_the_command_win(run, tmp_path):
    path = tmp_path / "a.txt"
    path.write_text("A.T\n\noption partial=off\n", encoding="utf-8")
    for words, value in (([], "off"), (["--option", "partial=lines"], "lines")):
        _, out, _ = run("evaluate", path, "--edition", "pathfinder1", "--format", "json", *words)
        assert json.loads(out)["options"]["partial"] == value


def test_house_rules(run, house):
    code, out, _ = run("evaluate", GATEHOUSE, "--edition", house, "--format", "csv")
    partial = {
        row["soft"]: row["defense_modifier"] for row in csv.DictReader(io.StringIO(out)) if row["cover"] == "partial"
    }
    assert (code, partial) == (0, {"false": "1", "true": "4"})  # the bonus of soft cover is the larger and counts alone


def test_output_file_is_whole_or_as_it_was(run, tmp_path):
    path = tmp_path / "result.json"
    path.write_text("old", encoding="utf-8")
    code, out, err = run("evaluate", CAVE, "--edition", "dnd5e", "--attacker", "nobody", "--format", "json", "-o", path)
    assert (code, out, len(err), path.read_text(encoding="utf-8")) == (1, "", 1, "old")
    code, out, _ = run("evaluate", CAVE, "--edition", "dnd5e", "--format", "json", "-o", path)
    assert (code, out, json.loads(path.read_bytes())["edition"]) == (0, "", "dnd5e")
    assert [one.name for one in tmp_path.iterdir()] == ["result.json"]


@pytest.mark.parametrize("name", ["-", "/dev/stdout"])
def test_output_may_be_stdout(run, name):
    code, out, _ = run("evaluate", CAVE, "--edition", "dnd5e", "--format", "csv", "-o", name)
    assert code == 0
    assert out.startswith("attacker,target,")


# ---- explain


def test_explain(run):
    question = ["--attacker", "fighter", "--target", "sentry", "--edition", "pathfinder1"]
    code, out, err = run("explain", GATEHOUSE, *question)
    scene = gridlos.load(GATEHOUSE)
    verdict = gridlos.evaluate(scene, edition="pathfinder1")["fighter", "sentry"]
    sources = {name: rule.source for name, rule in load_edition("pathfinder1").table.rules.items()}
    assert (code, err) == (0, warnings_of(GATEHOUSE))
    assert out == to_explanation(verdict, scene, sources=sources, width=100)
    assert all(f"{one.rule}: {sources[one.rule]}" in out for one in verdict.modifiers)
    assert verdict.modifiers


def test_explain_takes_attack_and_options(run):
    question = ["--attacker", "sentry", "--target", "mule", "--edition", "pathfinder1"]
    _, with_partial, _ = run("explain", GATEHOUSE, *question)
    _, without, _ = run("explain", GATEHOUSE, *question, "--option", "partial=off", "--attack", "melee")
    assert "(ranged, pathfinder1): partial cover\n" in with_partial
    assert "(melee, pathfinder1): cover\n" in without


# ---- convert


def test_convert_there_and_back(run, tmp_path):
    for name in ("a.txt", "b.scene.json"):
        code, out, err = run("convert", GATEHOUSE, tmp_path / name)
        assert (code, out, err) == (0, "", warnings_of(GATEHOUSE))
        assert gridlos.load(tmp_path / name) == gridlos.load(GATEHOUSE)


def test_convert_to_stdout_writes_scene_json(run):
    code, out, _ = run("convert", GATEHOUSE, "/dev/stdout")
    assert (code, json.loads(out)["schema"]) == (0, "gridlos.scene/1")


# ---- maps of others, creatures in a file of their own

READING = [{}, {"windows": "open"}, {"objects": "ignore"}, {"objects": "see-into"}, {"weld": 0.0}]


@pytest.mark.parametrize("reading", READING, ids=str)
def test_universal_vtt_with_creatures(run, reading, tmp_path):
    words = [MILL, "--creatures", MILLERS, *(f"--{name}={value}" for name, value in reading.items())]
    scene = with_creatures(gridlos.load(MILL, **reading), MILLERS)
    warnings = [f"gridlos: warning: {warning}" for warning in scene.warnings]
    code, out, err = run("evaluate", *words, "--edition", "starfinder1", "--format", "json")
    assert (code, err) == (0, warnings)
    assert json.loads(out) == json.loads(to_json(gridlos.evaluate(scene, edition="starfinder1")))
    code, out, _ = run("explain", *words, "--edition", "starfinder1", "--attacker", "raider", "--target", "miller")
    assert code == 0
    assert "behind the hopper" in out
    code, _, err = run("convert", *words, tmp_path / "mill.scene.json")
    assert (code, err) == (0, warnings)
    assert gridlos.load(tmp_path / "mill.scene.json") == scene


def test_each_way_to_read_a_map_is_another_map():
    maps = [gridlos.load(MILL, **reading).battle_map for reading in READING]
    assert all(one != other for i, one in enumerate(maps) for other in maps[:i])


def test_creatures_take_the_place_of_those_of_the_map(run, tmp_path):
    path = tmp_path / "two.json"
    path.write_text('{"creatures": [{"id": "a", "at": [0, 0]}, {"id": "b", "at": [1, 0]}]}', encoding="utf-8")
    map_ = tmp_path / "map.txt"
    map_.write_text("...\n..X\n", encoding="utf-8")
    code, out, _ = run("evaluate", map_, "--creatures", path, "--edition", "dnd5e", "--format", "json")
    assert (code, json.loads(out)["attackers"]) == (0, ["a", "b"])


def test_what_is_wrong_with_creatures_names_their_file(run, tmp_path):
    path = tmp_path / "creatures.json"
    for content, words, said in (
        ('{"creatures": [{"id": "a", "at": [0, 99]}]}', [], "off the map"),
        ('{"creatures": [{"id": "a", "att": [0, 0]}]}', [], "'at'"),
        ('{"creatures": [], "options": {"partial": "of"}}', [], "$.options: "),
        ('{"creatures": [{"id": "goblin", "at": [0, 0]}]}', ["--attacker", "gobln"], "'goblin'"),
    ):
        path.write_text(content, encoding="utf-8")
        code, out, err = run("evaluate", MILL, "--creatures", path, "--edition", "pathfinder1", *words)
        assert (code, out, len(err)) == (1, "", 1), err
        assert err[0].startswith(f"gridlos: {path}: ")
        assert said in err[0]


# ---- editions


def test_editions(run):
    code, out, err = run("editions")
    assert (code, err) == (0, [])
    assert [line.split(maxsplit=1) for line in out.splitlines()] == [
        [one, load_edition(one).name] for one in edition_ids()
    ]


@pytest.mark.parametrize("id_", edition_ids())
def test_edition(run, id_):
    code, out, _ = run("editions", id_)
    said = " ".join(out.split())
    table = load_edition(id_).table
    assert code == 0
    assert out.startswith(f"{id_}: {table.name}\n")
    for word, degree in table.degree.items():
        assert re.search(rf"^  {re.escape(word)}( |$)", out, re.MULTILINE)
        assert not degree.forbids_attack or re.search(rf"^  {re.escape(word)} .*no attack", out, re.MULTILINE)
    for name, option in table.options.items():
        assert f"{name}, by default {option.default}" in said
        assert option.why in said
        for value, entry in option.values.items():
            assert f"{value} {entry.means}" in said
    for name, rule in table.rules.items():
        assert f"{name}: {rule.source}" in said
    assert max(map(len, out.splitlines())) <= 100


def test_edition_with_house_rules(run, house):
    code, out, _ = run("editions", house)
    assert code == 0
    assert re.search(r"^  partial +\+1 AC, \+1 Reflex save$", out, re.MULTILINE)


def test_check(run, house, tmp_path):
    code, out, err = run("editions", "--check", house)
    assert (code, err) == (0, [])
    assert out == f"{house}: sound: {load_edition(house).name}\n"
    bad = tmp_path / "bad.toml"
    bad.write_text('extends = "dnd5e"\nfoo = 1\nsave = "luck"\n', encoding="utf-8")
    code, out, err = run("editions", "--check", bad)
    assert (code, out, len(err)) == (1, "", 2)
    assert {line.split(": ")[2] for line in err} == {"foo", "save"}
    assert all(line.startswith("gridlos: bad.toml: ") for line in err)


# ---- info, warmup, version


def test_info(run):
    code, out, err = run("info")
    entries = dict(re.findall(r"^(\w+) +(.*)$", out, re.MULTILINE))
    assert (code, err) == (0, [])
    assert entries["gridlos"] == gridlos.__version__
    assert entries["python"] == ".".join(map(str, sys.version_info[:3]))
    assert entries["editions"].split(", ") == list(edition_ids())
    assert {".scene.json", ".dd2vtt", ".uvtt", ".df2vtt"} < set(entries["reads"].split(", "))
    assert Path(entries["package"]) == Path(gridlos.__file__).parent
    assert re.fullmatch(r"one word at a time|[248] words at once", entries["lanes"])


def test_warmup_leaves_nothing_to_compile():
    """In a process of its own, whose kernels nobody else has called."""
    code = (
        "import importlib; from gridlos.cli import main; code = main(['warmup']);"
        f"print(code, *[n for m, ns in {ENTRIES!r}.items() for n in ns"
        " if len(getattr(getattr(importlib.import_module(m), n), 'signatures', [0])) != 1])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    said, counted = done.stdout.splitlines()
    assert re.fullmatch(r"all kernels are compiled: \d+\.\d s", said)
    assert counted == "0"
    assert done.stderr == ""


SECOND = "import json, os, sys, time; open({0!r}, 'w').write(json.dumps([os.getpid(), sys.path])); time.sleep(600)"


def test_a_second_process_compiles_from_the_other_end(tmp_path, monkeypatch):
    """It runs while the questions are asked, imports what this one does, and ends with it."""
    said = tmp_path / "said.json"

    def await_it():
        end = time.monotonic() + 60
        while not (said.exists() and said.read_text()):
            assert time.monotonic() < end
            time.sleep(0.01)

    monkeypatch.setattr(warmup, "_FROM_THE_END", SECOND.format(str(said)))
    monkeypatch.setattr(warmup, "_QUESTIONS", (await_it,))
    monkeypatch.setattr("os.cpu_count", lambda: 2)
    monkeypatch.setattr("gridlos.kernels.jit.cache_folder", lambda: tmp_path)
    warmup.warm_up()
    process, path = json.loads(said.read_text())
    assert path == sys.path
    with pytest.raises(ProcessLookupError):
        os.kill(process, 0)


@pytest.mark.parametrize(("cores", "is_kept"), [(1, True), (2, False)])
def test_one_process_compiles_all_where_another_would_not_help(tmp_path, monkeypatch, cores, is_kept):
    """There is one core, or nowhere to find what another has compiled."""
    asked = []
    monkeypatch.setattr(warmup, "_QUESTIONS", (lambda: asked.append(1), lambda: asked.append(2)))
    monkeypatch.setattr("os.cpu_count", lambda: cores)
    monkeypatch.setattr("gridlos.kernels.jit.cache_folder", lambda: tmp_path if is_kept else None)
    monkeypatch.setattr("subprocess.Popen", None)
    warmup.warm_up()
    warmup.ask_all(from_the_end=True)
    assert asked == [1, 2, 2, 1]


def test_version(capsys):
    with pytest.raises(SystemExit) as stopped:
        main(["--version"])
    assert stopped.value.code == 0
    assert capsys.readouterr().out == f"gridlos {gridlos.__version__}\n"


# ---- what goes wrong

BAD = {
    "unknown edition": (["evaluate", GATEHOUSE, "--edition", "starfinder"], ["'starfinder'", "'starfinder1'"]),
    "unknown edition to explain": (["editions", "dnd5"], ["'dnd5'", "'dnd5e'"]),
    "unknown attacker": (["evaluate", CAVE, "--edition", "dnd5e", "--attacker", "scot"], [CAVE, "'scot'", "'scout'"]),
    "unknown target": (["evaluate", CAVE, "--edition", "dnd5e", "--target", "tröll"], [CAVE, "'tröll'", "'troll'"]),
    "creature named twice": (["evaluate", CAVE, "--edition", "dnd5e", *["--target", "bat"] * 2], [CAVE, "twice"]),
    "unknown option": (
        ["evaluate", CAVE, "--edition", "pathfinder1", "--option", "partail=off"],
        ["'partail'", "'partial'"],
    ),
    "unknown value": (
        ["evaluate", CAVE, "--edition", "pathfinder1", "--option", "partial=of"],
        ["partial", "'of'", "'off'"],
    ),
    "attacker is target": (
        ["explain", CAVE, "--edition", "dnd5e", "--attacker", "bat", "--target", "bat"],
        ["'bat'", "two creatures"],
    ),
    "no such map": (["evaluate", "nowhere.scene.json", "--edition", "dnd5e"], ["nowhere.scene.json", "no such file"]),
    "map is a folder": (["evaluate", str(ROOT / "maps"), "--edition", "dnd5e"], [str(ROOT / "maps"), "folder"]),
    "no such house rules": (["evaluate", CAVE, "--edition", "no.toml"], ["no.toml", "No such file"]),
    "no such table": (["editions", "--check", "no.toml"], ["no.toml", "No such file"]),
    "output in no folder": (
        ["evaluate", CAVE, "--edition", "dnd5e", "-o", "/no/such/folder/x.json"],
        ["/no/such/folder/x.json", "No such file"],
    ),
    "output is a folder": (["evaluate", CAVE, "--edition", "dnd5e", "-o", str(ROOT)], [str(ROOT), "directory"]),
    "no such creatures": (
        ["evaluate", MILL, "--creatures", "no.json", "--edition", "dnd5e"],
        ["no.json", "no such file"],
    ),
    "weld of a scene file": (["evaluate", CAVE, "--weld", "0", "--edition", "dnd5e"], [CAVE, "weld", "Universal VTT"]),
    "weld too wide": (["convert", MILL, "-", "--weld", "nan"], [MILL, "nan", "from 0 to"]),
    "windows of a scene file": (["convert", CAVE, "-", "--windows", "open"], [CAVE, "windows", "Universal VTT"]),
    "unknown ending": (["convert", CAVE, "cave.png"], ["cave.png", ".scene.json"]),
    "no ending": (["convert", CAVE, "cave"], ["cave", ".scene.json"]),
    "convert into no folder": (["convert", CAVE, "/no/such/folder/x.txt"], ["/no/such/folder/x.txt", "No such file"]),
    "a name with a line break": (["evaluate", "no\nwhere", "--edition", "dnd5e"], ["no where", "no such file"]),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_input_is_one_line(run, case):
    words, said = BAD[case]
    code, out, err = run(*words)
    assert (code, out, len(err)) == (1, "", 1), err
    assert err[0].startswith("gridlos: ")
    assert all(part in err[0] for part in said), err[0]


FILES = {
    "broken.scene.json": (b'{"schema": "gridlos.scene/1",', ["line 1, column 30", "broken JSON"]),
    "key.scene.json": (b'{"schema": "gridlos.scene/1", "sqares": []}', ['"sqares"', "'squares'"]),
    "rows.scene.json": (b'{"schema": "gridlos.scene/1", "squares": ["..", "."]}', ["$.squares[1]"]),
    "nan.scene.json": (
        b'{"schema": "gridlos.scene/1", "squares": ["."], "walls": [{"from": [NaN, 0], "to": [1, 1]}]}',
        ["line 1", "NaN"],
    ),
    "solid.txt": (b"#.\n\n- A at=[0,0]\n", ["line 3", "solid"]),
    "off.txt": (b"..\n\n- A at=[5,0]\n", ["line 3", "off the map"]),
    "twice.txt": (b"AB\n\nA one\nB one\n", ["line", "'one'"]),
    "empty.txt": (b"", ["empty"]),
    "utf16.txt": ("A.T".encode("utf-16"), ["UTF-16"]),
    "options.txt": (b"A.T\n\noption partial=of\n", ["$.options", "'off'"]),
}


@pytest.mark.parametrize("name", FILES)
def test_bad_file_is_one_line_with_file_and_place(run, tmp_path, name):
    content, said = FILES[name]
    path = tmp_path / name
    path.write_bytes(content)
    code, out, err = run("evaluate", path, "--edition", "pathfinder1")
    assert (code, out, len(err)) == (1, "", 1), err
    assert err[0].startswith(f"gridlos: {path}: ")
    assert all(part in err[0] for part in said), err[0]


def test_every_problem_of_house_rules_has_its_line(run, tmp_path):
    path = tmp_path / "house.toml"
    path.write_text('extends = "dnd5e"\nfoo = 1\nbar = 2\n', encoding="utf-8")
    code, out, err = run("evaluate", CAVE, "--edition", path)
    assert (code, out, len(err)) == (1, "", 2)


def test_usage(capsys):
    assert "COMMAND" in usage(capsys)
    assert "invalid choice: 'evalute'" in usage(capsys, "evalute", CAVE)
    assert "--edition" in usage(capsys, "evaluate", CAVE)
    assert "'spell'" in usage(capsys, "evaluate", CAVE, "--edition", "dnd5e", "--attack", "spell")
    for point in ("3", "3,", "a,b", ","):
        assert "write X,Y" in usage(capsys, "evaluate", CAVE, "--edition", "dnd5e", "--attack", "area", "--origin", point)
    assert "--editions" in usage(capsys, "compare", CAVE)
    assert "'xml'" in usage(capsys, "evaluate", CAVE, "--edition", "dnd5e", "--format", "xml")
    assert "name=value" in usage(capsys, "evaluate", CAVE, "--edition", "dnd5e", "--option", "partial")
    assert "name=value" in usage(capsys, "evaluate", CAVE, "--edition", "dnd5e", "--option", "=off")
    assert "--pairs" in usage(capsys, "evaluate", CAVE, "--edition", "dnd5e", "--pairs", "--format", "csv")
    assert "--target" in usage(capsys, "explain", CAVE, "--edition", "dnd5e", "--attacker", "bat")
    assert "'shut'" in usage(capsys, "convert", MILL, "-", "--windows", "shut")
    assert "'soft'" in usage(capsys, "convert", MILL, "-", "--objects", "soft")
    assert "'tight'" in usage(capsys, "convert", MILL, "-", "--weld", "tight")
    assert "--check" in usage(capsys, "editions", "dnd5e", "--check", "x.toml")


# ---- as a process of its own


def process(*words, **options):
    command = [sys.executable, "-m", "gridlos", *map(str, words)]
    return subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **options)


def test_python_m_gridlos():
    with process("evaluate", GATEHOUSE, "--edition", "dnd5e", "--format", "json") as one:
        out, err = one.communicate()
    assert one.returncode == 0
    assert json.loads(out)["edition"] == "dnd5e"
    assert err.decode().splitlines() == warnings_of(GATEHOUSE)


def test_python_m_gridlos_fails_with_its_code():
    with process("evaluate", GATEHOUSE, "--edition", "dnd") as one:
        out, err = one.communicate()
    assert (one.returncode, out, err.count(b"\n")) == (1, b"", 1)


def test_commands_that_ask_nothing_do_not_import_numba():
    code = "import sys; from gridlos.cli import main; main(['editions']); sys.exit('numba' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.skipif(os.name != "posix", reason="pipes of POSIX")
@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_a_reader_who_has_enough_is_no_error(unbuffered):
    environment = {**os.environ, "PYTHONUNBUFFERED": unbuffered}
    with process("evaluate", GATEHOUSE, "--edition", "dnd5e", "--pairs", env=environment) as one:
        assert one.stdout.read(1) == b"["
        one.stdout.close()
        assert one.stderr.read() == b""
    assert one.returncode == 141  # the rest, more than a pipe holds, could not be written


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full")
def test_a_full_disk_is_one_line():
    with Path("/dev/full").open("wb") as full:
        command = [sys.executable, "-m", "gridlos", "editions"]
        done = subprocess.run(command, cwd=ROOT, stdout=full, stderr=subprocess.PIPE, check=False)
    assert done.returncode == 1
    assert done.stderr.decode().splitlines() == ["gridlos: stdout: No space left on device"]


def test_a_closed_stdout_is_one_line(capsys, monkeypatch):
    with monkeypatch.context() as closed:
        closed.setattr(sys, "stdout", None)
        assert main(["editions"]) == 1
    assert capsys.readouterr().err == "gridlos: stdout is closed; give the output somewhere to go\n"


def test_names_that_stdout_cannot_write(tmp_path):
    path = tmp_path / "a.txt"
    path.write_text('A.T\n\nA "Öger"\n', encoding="utf-8")
    environment = {**os.environ, "PYTHONIOENCODING": "ascii"}
    with process("evaluate", path, "--edition", "dnd5e", "--attacker", "Öge", env=environment) as one:
        out, err = one.communicate()
    assert (one.returncode, out) == (1, b"")
    assert b"did you mean '\\xd6ger'?" in err
    with process("evaluate", path, "--edition", "dnd5e", env=environment) as one:
        out, err = one.communicate()
    assert (one.returncode, err) == (0, b"")
    assert "Öger" in out.decode("utf-8")


def test_a_stop_from_the_keyboard(monkeypatch):
    def stop(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr("gridlos.cli.commands.load_edition", stop)
    assert main(["evaluate", CAVE, "--edition", "dnd5e"]) == 130


# ---- effects on an area, weapons, several editions


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        (["--attack", "area"], "needs an origin"),
        (["--attack", "area", "--origin", "1,1", "--attacker", "archer"], "leave out the attackers"),
        (["--attack", "area", "--origin=-1,1"], "off the map"),
        (["--attack", "area", "--origin", "nan,1"], "off the map"),
        (["--attack", "area", "--origin", "8.5,5.5"], "solid"),
        (["--attack", "melee", "--origin", "1,1"], "attack="),
        (["--spread"], 'spread goes with attack="area"'),
    ],
)
def test_bad_origins_are_one_line(run, asked, said):
    code, out, err = run("evaluate", GATEHOUSE, "--edition", "dnd5e", *asked)
    assert (code, out, len(err)) == (1, "", 1)
    assert said in err[0]


def test_an_effect_on_an_area_has_one_attacker(run):
    code, out, err = run("evaluate", GATEHOUSE, "--edition", "starfinder1", "--attack", "area", "--origin", "4,2")
    assert (code, err) == (0, [])
    assert out.startswith("Gatehouse: an effect on an area by starfinder1")
    code, out, err = run(
        "explain", GATEHOUSE, "--edition", "starfinder1", "--attack", "area", "--origin", "4,2", "--attacker", "origin",
        "--target", "ogre",
    )  # fmt: skip
    assert (code, err) == (0, [])
    assert "from corner (4, 2)" in out


def test_unknown_conditions_are_told_all_at_once(run, tmp_path):
    path = tmp_path / "scene.txt"
    path.write_text("A.T\n\nA one\nT two\n", encoding="utf-8")
    creatures = tmp_path / "creatures.json"
    creatures.write_text(
        '{"creatures": [{"id": "one", "at": [0, 0], "conditions": ["prine"]},'
        ' {"id": "two", "at": [2, 0], "conditions": ["stuned", "prone"]}]}',
        encoding="utf-8",
    )
    code, out, err = run("evaluate", path, "--creatures", creatures, "--edition", "pathfinder1")
    assert (code, out, len(err)) == (1, "", 2)
    assert "'one'" in err[0]
    assert "did you mean 'prone'?" in err[0]
    assert "did you mean 'stunned'?" in err[1]
    assert all(line.startswith(f"gridlos: {creatures}: ") for line in err)


def test_editions_are_compared_pair_by_pair(run):
    code, out, err = run("compare", GATEHOUSE, "--editions", "pathfinder1,dnd5e", "--attacker", "archer")
    assert (code, err) == (0, [])
    assert out.startswith("Gatehouse: ranged attacks by pathfinder1, dnd5e: ")
    blocks = out.split("\n\n")[1:]
    assert blocks
    for block in blocks:
        lines = block.splitlines()
        assert lines[0].startswith("archer -> ")
        assert [line.split()[0] for line in lines if line.startswith("  ") and not line.startswith("   ")] == [
            "pathfinder1",
            "dnd5e",
        ]


@pytest.mark.parametrize("editions", ["dnd5e", "dnd5e,dnd5e", ","])
def test_one_edition_is_not_compared(run, editions):
    code, out, err = run("compare", GATEHOUSE, "--editions", editions)
    assert (code, out, len(err)) == (1, "", 1)
    assert "two different editions" in err[0]


# ---- what an edition says, part by part


def part_of(run, edition, head):
    """The lines below a heading of what an edition says."""
    code, out, err = run("editions", edition)
    assert (code, err) == (0, [])
    (part,) = [part for part in out.split("\n\n") if part.startswith(head)]
    return " ".join(part.partition("\n")[2].split())


@pytest.mark.parametrize("edition", edition_ids())
def test_editions_tell_of_all_that_gives_cover_or_conceals(run, edition):
    table = load_edition(edition).table
    if table.centre is not None:
        assert f"a creature on the line: {table.centre.creature}" in part_of(run, edition, "creatures in the way")
        assert f"blocked: {table.blocked_lines[1]}" in part_of(run, edition, "degree by the one line")
        return
    degrees = ", ".join(f"{n} {degree}" for n, degree in enumerate(table.soft_cover.blocked_lines))
    assert degrees in part_of(run, edition, "creatures in the way")
    assert f"at least {table.heights.counts_from} is hidden" in part_of(run, edition, "walls, obstacles and floors")
    said = part_of(run, edition, "words for cover on maps")
    assert f"standard: {table.cover_words.standard}, improved: {table.cover_words.improved}" in said
    said = part_of(run, edition, "degrees of concealment")
    assert all(word in said for word in table.concealments)
    assert "fog: " in said
    assert "the partner: " in part_of(run, edition, "flanking")


def test_editions_tell_creatures_in_the_way(run):
    said = part_of(run, "pathfinder1", "creatures in the way")
    assert "melee, not adjacent: the same melee, adjacent: no cover attacks of opportunity: forbidden" in said
    said = part_of(run, "hybrid35", "creatures in the way")
    assert "melee, not adjacent: no cover melee, adjacent: no cover attacks of opportunity: allowed" in said
    assert "melee, adjacent: the same" in part_of(run, "dnd5e", "creatures in the way")


def test_editions_tell_heights(run):
    assert "more than 30 ft from it" in part_of(run, "pathfinder1", "walls, obstacles and floors")
    said = part_of(run, "dnd5e", "walls, obstacles and floors")
    assert "1/2: half; more than 5/8: half; 3/4: three-quarters; more than 33/40: three-quarters" in said
    assert "none" not in said
    assert "low obstacles: no rule of their own" in said
    assert "3/4: 3/4; more than 33/40: 9/10" in part_of(run, "dnd30", "walls, obstacles and floors")


def test_editions_tell_concealment(run):
    said = part_of(run, "pathfinder1", "degrees of concealment")
    assert "concealed 20 % miss chance, no sneak attack, one can hide in it" in said
    assert "total 50 % miss chance, no attack on the target itself" in said
    assert "passes the inside of one" in said
    assert "touches one" in part_of(run, "starfinder1", "degrees of concealment")
    assert "heavily obscured disadvantage" in part_of(run, "dnd5e", "degrees of concealment")
    assert "+2 AC" in part_of(run, "hybrid35", "degrees of concealment")


def test_editions_tell_flanking(run):
    said = part_of(run, "pathfinder1", "flanking")
    assert said.startswith("+2 attack roll in melee the partner: any enemy of the target")
    assert "both must threaten the target" in said
    said = part_of(run, "dnd5e", "flanking")
    assert said.startswith("advantage in melee the partner: an ally of the attacker; both must stand next to the target")


def test_editions_tell_house_rules(run, tmp_path):
    house = tmp_path / "house.toml"
    house.write_text(
        'extends = "dnd30"\nsoft_cover.reach = "not"\nheights.low_obstacles = true\nconcealing.fog = "never"\n'
        'flanking.anchor = "centre"\nflanking.corners = false\nrules.S004-2.modifiers.attack = { ranged = 1, melee = 2 }\n',
        encoding="utf-8",
    )
    assert "melee, not adjacent: no cover" in part_of(run, house, "creatures in the way")
    assert "more than 30 ft from it" in part_of(run, house, "walls, obstacles and floors")
    assert "fog: conceals as other squares do" in part_of(run, house, "degrees of concealment")
    said = part_of(run, house, "flanking")
    assert "+1 attack roll (+2 in melee)" in said
    assert "the centres of their spaces must pass two opposite sides of the target, corners excluded" in said


@pytest.mark.parametrize("edition", edition_ids())
def test_editions_fit_into_a_narrow_terminal(run, monkeypatch, edition):
    monkeypatch.setenv("COLUMNS", "80")
    code, out, _ = run("editions", edition)
    assert code == 0
    assert max(map(len, out.splitlines())) <= 80


@pytest.mark.parametrize(
    ("is_terminal", "is_compiled", "is_told"), [(True, False, True), (True, True, False), (False, False, False)]
)
def test_who_waits_for_the_first_call_is_told(run, monkeypatch, tmp_path, is_terminal, is_compiled, is_told):
    if is_compiled:
        (tmp_path / "line.contact.nbi").touch()
    monkeypatch.setattr("gridlos.kernels.jit.cache_folder", lambda: tmp_path)
    monkeypatch.setattr("sys.stderr.isatty", lambda: is_terminal, raising=False)
    code, _, problems = run("evaluate", ROOT / "maps" / "corridor.scene.json", "--edition", "dnd5e")
    assert code == 0
    assert any("the first call compiles the kernels" in problem for problem in problems) == is_told

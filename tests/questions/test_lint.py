"""What is probably not meant on a map: each sort of finding where it is, and none where it is not."""

import json
import os
from pathlib import Path
from random import Random

import msgspec
import numpy as np
import pytest

import gridlos
from gridlos import report
from gridlos.battlemap import BattleMap
from gridlos.cli import main
from gridlos.creature import Creature
from gridlos.questions.leaks import leaks_of
from gridlos.questions.lint import lint
from gridlos.questions.regions import regions_of
from gridlos.scene import Scene
from gridlos.walls import SquareKind, Wall

CORPUS = os.environ.get("GRIDLOS_CORPUS")
FILES = sorted(Path(CORPUS, "uvtt").iterdir()) if CORPUS else []
MAPS = Path(__file__).parents[2] / "maps"

OPEN = ["......"] * 6


def wall(x0, y0, x1, y1, **keys):
    return Wall(start=(x0, y0), end=(x1, y1), **keys)


def leaks(walls, rows=OPEN, **keys):
    return [(one.place, one.text) for one in leaks_of(BattleMap.from_rows(rows, walls=walls, **keys))]


def found(scene, word):
    return [one for one in lint(scene) if one.word == word]


# ---- leaks

LINE = wall(1, 3, 5, 3)


@pytest.mark.parametrize(
    ("far", "is_leak"), [(0, False), (0.01, True), (0.1, True), (0.15, True), (0.16, False), (1, False)]
)
def test_an_end_short_of_a_side(far, is_leak):
    expected = [((3, 3 - far), f"wall 2 stops {far:.3g} squares short of wall 1")] if is_leak else []
    assert leaks([LINE, wall(3, 1, 3, 3 - far)]) == expected


def test_a_lattice_unit_is_a_leak():
    short = wall(3, 1, 3, 3 - 1 / 512)
    assert [text for _, text in leaks([LINE, short], subdivisions=512)] == [
        "wall 2 stops 0.00195 squares short of wall 1"
    ]


def test_a_slanted_distance_is_exact():
    # from (3, 1.75) to the wall along y = 2x - 4 are 0.25 / √5 = 0.1118…; one 512th more of 0.335 is beyond 0.15
    slanted = wall(2.5, 1, 4.5, 5)
    assert leaks([slanted, wall(3, 1, 3, 1.75)]) == [((3, 1.75), "wall 2 stops 0.112 squares short of wall 1")]
    assert len(leaks([slanted, wall(3, 1, 3, 2 - 171 / 512)], subdivisions=512)) == 1  # 0.1494
    assert len(leaks([slanted, wall(3, 1, 3, 2 - 172 / 512)], subdivisions=512)) == 0  # 0.1502


def test_two_ends_are_one_leak():
    assert leaks([wall(1, 1, 2, 1), wall(2.1, 1, 4, 1)]) == [
        ((2, 1), "the ends of wall 1 and wall 2 are 0.1 squares apart")
    ]


def test_an_end_that_touches_something_else_is_no_end():
    assert leaks([LINE, wall(2, 2.9, 4, 2.9), wall(2, 2.9, 2, 1), wall(4, 2.9, 4, 1)]) == []


def test_walls_close_by_that_connect_the_two_leave_no_leak():
    hook = [wall(3, 1, 3, 2.9), wall(3, 2.6, 3.3, 2.6)]
    assert len(leaks([LINE, *hook])) == 1
    assert leaks([LINE, *hook, wall(3.3, 2.6, 3.3, 3)]) == []
    # the same way round, but farther than half a square
    assert len(leaks([LINE, wall(3, 1, 3, 2.9), wall(3, 2, 4, 2), wall(4, 2, 4, 3)])) == 1


def test_doors_count_as_shut_and_what_stops_nothing_does_not_count():
    for keys in ({"kind": "door", "state": "open"}, {"kind": "window"}, {"kind": "curtain"}):
        assert len(leaks([LINE, wall(3, 1, 3, 2.9, **keys)])) == 1, keys
    for keys in ({"kind": "fence"}, {"effect": False, "sight": False}):
        assert leaks([LINE, wall(3, 1, 3, 2.9, **keys)]) == [], keys


def test_solid_squares_and_the_edge_of_the_map():
    rows = ["......", "...#..", "......"]
    assert leaks([wall(1, 1.5, 2.9, 1.5)], rows) == [
        ((2.9, 1.5), "wall 1 stops 0.1 squares short of the solid square (3, 1)")
    ]
    assert leaks([wall(3.5, 2.9, 3.5, 2.1)], rows) == [
        ((3.5, 2.1), "wall 1 stops 0.1 squares short of the solid square (3, 1)"),
        ((3.5, 2.9), "wall 1 stops 0.1 squares short of the edge of the map"),
    ]
    assert leaks([wall(0.5, 0, 0.5, 3)], rows) == []
    assert leaks([wall(0.5, 1, 0.5, 3.1)], rows) == []  # across the edge, not short of it
    assert leaks([wall(1, 1.5, 3.1, 1.5), wall(3.05, 1.5, 3.05, 1.3)], rows) == []  # nobody is inside a solid square


@pytest.mark.parametrize("change", ["reverse", "double", "split"])
def test_how_walls_are_written_changes_no_leak(change):
    walls = [LINE, wall(3, 1, 3, 2.9), wall(1, 1, 2, 1.5), wall(2.1, 1.5, 2.8, 1)]
    expected = {place for place, _ in leaks(walls)}
    assert len(expected) == 2
    if change == "reverse":
        walls = [msgspec.structs.replace(one, start=one.end, end=one.start) for one in walls[::-1]]
    elif change == "double":
        walls = walls * 2
    else:
        middles = [((one.start[0] + one.end[0]) / 2, (one.start[1] + one.end[1]) / 2) for one in walls]
        walls = [
            half
            for one, middle in zip(walls, middles, strict=True)
            for half in (wall(*one.start, *middle), wall(*middle, *one.end))
        ]
    assert {place for place, _ in leaks(walls)} == expected


@pytest.mark.skipif(not CORPUS, reason="GRIDLOS_CORPUS is not set")
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem[:40])
def test_welded_maps_have_no_leaks_that_are_narrower(path):
    for _, text in [(one.place, one.text) for one in leaks_of(gridlos.load(path).battle_map)]:
        number = next(float(word) for word in text.split() if word.startswith("0."))
        assert number > 0.0199, text


# ---- clipped squares


def test_a_wall_across_a_corner_of_a_square():
    scene = Scene.from_drawing("...\n.A.\n...", walls=[(1, 1.5, 1.5, 1)])
    (one,) = found(scene, "clipped square")
    assert (one.place, one.walls, one.creatures) == ((1.5, 1.5), (0,), ("A",))
    assert one.text == "wall 1 passes the inside of a square of A, square (1, 1), and cuts off its top left corner"


def test_walls_at_the_border_of_a_square_are_outside_of_it():
    for ends in ((1, 0, 1, 3), (0, 1, 3, 1), (0.5, 1.5, 1.5, 0.5), (0, 0, 1, 1)):
        assert found(Scene.from_drawing("...\n.A.\n...", walls=[ends]), "clipped square") == []


def test_only_the_squares_that_a_wall_passes_and_only_what_stops_effect():
    drawing = "....\n.OO.\n.OO.\n...."
    (one,) = found(Scene.from_drawing(drawing, walls=[(2.2, 0, 2.2, 1.7)]), "clipped square")
    assert one.place == (2.5, 1.5)
    assert one.text.endswith("cuts off its top left corner")
    for keys in ({"kind": "curtain"}, {"kind": "door", "state": "open"}, {"kind": "low wall"}):
        assert found(Scene.from_drawing(drawing, walls=[wall(2.2, 0, 2.2, 1.7, **keys)]), "clipped square") == []


@pytest.mark.parametrize("seed", range(40))
def test_corners_are_cut_off_where_a_wall_crosses_the_way_to_the_centre(seed):
    rng = Random(seed)
    ends = [[rng.randrange(1, 300) / 100 + 1 / 1000 for _ in range(4)] for _ in range(rng.randint(1, 3))]
    scene = Scene.from_drawing("...\n.A.\n...", walls=[tuple(one) for one in ends])

    def side(a, b, c):
        return np.sign(round((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]), 9))

    def cross(a, b, c, d):
        return side(a, b, c) * side(a, b, d) < 0 and side(c, d, a) * side(c, d, b) < 0

    corners = {"top left": (1, 1), "top right": (2, 1), "bottom left": (1, 2), "bottom right": (2, 2)}
    expected = {
        name for name, corner in corners.items() if any(cross((1.5, 1.5), corner, one[:2], one[2:]) for one in ends)
    }
    findings = found(scene, "clipped square")
    told = {name for name in corners if any(name in one.text for one in findings)}
    assert told == expected


# ---- sealed in


def test_a_creature_behind_walls_and_what_lets_it_out():
    def sealed(**keys):
        walls = [wall(2, 0, 2, 1), wall(2, 1, 2, 2, **keys)]
        return found(Scene.from_drawing("A..T\n...U", walls=walls), "sealed in")

    (one,) = sealed()
    assert (one.place, one.creatures) == ((0.5, 0.5), ("A",))  # the two others have each other
    assert one.text == "A reaches 4 squares and nobody else, though all doors were open"
    assert sealed(kind="door") == sealed(kind="secret door", state="locked") == sealed(kind="curtain") == []
    assert len(sealed(kind="window")) == 1


def test_a_door_that_fills_a_square_lets_out():
    legend = {"D": SquareKind(kind="door")}
    assert len(found(Scene.from_drawing("A#T\n.#."), "sealed in")) == 2
    assert found(Scene.from_drawing("A#T\n.D.", legend=legend), "sealed in") == []


def test_one_alone_is_not_sealed_in():
    assert found(Scene.from_drawing("A#."), "sealed in") == []


def test_two_squares_that_meet_at_a_corner():
    assert len(found(Scene.from_drawing("A#\n#T"), "sealed in")) == 2
    slit = [wall(1, 0, 1, 0.9), wall(1, 1.1, 1, 2), wall(0, 1, 0.9, 1), wall(1.1, 1, 2, 1)]
    closed = [wall(1, 0, 1, 2), wall(0, 1, 2, 1)]
    for drawing in ("A.\n.T", ".A\nT."):
        assert found(Scene.from_drawing(drawing, walls=slit), "sealed in") == []
        assert len(found(Scene.from_drawing(drawing, walls=closed), "sealed in")) == 2


@pytest.mark.parametrize("mirrored", [False, True])
def test_a_slit_across_a_corner_alone(mirrored):
    # a channel from corner to corner, whose walls leave the two other squares no way in
    walls = [(0, 1, 0.9, 1), (1, 0, 1, 0.9), (1.1, 1, 2, 1), (1, 1.1, 1, 2)]
    block = [(0.9, 1, 1, 1.1), (1, 0.9, 1.1, 1)]  # they join the ends below and above the channel
    turn = (lambda x0, y0, x1, y1: (2 - x0, y0, 2 - x1, y1)) if mirrored else (lambda *ends: ends)
    drawing = ".A\nT." if mirrored else "A.\n.T"
    assert found(Scene.from_drawing(drawing, walls=[turn(*one) for one in walls + block]), "sealed in") == []
    shut = [*walls, *block, (0.9, 1, 1, 0.9)]
    assert len(found(Scene.from_drawing(drawing, walls=[turn(*one) for one in shut]), "sealed in")) == 2


def test_a_creature_on_both_sides_of_a_wall_reaches_both():
    assert found(Scene.from_drawing("TOO.\n.OO.", walls=[(2, 0, 2, 2)]), "sealed in") == []


def test_a_way_round_a_wall_that_passes_through_squares():
    # the wall leaves a way below it
    assert found(Scene.from_drawing("A..T\n....", walls=[(1.5, 0, 1.5, 1.4)]), "sealed in") == []
    assert (
        len(found(Scene.from_drawing("A..T\n....", walls=[(1.5, 0, 1.5, 2)]), "sealed in")) == 0
    )  # on its middle: both sides
    assert len(found(Scene.from_drawing("A..T\n....", walls=[(1.4, 0, 1.4, 2)]), "sealed in")) == 2


@pytest.mark.parametrize("seed", range(40))
def test_regions_are_those_of_a_flood(seed):
    rng = Random(seed)
    cols, rows = rng.randint(2, 8), rng.randint(2, 8)
    lines = ["".join(rng.choices(".#", (3, 1), k=cols)) for _ in range(rows)]
    edges = {(x, y, d) for x in range(cols) for y in range(rows) for d in "wn" if rng.random() < 0.3}
    walls = [wall(x, y, x + (d == "n"), y + (d == "w")) for x, y, d in sorted(edges)]
    regions = [*regions_of(BattleMap.from_rows(lines, walls=walls))][-1]
    label = np.full((rows, cols), -1)
    for start in np.ndindex(rows, cols):
        if lines[start[0]][start[1]] == "#" or label[start] >= 0:
            continue
        label[start] = start[0] * cols + start[1]
        todo = [start]
        while todo:
            y, x = todo.pop()
            for row, column, edge in (
                (y, x - 1, (x, y, "w")),
                (y, x + 1, (x + 1, y, "w")),
                (y - 1, x, (x, y, "n")),
                (y + 1, x, (x, y + 1, "n")),
            ):
                if edge in edges or not (0 <= row < rows and 0 <= column < cols):
                    continue
                if lines[row][column] == "." and label[row, column] < 0:
                    label[row, column] = label[start]
                    todo.append((row, column))
    same = label.ravel()[:, None] == label.ravel()[None]
    assert np.array_equal(same, regions.ravel()[:, None] == regions.ravel()[None])
    assert np.array_equal(label == -1, regions == -1)


# ---- doors without a gap


def doors(walls, drawing="......\n......\n......", **keys):
    return [
        (one.place, one.text) for one in found(Scene.from_drawing(drawing, walls=walls, **keys), "door without a gap")
    ]


DOOR = wall(2, 1, 3, 1, kind="door")


@pytest.mark.parametrize(
    ("others", "by"),
    [
        ([wall(0, 1, 6, 1)], "wall 1 stops"),
        ([wall(2.5, 1, 0, 1), wall(2.5, 1, 4, 1)], "wall 1 and wall 2 stop"),
        ([wall(0, 1, 2, 1), wall(3, 1, 6, 1)], None),
        ([wall(0, 1, 2.9, 1)], None),
        ([wall(0, 1, 2.4, 1), wall(2.5, 1, 6, 1)], None),
        ([wall(2.5, 0, 2.5, 2)], None),
        ([wall(0, 1.25, 6, 1.25)], None),
        ([wall(0, 1, 6, 1, kind="curtain")], None),
        ([wall(0, 1, 6, 1, kind="window")], None),
        ([wall(0, 1, 6, 1, kind="curtain"), wall(0, 1, 6, 1, kind="window")], "curtain 1 and window 1 stop"),
        ([wall(0, 1, 6, 1, kind="low wall")], None),
    ],
)
@pytest.mark.parametrize("state", ["open", "closed"])
def test_what_runs_along_a_door(others, by, state):
    door = msgspec.structs.replace(DOOR, state=state)
    expected = [((2.5, 1), f"door 1 opens nothing: {by} the same all along it")] if by else []
    assert doors([door, *others]) == expected


def test_solid_squares_along_a_door():
    for drawing, is_found in (
        ("......\n..#...\n......", True),
        ("..#...\n......\n......", True),
        ("......\n...#..\n......", False),
    ):
        expected = [((2.5, 1), "door 1 opens nothing: solid squares stop the same all along it")] if is_found else []
        assert doors([DOOR], drawing) == expected
    slanted = wall(1.5, 1.25, 2.5, 1.75, kind="door")
    assert doors([slanted], "......\n.##...\n......") != []
    assert doors([slanted], "......\n.#....\n......") == []


def test_a_door_at_the_edge_of_the_map_leads_off_it():
    assert doors([wall(2, 0, 3, 0, kind="door")]) == []


def test_of_two_doors_at_one_place_each_opens_nothing_while_the_other_is_shut():
    is_open = msgspec.structs.replace(DOOR, state="open")
    assert len(doors([DOOR, DOOR])) == 2
    assert [text.partition(" opens")[0] for _, text in doors([DOOR, is_open])] == ["door 2"]
    assert doors([is_open, is_open]) == []


# ---- all together

SCENE = """
......
.A#...
..#.T.

wall (4, 1.5)-(4, 3)
wall gate (2, 0)-(2, 1) door closed
wall (2, 0)-(2, 1)
wall (4.25, 2)-(4.5, 2.25)
"""


def test_findings_stand_nearest_to_the_top_left_first():
    findings = lint(Scene.from_drawing(SCENE))
    far = [x * x + y * y for x, y in (one.place for one in findings)]
    assert far == sorted(far)
    assert sorted(one.word for one in findings) == ["clipped square", "door without a gap", "sealed in", "sealed in"]
    scene = Scene.from_drawing("A.#T", walls=[(1, 0, 1, 0.9), (1.5, 0, 1.5, 0.9)])
    assert [(one.word, one.place) for one in lint(scene)] == [
        ("sealed in", (0.5, 0.5)),
        ("leak", (1, 0.9)),
        ("leak", (1.5, 0.9)),
        ("sealed in", (3.5, 0.5)),
    ]


def test_nothing_is_found_on_the_maps_that_have_nothing():
    for name in ("dungeon", "crypt", "gatehouse"):
        assert lint(gridlos.load(MAPS / f"{name}.scene.json")) == ()


@pytest.mark.skipif(not CORPUS, reason="GRIDLOS_CORPUS is not set")
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem[:40])
def test_real_maps_with_creatures_are_looked_at(path):
    scene = gridlos.load(path)
    rng = Random(1)
    cols, rows = scene.battle_map.cols, scene.battle_map.rows
    places = [(rng.randrange(cols), rng.randrange(rows)) for _ in range(10)]
    scene = scene.with_creatures(Creature(id=f"c{k}", at=at) for k, at in enumerate(places))
    sealed = [one for one in lint(scene) if one.word == "sealed in"]
    answers = gridlos.evaluate(scene, edition="dnd5e").columns["line_of_effect"]
    for one in sealed:  # whom nobody can get to, nobody can shoot at
        others = [
            k
            for k, name in enumerate(scene.ids)
            if name not in one.creatures and places[k] != places[scene.index(*one.creatures)]
        ]
        assert not answers[scene.index(*one.creatures), others].any()


# ---- told to people and programs


EXPECTED = """\
(1.9, 1) leak: wall 1 stops 0.1 squares short of wall 2
     0   1   2
           X
0    .   . X @
   XXXXXXXX*
1    .   . X @
   -------------
2    .   .   @

  * here, X walls that this is about, @ creatures

(2.5, 2.5) sealed in: T reaches 3 squares and nobody else, though all doors were open
     0   1   2
           |
0    .   . | @
   --------|
1    .   . | @
   -------------
2    .   .   A

  A T, @ other creatures

2 findings: 1 leak, 1 creature sealed in
"""


def test_the_report_draws_each_finding_and_counts():
    scene = Scene.from_drawing("..A\n..B\n..T", walls=[(0, 1, 1.9, 1), (2, 0, 2, 2), (0, 2, 3, 2)])
    text = report.to_lint_report(scene, lint(scene))
    assert text == EXPECTED


def test_brief_and_json():
    scene = Scene.from_drawing("A.#T", walls=[wall(1, 0, 1, 0.9, id="screen")])
    findings = lint(scene)
    brief = report.to_lint_report(scene, findings, drawings=False)
    assert len(brief.splitlines()) == len(findings) + 1 == 4
    data = json.loads(report.to_lint_json(findings, scene))
    assert data[1] == {
        "word": "leak",
        "place": [1, 0.9],
        "text": "wall screen stops 0.1 squares short of the edge of the map",
        "walls": ["wall screen"],
        "creatures": [],
    }
    assert json.loads(report.to_lint_json((), scene)) == []


def test_the_command_ends_well_with_or_without_findings(tmp_path, capsys):
    (tmp_path / "bad.txt").write_text("A#T\n")
    (tmp_path / "good.txt").write_text("A.T\n")
    assert main(["lint", str(tmp_path / "bad.txt")]) == 0
    assert capsys.readouterr().out.splitlines()[-1] == "2 findings: 2 creatures sealed in"
    assert main(["lint", str(tmp_path / "good.txt")]) == 0
    assert (
        capsys.readouterr().out
        == "no findings: no leaks, clipped squares, creatures sealed in or doors without a gap\n"
    )
    assert main(["lint", "--format", "json", str(tmp_path / "bad.txt")]) == 0
    assert len(json.loads(capsys.readouterr().out)) == 2
    assert main(["lint", str(tmp_path / "none.txt")]) == 1

"""An explanation says all of the verdict, and its drawing marks what the proof names where it stands."""

from pathlib import Path

import pytest

import gridlos
from gridlos.facts import Contact
from gridlos.report import draw_proof, to_explanation
from gridlos.verdict import MAX_NAMES
from gridlos.walls import SquareKind, Wall

FOLDER = Path(__file__).parents[2] / "maps"

PAIRS = [("gatehouse", "fighter", "sentry"), ("gatehouse", "wolf", "spearman"), ("tavern", "dwarf", "spy"),
         ("tavern", "bard", "spy"), ("pillars", "drow", "quasit"), ("cave", "troll", "spider")]  # fmt: skip


def asked(name, attacker, target, edition="pathfinder1"):
    scene = gridlos.load(FOLDER / f"{name}.scene.json")
    return scene, gridlos.evaluate(scene, edition=edition)[attacker, target]


class Drawing:
    """A drawing read back: the letter at a point of the map, in squares."""

    def __init__(self, text):
        head, *self.lines = text.split("\n")
        self.columns = [int(number) for number in head.split()]
        self.left = self.columns[0]
        numbered = [(k, int(line.split()[0])) for k, line in enumerate(self.lines) if line[:4].strip(" .").isdigit()]
        self.top = numbered[0][1]
        self.n_label = head.index(str(self.left)) - 2 + len(str(self.left)) // 2

    def at(self, x, y):
        column, row = self.n_label + round(4 * (x - self.left)), round(2 * (y - self.top))
        return self.lines[row][column] if column < len(self.lines[row]) else " "


@pytest.mark.parametrize("edition", ["pathfinder1", "dnd5e"])
@pytest.mark.parametrize(("name", "attacker", "target"), PAIRS)
def test_explanation_says_all(name, attacker, target, edition):
    scene, verdict = asked(name, attacker, target, edition)
    sources = {modifier.rule: f"Book of {modifier.rule}" for modifier in verdict.modifiers}
    text = to_explanation(verdict, scene, sources=sources)
    assert text.startswith(f"{attacker} attacks {target} (ranged, {edition}): ")
    assert f"distance {verdict.distance} ft" in text
    assert f"corner {verdict.proof.corner} of square {verdict.proof.attacker_square}" in text
    for line in verdict.proof.lines:
        (said,) = [part for part in text.splitlines() if part.startswith(f"    to {line.to} ")]
        assert line.contact.name.lower() in said
        assert all(blocker in said for blocker in line.by[:MAX_NAMES])
    for modifier in verdict.modifiers:
        assert f"{modifier.value:+d} " in text
        assert modifier.text in text
        assert f"{modifier.rule}: Book of {modifier.rule}" in text
    assert all(f"note: {note}" in text for note in verdict.notes)


@pytest.mark.parametrize(("name", "attacker", "target"), PAIRS)
def test_drawing_marks_what_the_proof_names(name, attacker, target):
    scene, verdict = asked(name, attacker, target)
    drawing = Drawing(draw_proof(verdict, scene, width=200))
    for mark, creature in (("A", attacker), ("T", target)):
        x, y, width, height = scene.creature(creature).occupied
        for row in range(y, y + height):
            for column in range(x, x + width):
                assert drawing.at(column + 0.5, row + 0.5) == mark
    assert drawing.at(*verdict.proof.corner) == "*"
    for line in verdict.proof.lines:
        if line.to != verdict.proof.corner:
            expected = "x" if line.contact is Contact.BLOCKED else "+"
            assert drawing.at(*line.to) == (expected if line.counted else "?")
    squares = [name for line in verdict.proof.lines if line.contact is Contact.BLOCKED for name in line.by]
    for blocker in squares:
        if blocker.startswith("square"):
            x, y = (int(number) for number in blocker[8:-1].split(", "))
            assert drawing.at(x + 0.5, y + 0.5) == "X"


def test_walls_by_their_direction_and_state():
    walls = [
        Wall(start=(2, 0), end=(2, 2)),
        Wall(start=(4, 0), end=(4, 1), kind="door", state="open"),
        Wall(start=(2, 3), end=(4, 3)),
        Wall(start=(5, 2), end=(6, 3)),
        Wall(start=(6, 3), end=(7, 2)),
        Wall(start=(0, 2), end=(1, 2), kind="fence"),
    ]
    scene = gridlos.Scene.from_drawing("A......\n......T\n.......", walls=walls)
    verdict = gridlos.evaluate(scene, edition="dnd5e")["A", "T"]
    drawing = Drawing(draw_proof(verdict, scene))
    assert drawing.at(2, 0.5) == "X"  # it blocks
    assert drawing.at(4, 0.5) == ":"
    assert drawing.at(3.5, 3) == "-"
    assert drawing.at(5.25, 2.5) in "\\ "
    assert drawing.at(5.5, 2.5) == "\\"
    assert drawing.at(6.5, 2.5) == "/"
    assert drawing.at(0.5, 2) == "-"  # it stops nothing, but gives cover


def test_drawing_is_cut_to_the_surroundings_and_to_the_width():
    rows = ["." * 80] * 40
    rows[20] = "." * 20 + "A" + "." * 30 + "T" + "." * 28
    scene = gridlos.Scene.from_drawing("\n".join(rows))
    verdict = gridlos.evaluate(scene, edition="dnd5e")["A", "T"]
    wide, narrow = (draw_proof(verdict, scene, width=width) for width in (200, 100))
    n_squares = 30 + 2 + 4
    assert max(map(len, wide.splitlines())) == 4 + 4 * n_squares - 1  # half a square from the last centre is blank
    assert max(map(len, narrow.splitlines())) <= 100
    assert len(wide.splitlines()) - len([line for line in wide.splitlines() if line.startswith("  A ")]) == 13


def test_letters_of_squares_are_no_marks_and_are_explained():
    """A floor whose letter is the target's is drawn by another letter; built-in letters in view are told, others are not."""
    legend = {"T": SquareKind(elevation=-5), "t": SquareKind(kind="fence", cover="light")}
    battle_map = gridlos.BattleMap.from_rows(["....w", "....c", "TTTTT", "b...."], legend=legend)
    creatures = [gridlos.Creature(id="archer", at=(0, 0)), gridlos.Creature(id="ogre", at=(2, 0))]
    scene = gridlos.Scene(battle_map=battle_map, creatures=creatures)
    text = draw_proof(gridlos.evaluate(scene, edition="dnd5e")["archer", "ogre"], scene)
    drawing, legend_line = Drawing(text), " ".join(text.split("\n\n")[-1].split())
    assert [drawing.at(x + 0.5, 0.5) for x in range(5)] == ["A", ".", "T", ".", "w"]
    assert [drawing.at(x + 0.5, 2.5) for x in range(5)] == ["a"] * 5
    assert legend_line.endswith("w low wall, c obstacle, a floor at -5 ft")


def test_far_apart_is_not_drawn():
    scene = gridlos.Scene.from_drawing("A" + "." * 300 + "T")
    verdict = gridlos.evaluate(scene, edition="dnd5e")["A", "T"]
    assert draw_proof(verdict, scene) == "  no drawing: 302 by 1 squares are too many to follow\n"


def test_many_blockers_are_counted():
    scene = gridlos.Scene.from_drawing("\n".join(["#" * 12, "A" + "#" * 10 + "T", "#" * 12]))
    text = gridlos.evaluate(scene, edition="dnd5e")["A", "T"].explain()
    assert f", {10 - MAX_NAMES} more" in text


def test_a_long_wall_far_out_of_the_map_is_drawn_where_it_is_seen():
    walls = [Wall(start=(-100000, 1), end=(100000, 1))]
    scene = gridlos.Scene.from_drawing("A..\n..T", walls=walls)
    verdict = gridlos.evaluate(scene, edition="dnd5e")["A", "T"]
    drawing = Drawing(draw_proof(verdict, scene))
    assert [drawing.at(x + 0.5, 1) for x in range(3)] == ["X"] * 3


@pytest.mark.parametrize(
    ("edition", "expected"),
    [
        ("pathfinder1", {"partial cover": "square (3, 1)", "soft cover": "creature B"}),
        ("starfinder1", {"partial cover": "square (3, 1)", "cover": "creature B"}),
        ("hybrid35", {"one-quarter cover": "square (3, 1)", "soft cover": "creature B"}),
        ("dnd30", {"one-quarter cover": "square (3, 1)", "one-half cover": "creature B"}),
        ("dnd5e", {"half cover": "square (3, 1), creature B"}),
    ],
)
def test_each_cover_names_what_gives_it(edition, expected):
    """A pillar blocks one line and a creature three: where the two give different degrees each has its own."""
    scene = gridlos.Scene.from_drawing("......\n...#T.\n......\n..B...\n.A....\n......")
    verdict = gridlos.evaluate(scene, edition=edition)["A", "T"]
    assert dict(one.text.split(": ") for one in verdict.modifiers) == expected


def test_one_degree_by_walls_and_creatures_names_both():
    scene = gridlos.Scene.from_drawing("......\nA.B#.T\n......\n......")
    verdict = gridlos.evaluate(scene, edition="starfinder1", options={"line_of_effect": "touching"})["A", "T"]
    assert {one.text for one in verdict.modifiers} == {"cover: square (3, 1), creature B"}

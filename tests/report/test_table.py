"""The table for people holds every pair, in the words and numbers of the evaluation, and keeps to its width."""

import re
from pathlib import Path

import numpy as np
import pytest

import gridlos
from gridlos.records import Override
from gridlos.report import to_table
from gridlos.walls import Wall

FOLDER = Path(__file__).parents[2] / "maps"

CURTAIN = Wall(start=(1, 0), end=(1, 1), kind="curtain")
MAPS = ["bridge", "cave", "corridor", "gatehouse", "pillars", "tavern"]


def evaluation(name, edition="pathfinder1", **question):
    return gridlos.evaluate(gridlos.load(FOLDER / f"{name}.scene.json"), edition=edition, **question)


def cells_of(table, attackers, targets):
    """The matrix of a table: its panels read back, ``(attacker, target)`` to the words of the cell."""
    found, columns = {}, []
    for line in table.splitlines()[2:]:
        names = [name for name in re.findall(r"\S+", line) if name in targets]
        if line.startswith(" ") and names and line.split() == names:
            columns = [(name, re.search(rf"(?<!\S){re.escape(name)}(?!\S)", line).end()) for name in names]
        elif columns and line and not line.startswith(" "):
            start = max(map(len, attackers))
            for name, end in columns:
                found[line[: max(map(len, attackers))].strip(), name] = tuple(line[start:end].split())
                start = end
    return found


@pytest.mark.parametrize("edition", ["pathfinder1", "dnd5e"])
@pytest.mark.parametrize("name", MAPS)
def test_matrix_holds_every_pair(name, edition):
    result = evaluation(name, edition)
    table = to_table(result, width=200)
    cells = cells_of(table, result.attackers, result.targets)
    assert len(cells) == len(result.attackers) * len(result.targets)
    for (attacker, target), cell in cells.items():
        if attacker == target:
            assert cell == (".",)
            continue
        verdict = result[attacker, target]
        if not verdict.can_attack:
            assert cell == ("-",)
            continue
        assert float(cell[-1]) == verdict.distance
        mark = "".join(cell[:-1]).removesuffix("*").removesuffix("~")
        assert "".join(cell[:-1]).endswith("*") is not verdict.line_of_sight
        harder = verdict.defense_modifier - verdict.attack_modifier
        assert (mark == "") is (verdict.cover == "none" and not harder)
        if mark:
            word, number = re.fullmatch(r"([^\d+-]*)([+-]\d+)", mark).groups()
            assert verdict.cover.startswith(word)
            assert int(number) == harder
            save = f", {verdict.save_modifier:+d} " if verdict.save_modifier else ""
            attack = f"{verdict.attack_modifier:+d} attack roll" if verdict.attack_modifier else ""
            defense = f"{verdict.defense_modifier:+d} AC" if verdict.defense_modifier else ""
            assert f"{verdict.cover}: {', '.join(filter(None, (attack, defense)))}{save}" in table


@pytest.mark.parametrize("width", [60, 80, 100, 120, 160])
@pytest.mark.parametrize("name", [*MAPS, "dungeon"])
def test_lines_keep_to_the_width(name, width):
    table = to_table(evaluation(name), width=width)
    assert max(map(len, table.splitlines()[1:-1])) <= width
    assert table.isascii()
    assert not any(line != line.rstrip() for line in table.splitlines())


def test_list_names_every_target_that_can_be_attacked():
    result = evaluation("dungeon")
    table = to_table(result, width=100)
    assert "the other" in table
    blocks = dict(block.split("\n", 1) for block in table.split("\n\n")[1:-1])
    assert tuple(blocks) == result.attackers
    for i, attacker in enumerate(result.attackers):
        named = re.findall(r"(\S+) (\d+)(?![^\s,])", blocks[attacker])
        possible = {
            (target, f"{result.distance[i, j]:g}")
            for j, target in enumerate(result.targets)
            if result.distinct[i, j] and result.can_attack[i, j]
        }
        impossible = {target for j, target in enumerate(result.targets) if not result.can_attack[i, j]}
        assert possible <= set(named)
        assert {name for name, _ in set(named) - possible} <= impossible | {"other"}
        for degree in {result.degrees[code] for code in result.cover[i][result.distinct[i]].tolist()}:
            assert f"\n  {degree} " in f"\n{blocks[attacker]}"


def test_each_attacker_reads_his_targets_from_near_to_far():
    table = to_table(evaluation("dungeon"), width=100)
    lines = re.findall(r"^  none +(.*)$", table, re.MULTILINE)
    assert len(lines) > 10
    for line in lines:
        distances = [float(number) for number in re.findall(r" (\d+)(?:,|$)", line)]
        assert distances == sorted(distances)


def test_few_impossible_targets_are_named_and_many_are_counted():
    few = gridlos.evaluate(gridlos.Scene.from_drawing("A#T#U"), edition="dnd5e")
    assert "A\n  total  no attack\n      T 10,\n      U 20\n" in to_table(few, width=1)
    many = gridlos.evaluate(gridlos.Scene.from_drawing("A#BCDEFGHI"), edition="dnd5e")
    assert "A\n  total  no attack\n      everybody\n" in to_table(many, width=1)
    assert "B\n  none\n      C 5\n" in to_table(many, width=1)
    assert "D\n  none" in to_table(many, width=1)
    more = gridlos.evaluate(gridlos.Scene.from_drawing("AZ#BCDEFGHI"), edition="dnd5e")
    assert "A\n  none\n      Z 5\n  total  no attack\n      the other 8\n" in to_table(more, width=1)


def test_one_pair_and_no_pair():
    scene = gridlos.Scene.from_drawing("A.T")
    one = gridlos.evaluate(scene, edition="dnd5e", attackers=["A"], targets=["T"])
    assert "   T\nA  10\n" in to_table(one)
    nobody = gridlos.evaluate(scene, edition="dnd5e", attackers=["A"], targets=["A"])
    assert to_table(nobody) == "ranged attacks by dnd5e: no pairs\n"
    empty = gridlos.evaluate(gridlos.Scene.from_drawing("..."), edition="dnd5e")
    assert to_table(empty) == "ranged attacks by dnd5e: no pairs\n"


def test_a_veto_is_no_attack_and_a_forced_attack_has_its_cell():
    scene = gridlos.Scene.from_drawing("A.T#B")
    words = [
        Override(attacker="A", target="T", veto=True),
        Override(attacker="A", target="B", force=True),
    ]
    table = to_table(gridlos.evaluate(scene, edition="dnd5e", attackers=["A"], overrides=words))
    row = next(line for line in table.splitlines() if line.startswith("A"))
    assert row.split() == ["A", ".", "-", "t+2*", "20"]
    assert "no attack: ruled out" in table
    assert "  t+2 10" in table


def test_unseen_targets_are_marked():
    scene = gridlos.Scene.from_drawing("A.T", walls=[CURTAIN])
    assert "A     .  * 10\n" in to_table(gridlos.evaluate(scene, edition="dnd5e"))
    assert "no line of sight" in to_table(gridlos.evaluate(scene, edition="dnd5e"))
    scene = gridlos.Scene.from_drawing("A.T.U", walls=[CURTAIN])
    assert "A\n  none  no line of sight\n      T 10\n" in to_table(
        gridlos.evaluate(scene, edition="dnd5e"), width=1
    )


def test_targets_that_cannot_be_attacked_because_nobody_sees_them():
    scene = gridlos.Scene.from_drawing("A.T.#..B\n..f.....\n.fff....\n..C.....", walls=[CURTAIN])
    found = gridlos.evaluate(scene, edition="pathfinder1")
    assert (found["A", "T"].cover, found["A", "T"].can_attack) == ("none", False)
    assert "\n  -   no attack: total cover; or total concealment\n" in to_table(found)
    listed = to_table(found, width=1)
    assert "\n  none   no attack: total concealment\n" in listed
    assert "  total  no attack\n" in listed


def test_distances_that_are_no_whole_feet():
    scene = gridlos.Scene.from_drawing("A.T\n\nscene feet_per_square=2.5")
    assert "A  .  5" in to_table(gridlos.evaluate(scene, edition="dnd5e"))
    scene = gridlos.Scene.from_drawing("AT\n\nscene feet_per_square=2.5")
    assert np.asarray(gridlos.evaluate(scene, edition="dnd5e").distance)[0, 1] == 2.5
    assert "A    .  2.5" in to_table(gridlos.evaluate(scene, edition="dnd5e"))


def test_head_and_foot_say_what_was_asked():
    result = evaluation("gatehouse", attack="melee", options={"partial": "off"})
    table = to_table(result)
    assert table.startswith("Gatehouse: melee attacks by pathfinder1; ")
    assert "partial = off" in " ".join(table.split())

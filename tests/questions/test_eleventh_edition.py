"""An edition that nobody knows takes a table alone: all its words are its own, no Python speaks of it."""

import pytest

import gridlos
from gridlos.errors import EditionError
from gridlos.rules import load_edition
from gridlos.scene import Scene

TABLE = """
name = "Tinpot Skirmish"
source = "Tinpot Skirmish, first printing"
save = "reflex"
diagonals = "1"
line_of_effect = "clear"
cut_corners = "ignore"
degrees = ["none", "bushed", "walled", "gone"]
blocked_lines = ["none", "none", "walled", "walled", "walled"]
without_line_of_effect = "gone"
concealments = ["none", "murky", "black"]
unable = ["napping"]
higher_ground_feet = 3

[degree.none]
[degree.bushed]
rules = ["BUSH"]
[degree.walled]
rules = ["WALL"]
hides = true
[degree.gone]
forbids_attack = true

[concealment.none]
[concealment.murky]
rules = ["MURK"]
[concealment.black]
rules = ["MURK"]
unseen = true

[concealment_words]
light = "murky"
concealed = "murky"
heavy = "murky"
nearly_total = "black"
total = "black"

[cover_words]
light = "bushed"
partial = "bushed"
standard = "walled"
improved = "walled"
total = "gone"

[soft_cover]
blocked_lines = ["none", "bushed", "bushed", "bushed", "bushed"]

[stacking]
types = ["untyped", "hedge"]

[conditions]
napping = []
tipsy = []
woozy = ["tipsy"]

[dexterity]
lost = "NAP"

[senses]
darkvision = "one_step"

[circumstances]
TIPSY = { attacker = ["tipsy"], rules = ["TIPSY"] }
NAP = { target = ["napping"], dexterity = "lost", flags = ["sneak_attack"] }
SLING = { attacker = ["tipsy"], weapons = ["sling"], forbids_attack = true }
HIGH = { higher_ground = true, attack = "ranged", rules = ["HIGH"] }
GLOOM = { light = "dark", conceals = "black" }

[rules]
BUSH = { text = "bush", type = "hedge", modifiers = { defense = 1 }, source = "Tinpot, Cover, Bushes" }
WALL = { text = "wall", type = "hedge", modifiers = { defense = 3, save = 1 }, source = "Tinpot, Cover, Walls" }
MURK = { text = "murk", modifiers = { flat_check = 7 }, source = "Tinpot, Sight, Murk" }
TIPSY = { text = "tipsy", modifiers = { attack = { melee = -1, ranged = -5 } }, source = "Tinpot, States, Tipsy" }
NAP = { text = "napping", source = "Tinpot, States, Napping" }
HIGH = { text = "height", modifiers = { attack = 2 }, source = "Tinpot, Ground, Height" }

[dice]
natural_20 = "hits"
critical = "none"
"""

SCENE = Scene.from_drawing(
    """
    .......
    .A.#.T.
    .......
    ..B.N..
    """,
    creatures={
        "A": {"side": "x", "conditions": ["woozy"], "weapon": "bow"},
        "B": {"side": "x", "elevation": 3, "weapon": "sling"},
        "N": {"side": "y", "dexterity": 4, "conditions": ["napping"]},
        "T": {"side": "y"},
    },
)


@pytest.fixture
def tinpot(tmp_path):
    path = tmp_path / "tinpot.toml"
    path.write_text(TABLE, encoding="utf-8")
    return path


def test_an_edition_of_its_own_words(tinpot):
    found = gridlos.evaluate(SCENE, edition=tinpot)
    assert (found.frame["edition"], found.degrees) == ("tinpot", ("none", "bushed", "walled", "gone"))
    assert found["A", "T"].cover == "gone"  # a pillar as wide as the square hides who stands in line behind it
    assert not found["A", "T"].can_attack
    assert found["A", "N"].attack_modifier == -5
    assert (found["B", "N"].attack_modifier, found["B", "N"].defense_modifier) == (2, -4)
    assert found["B", "N"].sneak_attack
    assert found["B", "N"].loses_dexterity
    assert not found["N", "B"].sneak_attack
    slings = gridlos.evaluate(SCENE, edition=tinpot, weapon="sling")
    assert not slings["A", "N"].can_attack
    assert slings["B", "N"].can_attack
    melee = gridlos.evaluate(SCENE, edition=tinpot, attack="melee")
    assert melee["A", "N"].attack_modifier == -1


def test_its_light_and_its_dice(tinpot):
    scene = Scene(SCENE.battle_map, creatures=SCENE.creatures, light="dark")
    found = gridlos.evaluate(scene, edition=tinpot)
    assert found["B", "N"].concealment == "black"
    assert found["B", "N"].flat_check == 7
    odds = gridlos.chances(found, bonus=20, defense=10, damage="1d6", edition=load_edition(tinpot))
    place = found.attackers.index("B"), found.targets.index("N")
    assert odds.hit[place] == pytest.approx(14 / 20)
    assert odds.critical[place] == 0


def test_all_its_problems_are_told_at_once(tinpot):
    wrong = TABLE.replace('critical = "none"', 'critical = "never"').replace('target = ["napping"]', 'target = ["naping"]')
    wrong = wrong.replace('conceals = "black"', 'conceals = "blak"').replace("{ defense = 1 }", "{ defence = 1 }")
    tinpot.write_text(wrong, encoding="utf-8")
    with pytest.raises(EditionError) as raised:
        load_edition(tinpot)
    problems = raised.value.problems
    assert len(problems) == 4
    assert all(problem.startswith("tinpot.toml: ") for problem in problems)
    for word in ("'napping'", "'black'", "'defense'"):
        assert any(f"did you mean {word}" in problem for problem in problems), problems
    assert any("dice.critical" in problem for problem in problems)

"""Conditions, and what else holds between two creatures, in the editions of this table: every number is typed from a book.

Each row of ``conditions_of_books.toml`` is asked in a scene of two creatures on open ground, and every column that the
edition has is compared, those of which the book says nothing too.
"""

from __future__ import annotations

import dataclasses
import tomllib
from pathlib import Path
from typing import Any

import pytest

import gridlos
from gridlos.records import Light
from gridlos.rules import load_edition
from gridlos.scene import Scene

BOOKS = tomllib.loads((Path(__file__).parent / "conditions_of_books.toml").read_text(encoding="utf-8"))
ROWS = [(edition, row) for edition, table in BOOKS.items() for row in table["rows"]]
NAMES = {  # in a row: column of the result, and what stands there if the row does not say
    "attack": ("attack_modifier", 0),
    "defense": ("defense_modifier", 0),
    "save": ("save_modifier", 0),
    "stealth": ("stealth_modifier", 0),
    "miss": ("miss_chance", 0),
    "allowed": ("can_attack", True),
    "denied": ("loses_dexterity", False),
    "sneak": ("sneak_attack", False),
    "advantage": ("combat_advantage", False),
    "roll": ("roll", "normal"),
}
KINDS = {"melee": ("AT....", "melee"), "ranged": ("A...T.", "ranged"), "near": ("AT....", "ranged")}


def result_of(
    drawing: str, edition: str, attack: str, creatures: dict[str, Any], options: dict[str, str] | None = None
) -> gridlos.verdict.Evaluation:
    margin = "." * drawing.find("\n") if "\n" in drawing else "." * len(drawing)
    scene = Scene.from_drawing(f"{margin}\n{drawing}\n{margin}", creatures=creatures)
    return gridlos.evaluate(scene, edition=edition, attack=attack, options=options or {})


def found(result: gridlos.verdict.Evaluation, attacker: str = "A", target: str = "T") -> dict[str, Any]:
    """What the result says of a pair, in the words of the rows; columns that the edition lacks say nothing."""
    i, j = result.attackers.index(attacker), result.targets.index(target)
    answers = {}
    for name, (column, nothing) in NAMES.items():
        value = result.columns[column][i, j].item() if column in result.columns else nothing
        answers[name] = result.words[column][value] if column in result.words else value
    return answers


def expected(row: dict[str, Any], kind: str) -> dict[str, Any]:
    said = row.get("both", {}) if kind != "near" else {}
    return {name: {**said, **row.get(kind, {})}.get(name, nothing) for name, (_, nothing) in NAMES.items()}


def shown(value: Any) -> str:
    if not isinstance(value, dict):
        return str(value)
    return f"{'+'.join(value.get('attacker', ())) or '-'} against {'+'.join(value.get('target', ())) or '-'}"


def test_rows_say_nothing_unknown():
    for _, row in ROWS:
        assert row.keys() <= {"attacker", "target", "weapon", "dexterity", "both", *KINDS}
        for kind in ("both", *KINDS):
            assert row.get(kind, {}).keys() <= NAMES.keys()


@pytest.mark.parametrize(("edition", "row"), ROWS, ids=shown)
def test_conditions_do_what_the_books_say(edition: str, row: dict[str, Any]) -> None:
    attacker = {"conditions": row.get("attacker", []), "side": "party"}
    attacker |= {"weapon": row["weapon"]} if "weapon" in row else {}
    target = {"conditions": row.get("target", []), "side": "monsters", "dexterity": row.get("dexterity", 3)}
    # Who stands next to an enemy shoots at disadvantage in the fifth edition; neutral creatures are nobody's enemies.
    for kind, (drawing, attack) in KINDS.items():
        if kind == "near" and kind not in row:
            continue
        side = {"side": "neutral"} if kind == "near" else {}
        result = result_of(drawing, edition, attack, {"A": attacker, "T": target | side})
        assert found(result) == expected(row, kind), kind
        assert not [warning for warning in result.frame["warnings"] if "condition" in warning]


# Words that the rows of the edition do not need: implied by none of its rules, or read only of those in the way.
BESIDES = {"dead", "moving", "petrified"}


@pytest.mark.parametrize("edition", BOOKS)
def test_every_condition_that_an_edition_knows_stands_in_a_row(edition):
    asked = {word for row in BOOKS[edition]["rows"] for word in (*row.get("attacker", ()), *row.get("target", ()))}
    known = set(load_edition(edition).table.conditions)
    assert asked <= known
    if edition in {"dnd35", "dnd4e", "dnd5e"}:
        assert known - asked <= BESIDES


@pytest.mark.parametrize(
    ("edition", "word"),
    [
        ("dnd35", "poisoned"),
        ("pathfinder1", "dazed"),
        ("dnd5e", "shaken"),
        ("dnd5e-2024", "squeezing"),
        ("dnd4e", "cowering"),
    ],
)
def test_a_condition_of_other_editions_gives_a_warning_and_nothing_else(edition, word):
    result = result_of("AT....", edition, "melee", {"A": {"conditions": [word]}, "T": {"conditions": [word]}})
    assert found(result) == expected({}, "melee")
    assert [warning for warning in result.frame["warnings"] if word in warning and "no rule" in warning]


# ---- what is between more than two

PARTY, MONSTERS = {"side": "party"}, {"side": "monsters"}


@pytest.mark.parametrize("edition", ["dnd35", "pathfinder1"])
def test_flanking_gives_sneak_attacks_in_melee(edition):
    creatures = {"A": PARTY, "B": PARTY, "T": MONSTERS}
    assert found(result_of("ATB...", edition, "melee", creatures)) == expected(
        {"melee": {"attack": 2, "sneak": True}}, "melee"
    )
    ranged = found(result_of("ATB...", edition, "ranged", creatures))
    assert not ranged["sneak"]


@pytest.mark.parametrize(("edition", "is_possible"), [("dnd35", False), ("pathfinder1", False), ("dnd30", True)])
def test_concealment_forbids_sneak_attacks(edition, is_possible):
    """Rogues cannot sneak attack what has concealment; the 3.0 text about flanking does not say so."""
    scene = Scene.from_drawing("ATB", creatures={"A": PARTY, "B": PARTY, "T": MONSTERS})
    clear, dim = (
        gridlos.evaluate(dataclasses.replace(scene, light=light), edition=edition, attack="melee") for light in ("bright", "dim")
    )
    assert (found(clear)["sneak"], found(dim)["sneak"]) == (True, is_possible)


@pytest.mark.parametrize("edition", ["dnd35", "pathfinder1"])
def test_who_shoots_into_melee_is_told_of_helpless_friends(edition):
    creatures = {"A": PARTY, "B": PARTY | {"conditions": ["unconscious"]}, "T": MONSTERS}
    verdict = result_of("A..T..\n...B..", edition, "ranged", creatures)["A", "T"]
    assert verdict.attack_modifier == -4
    assert any("unconscious or cannot move" in note for note in verdict.notes)


def test_combat_advantage_counts_once():
    creatures = {"A": PARTY, "B": PARTY, "T": MONSTERS | {"conditions": ["stunned", "prone"]}}
    assert found(result_of("ATB...", "dnd4e", "melee", creatures)) == expected(
        {"melee": {"attack": 2, "advantage": True}}, "melee"
    )


# Dungeon Master's Guide (2014): flanking; System Reference Documents: Ranged Attacks in Close Combat.
@pytest.mark.parametrize(
    ("edition", "attack", "target", "roll"),
    [
        ("dnd5e", "melee", [], "advantage"),
        ("dnd5e-2024", "melee", [], "normal"),
        ("dnd5e", "melee", ["invisible"], "normal"),
        ("dnd5e-2024", "melee", ["invisible"], "disadvantage"),
        ("dnd5e", "ranged", [], "disadvantage"),
        ("dnd5e-2024", "ranged", [], "disadvantage"),
        ("dnd5e", "ranged", ["stunned"], "advantage"),  # who is incapacitated does not hinder
        ("dnd5e-2024", "ranged", ["restrained"], "normal"),
    ],
)
def test_rolls_of_who_stands_between_two(edition, attack, target, roll):
    creatures = {"A": PARTY, "B": PARTY, "T": MONSTERS | {"conditions": target}}
    assert found(result_of("ATB...", edition, attack, creatures))["roll"] == roll


# -4, in Pathfinder -2 for a target two sizes larger than the friends who fight it, and 0 for one three sizes larger.
@pytest.mark.parametrize(
    ("size", "space", "dnd35", "pathfinder1"),
    [
        ("medium", 1, -4, -4),
        ("large", 2, -4, -4),
        ("huge", 3, -4, -2),
        ("gargantuan", 4, -4, 0),
        ("colossal", 6, -4, 0),
    ],
)
def test_shooting_into_melee(size, space, dnd35, pathfinder1):
    rows = ["......" + "T" * space + "." for _ in range(space)]
    drawing = "\n".join(["A....." + "T" * space + "B", *rows[1:]])
    creatures = {"A": PARTY, "B": PARTY, "T": MONSTERS | {"size": size}}
    for edition, penalty in (("dnd35", dnd35), ("pathfinder1", pathfinder1)):
        assert found(result_of(drawing, edition, "ranged", creatures))["attack"] == penalty
        alone = {**creatures, "B": MONSTERS}
        assert found(result_of(drawing, edition, "ranged", alone))["attack"] == 0
    for edition in ("dnd4e", "dnd5e", "dnd5e-2024"):
        assert found(result_of(drawing, edition, "ranged", creatures)) == expected({}, "ranged")


@pytest.mark.parametrize("edition", BOOKS)
def test_higher_ground_is_a_bonus_in_melee_in_the_third_generation(edition):
    creatures = {"A": PARTY | {"elevation": 2}, "T": MONSTERS}
    bonus = 1 if edition in {"dnd35", "pathfinder1"} else 0
    assert found(result_of("AT....", edition, "melee", creatures))["attack"] == bonus
    assert found(result_of("AT....", edition, "melee", creatures), "T", "A")["attack"] == 0
    assert found(result_of("A...T.", edition, "ranged", creatures))["attack"] == 0


@pytest.mark.parametrize(
    ("edition", "word"),
    [
        *(
            ("dnd35", word)
            for word in ("cowering", "dead", "helpless", "paralyzed", "sleeping", "stunned", "unconscious")
        ),
        *(("pathfinder1", word) for word in ("cowering", "dead", "helpless", "paralyzed", "stunned", "unconscious")),
        *(("dnd5e", word) for word in ("dead", "incapacitated", "paralyzed", "petrified", "stunned", "unconscious")),
        *(
            ("dnd5e-2024", word)
            for word in ("dead", "incapacitated", "paralyzed", "petrified", "stunned", "unconscious")
        ),
        *(
            ("dnd4e", word)
            for word in ("dazed", "dead", "dominated", "petrified", "stunned", "surprised", "unconscious")
        ),
    ],
)
def test_who_cannot_act_helps_nobody_to_flank(edition, word):
    creatures = {"A": PARTY, "B": PARTY, "T": MONSTERS}
    assert result_of("ATB...", edition, "melee", creatures)["A", "T"].flanked
    creatures["B"] = PARTY | {"conditions": [word]}
    assert not result_of("ATB...", edition, "melee", creatures)["A", "T"].flanked


# ---- options


@pytest.mark.parametrize("edition", ["dnd35", "pathfinder1"])
def test_the_options_of_conditions(edition):
    helpless = {"T": {"conditions": ["helpless"], "dexterity": 3}}
    found_here = found(result_of("AT....", edition, "melee", helpless, {"helpless_dex": "only_four"}))
    assert (found_here["defense"], found_here["denied"]) == (-7, True)
    higher = {"A": {"elevation": 4}}
    assert found(result_of("AT....", edition, "melee", higher, {"higher_ground_ft": "5"}))["attack"] == 0


def test_grappling_by_the_table_or_by_the_condition_in_pathfinder():
    creatures = {"A": {"conditions": ["grappling"]}, "T": {"conditions": ["grappling"], "dexterity": 3}}
    by_table, by_condition = (
        found(result_of("AT....", "pathfinder1", "melee", creatures, {"grappling": value}))
        for value in ("table", "condition")
    )
    assert (by_table["attack"], by_table["defense"]) == (0, 0)
    assert (by_condition["attack"], by_condition["defense"]) == (-2, -2)


# ---- light: RULES A7, C64; DESIGN, Light

BRIGHT, DIM, DARK = "bright", "dim", "dark"


def in_light(
    edition: str, lights: tuple[str, str], senses: dict[str, Any], attack: str = "ranged"
) -> gridlos.verdict.Evaluation:
    """Two creatures 20 ft apart in the dark, each in the light of a candle that reaches no farther; the first has senses."""
    scene = Scene.from_drawing("A...T", creatures={"A": {"dexterity": 3, "senses": senses}, "T": {"dexterity": 3}})
    candles = [
        Light(at=(x, 0.5), bright=2 if light == BRIGHT else 0, dim=2)
        for x, light in zip((0.5, 4.5), lights, strict=True)
        if light != DARK
    ]
    return gridlos.evaluate(dataclasses.replace(scene, light=DARK, lights=candles), edition=edition, attack=attack)


def told(result: gridlos.verdict.Evaluation, attacker: str, target: str) -> tuple[str, str | None]:
    verdict = result[attacker, target]
    return verdict.concealment, found(result, attacker, target)["roll"] if "roll" in result.columns else None


# The edition, the light of both, whether the first has darkvision or low-light vision; how the first sees the second, and
# the second the first, each with the roll of its attack.
@pytest.mark.parametrize(
    ("edition", "lights", "senses", "first", "second"),
    [
        ("dnd35", (BRIGHT, DIM), "", ("concealed", None), ("none", None)),
        ("dnd35", (BRIGHT, DARK), "", ("total", None), ("none", None)),
        ("dnd35", (DARK, DARK), "darkvision", ("none", None), ("total", None)),
        ("dnd35", (DIM, DIM), "low_light", ("concealed", None), ("concealed", None)),
        ("pathfinder1", (BRIGHT, DIM), "", ("concealed", None), ("none", None)),
        ("pathfinder1", (BRIGHT, DARK), "", ("total", None), ("none", None)),
        ("pathfinder1", (DIM, DARK), "darkvision", ("none", None), ("concealed", None)),
        ("dnd5e", (BRIGHT, DIM), "", ("lightly obscured", "normal"), ("none", "normal")),
        ("dnd5e", (BRIGHT, DARK), "", ("heavily obscured", "disadvantage"), ("none", "advantage")),
        ("dnd5e", (DARK, DARK), "", ("heavily obscured", "normal"), ("heavily obscured", "normal")),
        ("dnd5e", (DARK, DARK), "darkvision", ("lightly obscured", "advantage"), ("heavily obscured", "disadvantage")),
        ("dnd5e", (BRIGHT, DIM), "darkvision", ("none", "normal"), ("none", "normal")),
        ("dnd5e-2024", (DARK, DARK), "darkvision", ("lightly obscured", "advantage"), ("heavily obscured", "disadvantage")),
        ("dnd5e-2024", (DIM, DIM), "low_light", ("lightly obscured", "normal"), ("lightly obscured", "normal")),
        ("dnd4e", (BRIGHT, DIM), "", ("concealed", None), ("none", None)),
        ("dnd4e", (DIM, DIM), "low_light", ("none", None), ("concealed", None)),
        ("dnd4e", (DARK, DARK), "darkvision", ("none", None), ("total", None)),
        ("dnd4e", (DARK, DARK), "low_light", ("total", None), ("total", None)),
    ],
)  # fmt: skip
def test_light_conceals(edition, lights, senses, first, second):
    having = {"": {}, "darkvision": {"darkvision": 60}, "low_light": {"low_light": True}}[senses]
    result = in_light(edition, lights, having)
    assert (told(result, "A", "T"), told(result, "T", "A")) == (first, second)


def test_in_pathfinder_who_does_not_see_in_the_dark_is_blinded_towards_it():
    result = in_light("pathfinder1", (DARK, BRIGHT), {}, "melee")
    struck = found(result)  # out of the dark: -2, and no Dexterity
    assert (struck["defense"], struck["denied"], struck["sneak"]) == (-5, True, True)
    assert (found(result, "T", "A")["defense"], found(result, "T", "A")["miss"]) == (0, 50)
    assert found(in_light("dnd35", (DARK, BRIGHT), {}, "melee")) == expected({}, "melee")


def test_in_the_fourth_edition_who_strikes_out_of_the_dark_has_combat_advantage():
    result = in_light("dnd4e", (DARK, BRIGHT), {})
    assert found(result) == expected({"ranged": {"attack": 2, "advantage": True}}, "ranged")
    assert found(result, "T", "A") == expected({"ranged": {"attack": -5}}, "ranged")


# A torch: 20 ft of normal light, and as much again of dim light; low-light vision sees twice as far, or in dim as in bright
# light, or is none of the edition's senses.
@pytest.mark.parametrize(
    ("edition", "plain", "low_light"),
    [
        ("dnd35", ["none", "concealed", "total"], ["none", "none", "concealed"]),
        ("pathfinder1", ["none", "concealed", "total"], ["none", "none", "concealed"]),
        ("dnd4e", ["none", "concealed", "total"], ["none", "none", "total"]),
        ("dnd5e", ["none", "lightly obscured", "heavily obscured"], ["none", "lightly obscured", "heavily obscured"]),
    ],
)
def test_low_light_vision_at_the_edge_of_a_torch(edition, plain, low_light):
    drawing, names = "A...B...C...D", ("B", "C", "D")  # 20, 40 and 60 ft from the torch
    for senses, seen in ((False, plain), (True, low_light)):
        creatures = {"A": {"senses": {"low_light": senses}}, **{name: {"gives_cover": False} for name in names}}
        scene = Scene.from_drawing(drawing, creatures=creatures)
        torch = Light(at=(0.5, 0.5), bright=20, dim=40)
        result = gridlos.evaluate(
            dataclasses.replace(scene, light=DARK, lights=[torch]), edition=edition, attack="ranged"
        )
        assert [result["A", name].concealment for name in names] == seen

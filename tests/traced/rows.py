"""The checks of the tables' cells: every entry of tables.toml is one."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

from traced.registry import EDITIONS, Load, add, fills
from traced.scenes import FAR, NEAR, ask, has

from gridlos.verdict import Verdict

TABLES: Mapping[str, Any] = tomllib.loads(Path(__file__).with_name("tables.toml").read_text(encoding="utf-8"))
ROW_BY_ID = {row["id"]: row for row in TABLES["row"]}

DEXTERITY_RULES = {
    "defense": {"lost": "S000-65", "less": "S000-66", "zero": "S000-67"},
    "hybrid35": {"lost": "S002-26", "less": "S002-27", "zero": "S002-30"},
    "dnd30": {"lost": "S004-20", "zero": "S004-26"},
}
"""The statement by which the defender's Dexterity part changes."""

DEFENDERS = ((0, 0), (3, 0), (-1, 0), (3, 2))
"""Dexterity and shield of who is attacked."""


def changed(fate: str, dexterity: int) -> int:
    """Return the change of the Dexterity part of the defense."""
    return {"": 0, "lost": -max(0, dexterity), "less": -2, "zero": -5 - dexterity}[fate]


def fate_of(row: Mapping[str, Any], attack: str) -> str:
    """Return what befalls the defender's Dexterity in such an attack."""
    fate = row.get("dexterity", "")
    return fate if isinstance(fate, str) else fate[attack == "ranged"]


def sums(verdict: Verdict) -> tuple[int, int]:
    """Return what is added to the attack roll and to the defense."""
    return verdict.attack_modifier, verdict.defense_modifier


def asked(edition: str, load: Load, row: Mapping[str, Any], word: str, attack: str, **more: Any) -> Verdict:
    """Return the verdict where one of the two has the condition; ``more``: of the target or attacker, by role."""
    keys = {"attacker": {}, "target": {}, **more}
    keys[row["role"]] = {**keys[row["role"]], "conditions": [word] if word else []}
    options = keys.pop("options", None)
    drawing = NEAR if attack == "melee" else FAR
    return ask(edition, load, drawing, attack, a=keys["attacker"], t=keys["target"], options=options)


def check_row(edition: str, row: Mapping[str, Any], load: Load) -> None:
    """Each word of the row has its two numbers, does to Dexterity and shield what it says, and nothing else."""
    for word in row["each"]:
        for attack in ("melee", "ranged"):
            check_cell(edition, row, word, attack, load)


def check_cell(edition: str, row: Mapping[str, Any], word: str, attack: str, load: Load) -> None:
    """One word against one kind of attack."""
    number, fate = row[attack], fate_of(row, attack)
    lost_shield = -2 if row.get("shield") == "lost" else 0
    weapon = row.get("weapons", [None])[0] if attack == "ranged" else None
    armed = {"weapon": weapon} if weapon else {}
    for dexterity, shield in DEFENDERS:
        target = {"dexterity": dexterity, "shield": shield}
        found = asked(edition, load, row, word, attack, target=target, attacker=armed)
        defense = changed(fate, dexterity) + (lost_shield if shield else 0)
        expected = (number, defense) if row["on"] == "attack" else (0, number + defense)
        assert sums(found) == expected, (word, attack, dexterity, shield)
        assert found.loses_dexterity is (fate in ("lost", "zero")), (word, attack)
    assert found.can_attack, (word, attack)
    assert found.save_modifier == row.get("save", 0), (word, attack)
    if "sneak" in row:
        assert found.sneak_attack is row["sneak"], (word, attack)
    check_reasons(edition, row, word, attack, load)


def check_reasons(edition: str, row: Mapping[str, Any], word: str, attack: str, load: Load) -> None:
    """The numbers name their statements, and where the game master has a word a note says so."""
    number, fate = row[attack], fate_of(row, attack)
    weapon = row.get("weapons", [None])[0] if attack == "ranged" else None
    found, plain = (
        asked(edition, load, row, one, attack, target={"dexterity": 3}, attacker={"weapon": weapon} if weapon else {})
        for one in (word, "")
    )
    if number and "id" in row:
        ids = (row["id"], *row.get("also", ()))
        assert any(has(found, one, row["on"], number) for one in ids), (word, attack, found.modifiers)
    if fate and row["role"] == "target" and edition in DEXTERITY_RULES:
        rule = DEXTERITY_RULES[edition][fate]
        assert any(one.rule == rule and one.on == "defense" for one in found.modifiers), (word, attack, rule)
    assert sums(plain) == (0, 0)
    assert not plain.loses_dexterity
    if attack in row.get("note", ()):
        assert set(found.notes) - set(plain.notes), (word, attack, "the game master has no word")


def check_weapons(edition: str, row: Mapping[str, Any], load: Load) -> None:
    """Ranged attacks are possible with these weapons, at that number, and with no other; melee is with all."""
    for word in row["each"]:
        for weapon in (None, "bow", "thrown", "crossbow", "shuriken"):
            found = asked(edition, load, row, word, "ranged", attacker={"weapon": weapon})
            assert found.can_attack is (weapon in row["weapons"]), (word, weapon)
            if found.can_attack:
                assert sums(found) == (row["ranged"], 0), (word, weapon)
            assert asked(edition, load, row, "", "ranged", attacker={"weapon": weapon}).can_attack
        assert asked(edition, load, row, word, "melee").can_attack


def check_cover(edition: str, entry: Mapping[str, Any], load: Load) -> None:
    """A degree of cover has its numbers and nothing else, in every kind of attack."""
    fence = [{"start": (1, 0), "end": (1, 1), "kind": "fence", "cover": entry["word"]}]
    rules = load(edition).table.rules
    for attack, drawing in (("ranged", NEAR), ("ranged", FAR), ("melee", NEAR)):
        found = ask(edition, load, drawing, attack, walls=fence)
        assert found.cover == entry["degree"], attack
        assert sums(found) == (entry.get("attack", 0), entry.get("defense", 0)), attack
        for statistic, column in (("save", "save_modifier"), ("stealth", "stealth_modifier")):
            assert getattr(found, column) == entry.get(statistic, 0), (attack, statistic)
        assert found.miss_chance == 0
        assert found.evasion == entry.get("evasion", "none"), attack
        assert found.can_attack
        assert found.can_hide is entry.get("hides", False), attack
        if attack == "melee":
            assert found.opportunity is not entry.get("stops_aoo", False)
        for one in found.modifiers:
            carried = {one.rule, *rules[one.rule].also}
            assert carried & set(entry["ids"]), (attack, one, "by a statement of another table")


def check_concealment(edition: str, entry: Mapping[str, Any], load: Load) -> None:
    """A degree of concealment has its numbers and nothing else, against shots and against reach."""
    mist = {"m": {"kind": "brush", "concealment": entry["word"]}}
    for attack, drawing, reach in (("ranged", "A.m.T", 5), ("melee", "AmT", 10)):
        found = ask(edition, load, drawing, attack, legend=mist, a={"reach": reach})
        assert found.concealment == entry["degree"], attack
        assert found.cover == "none"
        assert found.line_of_effect
        assert found.miss_chance == entry.get("miss_chance", 0), attack
        assert (found.attack_modifier, found.defense_modifier) == (0, entry.get("defense", 0)), attack
        assert found.save_modifier == 0
        assert found.can_hide is entry.get("hides", False), attack


def register() -> None:
    """Register every entry of the tables."""
    for row in TABLES["row"]:
        edition = EDITIONS[row["id"].partition("-")[0]]
        ids = (row["id"], *row.get("also", ()))
        add(f"row {row['id']}", ids, partial(check_row, edition, row))
        if "weapons" in row:
            add(f"weapons {row['id']}", ids, partial(check_weapons, edition, row))
    for key, check in (("cover", check_cover), ("concealment", check_concealment)):
        for entry in TABLES[key]:
            edition = EDITIONS[entry["ids"][0].partition("-")[0]]
            add(f"{key} {entry['degree']}", tuple(entry["ids"]), partial(check, edition, entry))
    for row in TABLES["core"]:
        fills("starfinder1", f"core rulebook: {row['name']}", partial(check_row, "starfinder1", row))
    for entry in TABLES["core_cover"]:
        fills("starfinder1", f"core rulebook: {entry['degree']} cover", partial(check_cover, "starfinder1", entry))


register()

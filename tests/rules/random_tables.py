"""Random house rules: conditions, circumstances of all keys, Dexterity, senses, size, areas and notes over any edition."""

from __future__ import annotations

import json
from random import Random

from gridlos.rules import Table

WORDS = ("addled", "broken", "chained", "drowsy", "earthen", "feeble")
WEAPONS = ("crossbow", "shuriken", "longbow")
FLAGS = ("sneak_attack", "off_guard", "combat_advantage")
STATISTICS = ("attack", "defense", "save", "stealth", "miss_chance")
LATER = {
    "attacker_light": ("dim", "dark"),
    "attacker_unseen": (True, False),
    "target_unseen": (True, False),
    "flanked": (True, False),
}
"""Keys that what conceals cannot have."""

KEYS = {
    "attack": ("ranged", "melee", "area"),
    "adjacent": (True, False),
    "higher_ground": (True, False),
    "light": ("dim", "dark"),
    "engaged": ("close", "two_larger", "three_larger"),
    "crowded": (True, False),
}


def house_rules(seed: int, base: str, table: Table) -> str:
    """Return the text of random house rules over an edition with this table."""
    random = Random(seed)
    house = {"extends": base, **_conditions(random), **_rules(random, table), **_ways(random, table)}
    for k in range(random.randint(1, 8)):
        house |= {f"circumstances.R{k}.{key}": value for key, value in _circumstance(random, table).items()}
        house |= {f"notes.R{k}.{key}": value for key, value in _note(random, table, k).items()}
    return "".join(f"{key} = {json.dumps(value)}\n" for key, value in house.items())


def _some(random: Random, words: tuple[str, ...], most: int = 2) -> list[str]:
    return random.sample(words, random.randint(1, most))


def _conditions(random: Random) -> dict[str, object]:
    """Return conditions that imply others, in circles, too."""
    return {f"conditions.{word}": random.sample(WORDS, random.choice([0, 0, 1, 2])) for word in WORDS}


def _rules(random: Random, table: Table) -> dict[str, object]:
    found: dict[str, object] = {}
    types = [one for one in table.stacking.types if one != "roll"]
    for k in range(6):
        found |= {f"rules.R{k}.text": f"rule {k}", f"rules.R{k}.source": "x", f"rules.R{k}.type": random.choice(types)}
        for statistic in random.sample(STATISTICS, random.randint(0, 3)):
            key = f"rules.R{k}.modifiers.{statistic}"
            if random.random() < 0.5:
                found[key] = random.randint(-6, 6)
            else:
                kinds = random.sample(KEYS["attack"], random.randint(1, 3))
                found |= {f"{key}.{kind}": random.randint(-6, 6) for kind in kinds}
    for name in ("LOST", "LESS", "ZERO", "SHIELD-0", "SHIELD-1"):
        found |= {f"rules.{name}.text": name, f"rules.{name}.source": "x"}
    found |= {f"dexterity.{effect}": effect.upper() for effect in ("lost", "less", "zero")}
    return found | {"dexterity.less_modifier": random.randint(-4, 0), "dexterity.zero_modifier": random.randint(-6, 0)}


def _ways(random: Random, table: Table) -> dict[str, object]:
    """Return what an edition says once: of light, size, higher ground and areas."""
    scale = [word for word in table.degrees if word not in ("total", "soft")]
    degrees = scale[random.choice([0, 0, 1, 2]) : random.choice([None, None, -1])]
    return {
        "senses.darkvision": random.choice(["sees", "one_step"]),
        "senses.low_light": random.choice(["doubles", "dim_is_bright", "nothing"]),
        "size_shift.degrees": degrees,
        "size_shift.relative_to": random.choice(["medium", "target"]),
        "higher_ground_feet": random.choice([1, 2, 5]),
        "area.spread": random.choice(["negates", "applies"]),
        "soft_cover.area": random.choice(["applies", "not"]),
    }


def _circumstance(random: Random, table: Table) -> dict[str, object]:
    known = (*WORDS, *WORDS, *table.conditions)
    found: dict[str, object] = {"rules": []}
    for key in ("attacker", "attacker_without", "target", "target_without"):
        if random.random() < 0.2:
            found[key] = _some(random, known, 4 if "without" not in key else 2)
    for key in ("weapons", "other_weapons"):
        if random.random() < 0.1:
            found[key] = _some(random, WEAPONS)
    conceals = random.random() < 0.3
    for key, values in (KEYS if conceals else {**KEYS, **LATER}).items():
        if random.random() < 0.15:
            found[key] = random.choice(values)
    if conceals:
        found["conceals"] = random.choice(table.concealments)
    if random.random() < 0.6:
        found["rules"] = [f"R{k}" for k in random.sample(range(6), random.randint(1, 3))]
    if random.random() < 0.4:
        found["dexterity"] = random.choice(["lost", "less", "zero"])
    if random.random() < 0.2:
        found["shield"] = random.choice(["SHIELD-0", "SHIELD-1"])
    if random.random() < 0.3:
        found["flags"] = _some(random, FLAGS)
    if random.random() < 0.1:
        found["forbids_attack"] = True
    return found


def _note(random: Random, table: Table, k: int) -> dict[str, object]:
    found: dict[str, object] = {"text": f"note {k}", "source": "x", "when.circumstances": [f"R{random.randint(0, k)}"]}
    more = {
        "degrees": random.sample(table.degrees, 2),
        "concealments": random.sample(table.concealments, 2),
        "attack": random.choice(KEYS["attack"]),
        "can_attack": random.random() < 0.5,
    }
    return found | {f"when.{key}": value for key, value in more.items() if random.random() < 0.3}

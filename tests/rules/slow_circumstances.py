"""A second, slow reading of what holds between one attacker and one target: the words of the tables, one pair at a time."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from gridlos.facts import Attack, Light, PairFacts, Traits
from gridlos.rules import Rule, Statistic, Table
from gridlos.rules.kinds import Circumstance

UNKNOWN_DEXTERITY = "the target's Dexterity is not known and counts as +0"
THOUSANDTHS = 1000


@dataclass(frozen=True)
class Body:
    """What one creature is, its conditions with all that they imply."""

    conditions: frozenset[str] = frozenset()
    is_known: bool = False
    weapon: str | None = None
    dexterity: int | None = None
    shield: int = 0
    size: int = 0
    feet: int = 0
    low_light: bool = False


@dataclass(frozen=True)
class Number:
    """A number that a rule adds to a statistic."""

    on: Statistic
    value: int
    type: str
    rule: str


@dataclass(frozen=True)
class Meeting:
    """One attacker and one target, and what is found out about them before circumstances are asked for.

    What depends on concealment is None as long as that is not known.
    """

    attacker: Body
    target: Body
    attack: Attack
    adjacent: bool
    light: Light
    engaged: int
    crowded: bool
    attacker_light: Light | None = None
    attacker_unseen: bool | None = None
    target_unseen: bool | None = None
    flanked: bool | None = None


def body_of(table: Table, traits: Traits | None, k: int) -> Body:
    """Return what creature ``k`` is."""
    if traits is None:
        return Body()
    return Body(
        conditions=with_implied(table, traits.conditions[k]),
        is_known=True,
        weapon=traits.weapons[k],
        dexterity=int(traits.dexterity[k]) if traits.knows_dexterity[k] else None,
        shield=int(traits.shield[k]),
        size=int(traits.size[k]),
        feet=int(traits.feet[k]),
        low_light=bool(traits.low_light[k]),
    )


def with_implied(table: Table, conditions: Iterable[str]) -> frozenset[str]:
    """Return the conditions with those that they imply, and those that these imply."""
    found = set(conditions)
    for _ in range(len(table.conditions) + 1):
        found |= {implied for word in found for implied in table.conditions.get(word, ())}
    return frozenset(found)


def light_seen(table: Table, facts: PairFacts, at: tuple[int, int], viewer: Body) -> Light:
    """Return the light in which a viewer sees what he looks at, after what his senses make of it."""
    if facts.light is None:
        return Light.BRIGHT
    light = Light(facts.light[at])
    by_sense = [light]
    if facts.darkvision is not None and facts.darkvision[at]:
        step_up = {Light.DARK: Light.DIM, Light.DIM: Light.BRIGHT, Light.BRIGHT: Light.BRIGHT}
        by_sense.append(Light.BRIGHT if table.senses.darkvision == "sees" else step_up[light])
    if light is Light.DIM and viewer.low_light and table.senses.low_light == "dim_is_bright":
        by_sense.append(Light.BRIGHT)
    return max(by_sense)


def meeting_of(table: Table, facts: PairFacts, at: tuple[int, int], attack: Attack) -> Meeting:
    """Return what holds between a pair whatever conceals the two."""
    i, j = at
    attacker = body_of(table, facts.attackers, i)
    return Meeting(
        attacker=attacker,
        target=body_of(table, facts.targets, j),
        attack=attack,
        adjacent=bool(facts.adjacent[at]),
        light=light_seen(table, facts, at, attacker),
        engaged=-1 if facts.engaged is None else int(facts.engaged[at]),
        crowded=facts.crowded is not None and bool(facts.crowded[i]),
    )


def is_met(table: Table, one: Circumstance, found: Meeting) -> bool:
    """Return whether the pair meets every key that is given."""
    a, t = found.attacker, found.target
    if one.attacker is not None and not a.conditions & set(one.attacker):
        return False
    if one.target is not None and not t.conditions & set(one.target):
        return False
    if a.conditions & set(one.attacker_without) or t.conditions & set(one.target_without):
        return False
    if one.attack is not None and one.attack is not found.attack:
        return False
    if one.weapons is not None and a.weapon not in one.weapons:
        return False
    if one.other_weapons is not None and a.weapon in one.other_weapons:
        return False
    if one.engaged is not None and not is_engaged(one.engaged, found.engaged):
        return False
    lights = {"dark": Light.DARK, "dim": Light.DIM}
    if one.light is not None and found.light is not lights[one.light]:
        return False
    if one.attacker_light is not None and found.attacker_light is not lights[one.attacker_light]:
        return False
    higher = a.feet - t.feet >= table.higher_ground_feet * THOUSANDTHS
    wanted = [
        (one.adjacent, found.adjacent),
        (one.higher_ground, higher),
        (one.crowded, found.crowded),
        (one.attacker_unseen, found.attacker_unseen),
        (one.target_unseen, found.target_unseen),
        (one.flanked, found.flanked),
    ]
    return all(asked in (None, has) for asked, has in wanted)


def is_engaged(word: str, steps: int) -> bool:
    """Return whether a target by so many steps larger than the largest friend who fights it is called so."""
    return {"close": 0 <= steps < 2, "two_larger": steps == 2, "three_larger": steps >= 3}[word]


def circumstances_of(table: Table, found: Meeting, *, concealing: bool | None = None) -> dict[str, Circumstance]:
    """Return the circumstances that the pair meets; ``concealing``: only those that conceal."""
    some = {name: one for name, one in table.circumstances.items() if not concealing or one.conceals is not None}
    return {name: one for name, one in some.items() if is_met(table, one, found)}


def dexterity_numbers(table: Table, met: Iterable[Circumstance], target: Body, attack: Attack) -> list[Number]:
    """Return what becomes of the target's Dexterity modifier, as changes of its defense."""
    effects = {one.dexterity for one in met} - {None}
    if attack is Attack.AREA or not target.is_known:
        return []
    modifier = target.dexterity or 0
    change = {}
    if "zero" in effects:
        change["zero"] = table.dexterity.zero_modifier - modifier
    else:
        change["less"] = table.dexterity.less_modifier if "less" in effects else 0
        left = modifier + change["less"]
        change["lost"] = -left if "lost" in effects and left > 0 else 0
    return [dexterity_number(table, effect, value) for effect, value in change.items() if value]


def dexterity_number(table: Table, effect: str, value: int) -> Number:
    rule = getattr(table.dexterity, effect)
    return Number(Statistic.DEFENSE, value, table.rules[rule].type, rule)


def numbers_of(table: Table, met: dict[str, Circumstance], found: Meeting) -> list[Number]:
    """Return all that circumstances add to statistics."""
    rules = {rule for one in met.values() for rule in one.rules}
    numbers = [
        Number(statistic, value_of(table.rules[rule], statistic, found.attack), table.rules[rule].type, rule)
        for rule in sorted(rules)
        for statistic in table.rules[rule].modifiers
    ]
    shields = [one.shield for one in met.values() if one.shield is not None]
    if shields and found.attack is not Attack.AREA:
        numbers.append(Number(Statistic.DEFENSE, -found.target.shield, table.rules[shields[0]].type, shields[0]))
    return numbers + dexterity_numbers(table, met.values(), found.target, found.attack)


def value_of(rule: Rule, statistic: Statistic, attack: Attack) -> int:
    """Return the number of a rule; one for all attacks is none in an area, but for saves and Stealth."""
    number = rule.modifiers[statistic]
    if isinstance(number, int):
        has_roll = statistic not in (Statistic.SAVE, Statistic.STEALTH)
        return 0 if attack is Attack.AREA and has_roll else number
    return getattr(number, attack.value)


def total(table: Table, numbers: Iterable[Number], statistic: Statistic) -> int:
    """Return what the numbers add to a statistic: the largest of one type, unless the type adds; one rule once."""
    found = 0
    for sign, adding in ((1, table.stacking.bonuses_add), (-1, table.stacking.penalties_add)):
        largest: dict[tuple[str, str], int] = {}
        for one in numbers:
            if one.on is statistic and one.value * sign > 0:
                slot = one.type, one.rule if one.type in adding else ""
                largest[slot] = max(largest.get(slot, 0), one.value * sign)
        found += sign * sum(largest.values())
    return found

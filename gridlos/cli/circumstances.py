"""What circumstances, senses and rules of an edition do, in words for people."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence

from gridlos.cli.output import terminal_width
from gridlos.facts import Attack
from gridlos.rules import ROLLS, Circumstance, Edition, Rule, Statistic
from gridlos.verdict import statistic_word

__all__ = ["circumstances", "numbers_of", "senses", "wrapped"]

DARKVISION = {"sees": "sees as in bright light", "one_step": "sees in dark as in dim light, in dim as in bright light"}
LOW_LIGHT = {
    "doubles": "lights reach twice as far",
    "dim_is_bright": "dim light is as good as bright light",
    "nothing": "no rule of its own",
}
DEXTERITY = {
    "lost": "no Dexterity bonus",
    "less": "{0.less_modifier:+d} to the Dexterity modifier",
    "zero": "Dexterity modifier {0.zero_modifier:+d}",
}
WORDED = {
    "light": "target in light that is {} to the attacker",
    "attacker_light": "attacker in light that is {} to the target",
    "engaged": "target in melee with the attacker's friends, {}",
    "weapons": "with {}",
    "other_weapons": "with no {}",
    "attack": "{}",
}
ENGAGED = {
    "close": "less than two steps of size larger",
    "two_larger": "two steps of size larger",
    "three_larger": "three steps of size larger or more",
}
KEYS = {
    "adjacent": ("adjacent", "not adjacent"),
    "higher_ground": ("attacker on higher ground", "attacker not on higher ground"),
    "attacker_unseen": ("target does not see the attacker", "target sees the attacker"),
    "target_unseen": ("attacker does not see the target", "attacker sees the target"),
    "flanked": ("target flanked", "target not flanked"),
    "crowded": ("an enemy next to the attacker", "no enemy next to the attacker"),
}
"""What the words of tables mean, for people."""


def senses(edition: Edition) -> Iterator[str]:
    """Yield what senses do in bad light."""
    table = edition.table.senses
    yield from ("", "senses")
    far = "at any distance" if table.darkvision_range == "unlimited" else "within its range"
    yield from wrapped(f"darkvision: {DARKVISION[table.darkvision]}, {far}", "  ")
    yield f"  low-light vision: {LOW_LIGHT[table.low_light]}"


def circumstances(edition: Edition) -> Iterator[str]:
    """Yield what conditions and other circumstances do."""
    table = edition.table
    yield from ("", "conditions and other circumstances")
    for name, one in table.circumstances.items():
        does = _consequences(edition, one)
        if does:
            yield from wrapped(f"{', '.join(_met(one))}: {', '.join(does)}", f"  {name}: ")
    implied = [f"{word}: {', '.join(more)}" for word, more in sorted(table.conditions.items()) if more]
    if implied:
        yield from wrapped(f"a condition brings others; {'; '.join(implied)}", "  ")
    if table.unable:
        yield from wrapped(f"threatens nobody: who is {_one_of(table.unable)}", "  ")
    if table.size_shift is not None and table.size_shift.degrees:
        relative = {"medium": "Medium", "target": "the target"}[table.size_shift.relative_to]
        scale, how = ", ".join(table.size_shift.degrees), "finds cover a degree milder a step, a smaller one a degree worse"
        yield from wrapped(f"an attacker larger than {relative} {how}: {scale}", "  ")
    spread = "negates the cover" if table.area.spread == "negates" else "leaves the cover as it is"
    yield f"  an effect on an area that spreads round corners {spread}"


def _met(one: Circumstance) -> Iterator[str]:
    """Yield when a circumstance holds, in words."""
    for who, words, without in (
        ("attacker", one.attacker, one.attacker_without),
        ("target", one.target, one.target_without),
    ):
        if words is not None:
            yield f"{who} {_one_of(words)}"
        if without:
            yield f"{who} not {_one_of(without)}"
    for key, (yes, no) in KEYS.items():
        value = getattr(one, key)
        if value is not None:
            yield yes if value else no
    for key, text in WORDED.items():
        value = getattr(one, key)
        if value is not None:
            yield text.format(ENGAGED.get(value, value) if isinstance(value, str) else _one_of(value))


def _consequences(edition: Edition, one: Circumstance) -> list[str]:
    """Return what a circumstance does, in words."""
    table = edition.table
    said = [text for name in one.rules if (text := numbers_of(table.rules[name], edition))]
    said += [DEXTERITY[one.dexterity].format(table.dexterity)] if one.dexterity else []
    said += ["no use of a shield"] if one.shield else []
    said += [f"concealment: {one.conceals}"] if one.conceals else []
    said += [flag.value.replace("_", " ") for flag in one.flags]
    return [*said, "no attack"] if one.forbids_attack else said


def _one_of(words: Sequence[str]) -> str:
    return " or ".join(words)


def numbers_of(rule: Rule, edition: Edition) -> str:
    """Return the numbers of a rule, both where they differ between ranged and melee attacks."""
    parts = []
    for statistic in Statistic:
        ranged, melee = (rule.value(statistic, attack) for attack in (Attack.RANGED, Attack.MELEE))
        texts = [_number(number, statistic, edition) for number in (ranged, melee)]
        if ranged == melee:
            parts += [texts[0]] if ranged else []
        elif ranged and melee:
            parts.append(f"{texts[0]} ({melee:+d} in melee)")
        else:
            parts.append(f"{texts[0]} against ranged attacks" if ranged else f"{texts[1]} in melee")
    return ", ".join(parts)


def _number(number: int, statistic: Statistic, edition: Edition) -> str:
    if statistic is Statistic.ROLL:
        return ROLLS[number % len(ROLLS)]
    if statistic is Statistic.FLAT_CHECK:
        return f"flat check {number}"
    if statistic is Statistic.MISS_CHANCE:
        return f"{number} % miss chance"
    return f"{number:+d} {statistic_word(statistic, edition.table.save)}"


def wrapped(text: str, head: str) -> list[str]:
    """Return a text that begins with a head, in lines of the terminal's width."""
    rest = " " * len(head)
    return textwrap.wrap(
        text, terminal_width(), initial_indent=head, subsequent_indent=rest, break_on_hyphens=False
    )

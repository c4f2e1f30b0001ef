"""Circumstances: which pairs meet which of them, and what these do to Dexterity, shield, flags and concealment."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from gridlos.facts import Attack, Bools, Light, Masks, PairFacts, Traits
from gridlos.rules.kinds import Circumstance, Flag, Statistic
from gridlos.rules.model import Edition
from gridlos.rules.stacking import Application

__all__ = ["Seen", "concealed_at_least", "consequences", "flags_of", "loses_dexterity", "met_by", "seen_light"]

Met = Mapping[str, Bools]

_THOUSANDTHS = 1000  # heights are told in thousandths of a foot
_LIGHTS: Mapping[str, Light] = {"dim": Light.DIM, "dark": Light.DARK}
_ENGAGED: Mapping[str, tuple[int, int]] = {"close": (0, 1), "two_larger": (2, 2), "three_larger": (3, 127)}
"""By how many steps of size the target is larger than its opponents: from, to."""


@dataclass(frozen=True, slots=True, eq=False)
class Seen:
    """How the two of each pair see each other, ``(A, T)`` each.

    Attributes
    ----------
    target_unseen
        The attacker does not see the target at all.
    flanked
        The attacker flanks the target; None: these facts do not tell.
    attacker_unseen
        The target does not see the attacker at all; None likewise.
    attacker_light
        uint8 of Light: the light in which the target sees the attacker; None: light is no matter.
    """

    target_unseen: Bools
    flanked: Bools | None
    attacker_unseen: Bools | None
    attacker_light: Masks | None


def seen_light(edition: Edition, facts: PairFacts) -> Masks | None:
    """Return the light in which each attacker sees each target, ``(A, T)`` of Light; None: light is no matter.

    It is the light on the target, and what the edition lets the attacker's senses make of it.
    """
    if facts.light is None:
        return None
    senses, light = edition.table.senses, facts.light
    if senses.low_light == "dim_is_bright" and facts.attackers is not None:
        light = np.where(facts.attackers.low_light[:, None] & (light == Light.DIM), np.uint8(Light.BRIGHT), light)
    if facts.darkvision is not None:
        better = np.uint8(Light.BRIGHT) if senses.darkvision == "sees" else np.minimum(light + 1, np.uint8(Light.BRIGHT))
        light = np.where(facts.darkvision, better, light)
    return light


def concealed_at_least(edition: Edition, facts: PairFacts, attack: Attack) -> Masks:
    """Return the least concealment that circumstances give to every pair, ``(A, T)`` uint8 codes."""
    circumstances = {name: one for name, one in edition.table.circumstances.items() if one.conceals is not None}
    codes = np.zeros(facts.shape, np.uint8)
    for name, pairs in _met(edition, circumstances, facts, attack, None).items():
        word = circumstances[name].conceals
        code = np.uint8(0 if word is None else edition.concealments.index(word))
        np.maximum(codes, code, out=codes, where=pairs)
    return codes


def met_by(edition: Edition, facts: PairFacts, attack: Attack, seen: Seen) -> dict[str, Bools]:
    """Return the circumstances that some pair meets, each with its pairs, ``(A, T)`` bool."""
    return _met(edition, edition.table.circumstances, facts, attack, seen)


def _met(
    edition: Edition, circumstances: Mapping[str, Circumstance], facts: PairFacts, attack: Attack, seen: Seen | None
) -> dict[str, Bools]:
    attackers = _Group(edition, facts.attackers, facts.shape[0])
    targets = _Group(edition, facts.targets, facts.n_targets)
    light = seen_light(edition, facts)
    found = {}
    for name, one in circumstances.items():
        if one.attack not in (None, attack):
            continue
        who = attackers.meeting(one.attacker, one.attacker_without)
        whom = targets.meeting(one.target, one.target_without)
        if who is not None and whom is not None:
            who = attackers.wielding(who, one)
            pairs = who[:, None] & facts.by_target(whom)
            for part in _of_pairs(edition, one, facts, light, seen):
                pairs &= part
            if pairs.any():
                found[name] = pairs
    return found


class _Group:
    """The conditions and weapons of some creatures, as an edition reads them."""

    def __init__(self, edition: Edition, traits: Traits | None, n: int) -> None:
        said = (frozenset(),) * n if traits is None else traits.conditions
        self._conditions = [edition.implied(one) if one else one for one in said]
        self._present = frozenset().union(*self._conditions)
        self._weapons = (None,) * n if traits is None else traits.weapons
        self._all = np.ones(n, np.bool_)

    def meeting(self, wanted: tuple[str, ...] | None, unwanted: tuple[str, ...]) -> Bools | None:
        """Return who has one of the wanted conditions and none of the unwanted, ``(n,)``; None: nobody can."""
        if wanted is not None and self._present.isdisjoint(wanted):
            return None
        found = self._all.copy() if wanted is None else self._having(wanted)
        return found if self._present.isdisjoint(unwanted) else found & ~self._having(unwanted)

    def _having(self, words: tuple[str, ...]) -> Bools:
        return np.array([not conditions.isdisjoint(words) for conditions in self._conditions], np.bool_)

    def wielding(self, who: Bools, circumstance: Circumstance) -> Bools:
        """Return who of these has such a weapon, ``(n,)``."""
        if circumstance.weapons is not None:
            who = who & np.array([weapon in circumstance.weapons for weapon in self._weapons], np.bool_)
        if circumstance.other_weapons is not None:
            who = who & np.array([weapon not in circumstance.other_weapons for weapon in self._weapons], np.bool_)
        return who


def _of_pairs(
    edition: Edition, one: Circumstance, facts: PairFacts, light: Masks | None, seen: Seen | None
) -> Iterator[Bools]:
    """Yield for each key that speaks of both creatures which pairs meet it, ``(A, T)`` or what broadcasts to it."""
    nobody = np.zeros((1, 1), np.bool_)
    if one.adjacent is not None:
        yield facts.adjacent == one.adjacent
    if one.higher_ground is not None:
        yield _stands_higher(edition, facts) == one.higher_ground
    if one.engaged is not None:
        low, high = _ENGAGED[one.engaged]
        yield nobody if facts.engaged is None else (facts.engaged >= low) & (facts.engaged <= high)
    if one.crowded is not None:
        yield nobody if facts.crowded is None else (facts.crowded == one.crowded)[:, None]
    lights = ((one.light, light), (one.attacker_light, None if seen is None else seen.attacker_light))
    for word, seen_in in lights:
        if word is not None:
            yield nobody if seen_in is None else seen_in == _LIGHTS[word]
    if seen is not None:
        asked = ((one.flanked, seen.flanked), (one.attacker_unseen, seen.attacker_unseen))
        for wanted, answer in (*asked, (one.target_unseen, seen.target_unseen)):
            if wanted is not None:
                yield nobody if answer is None else answer == wanted


def _stands_higher(edition: Edition, facts: PairFacts) -> Bools:
    if facts.attackers is None or facts.targets is None:
        return np.zeros((1, 1), np.bool_)
    rise = facts.attackers.feet[:, None] - facts.by_target(facts.targets.feet)
    higher: Bools = rise >= edition.table.higher_ground_feet * _THOUSANDTHS
    return higher


def consequences(edition: Edition, facts: PairFacts, met: Met, has_numbers: Bools) -> Iterator[Application]:
    """Yield what circumstances do to the target's defense by its Dexterity and shield, where pairs have numbers."""
    if facts.targets is None:
        return
    table, dexterity, shield = edition.table, facts.by_target(facts.targets.dexterity), facts.by_target(facts.targets.shield)
    lost, less, zero = (_where(edition, met, effect) for effect in ("lost", "less", "zero"))
    penalty = table.dexterity.less_modifier
    less_and_lost = dexterity + np.where(less, penalty, 0)
    for rule, pairs, values in (
        (table.dexterity.zero, zero, table.dexterity.zero_modifier - dexterity),
        (table.dexterity.less, less & ~zero, np.full_like(dexterity, penalty)),
        (table.dexterity.lost, lost & ~zero, -np.maximum(less_and_lost, 0)),
    ):
        if rule is not None and (counted := pairs & has_numbers).any():
            yield _on_defense(edition, rule, counted, np.broadcast_to(values, facts.shape).astype(np.int16))
    without = np.zeros(facts.shape, np.bool_)  # a shield is lost once, whatever takes it
    for name, pairs in met.items():
        rule = table.circumstances[name].shield
        if rule is not None and (counted := pairs & has_numbers & ~without).any():
            without |= counted
            yield _on_defense(edition, rule, counted, np.broadcast_to(-shield, facts.shape).astype(np.int16))


def _on_defense(edition: Edition, name: str, pairs: Bools, values: np.ndarray) -> Application:
    rule = edition.table.rules[name]
    return Application(name, Statistic.DEFENSE, rule.type, rule.text, pairs, values)


def loses_dexterity(edition: Edition, shape: tuple[int, int], met: Met) -> Bools:
    """Return where the target has no Dexterity bonus, ``(A, T)``."""
    found: Bools = np.zeros(shape, np.bool_) | _where(edition, met, "lost") | _where(edition, met, "zero")
    return found


def _where(edition: Edition, met: Met, effect: str) -> Bools:
    return _either(pairs for name, pairs in met.items() if edition.table.circumstances[name].dexterity == effect)


def _either(parts: Iterable[Bools]) -> Bools:
    found = np.zeros((1, 1), np.bool_)
    for part in parts:
        found = found | part
    return found


def flags_of(edition: Edition, shape: tuple[int, int], met: Met) -> dict[Flag, Bools]:
    """Return where each of the edition's flags holds, ``(A, T)`` each."""
    circumstances = edition.table.circumstances
    return {
        flag: np.zeros(shape, np.bool_)
        | _either(pairs for name, pairs in met.items() if flag in circumstances[name].flags)
        for flag in edition.flags
    }

"""Circumstances: which pairs meet which of them, and what these do to Dexterity, shield, flags and concealment."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from gridlos.facts import Attack, Bools, Kinds, Light, Masks, PairFacts, Traits
from gridlos.rules.kinds import Circumstance, Flag, Statistic
from gridlos.rules.model import Edition
from gridlos.rules.outcomes import Plan, plan_of
from gridlos.rules.stacking import Application

__all__ = ["NOBODY", "Defenses", "Seen", "concealed_at_least", "consequences", "flags_of", "loses_dexterity", "met_by", "seen_light"]

Met = Mapping[str, Bools]

_THOUSANDTHS = 1000  # heights are told in thousandths of a foot
_LIGHTS: Mapping[str, Light] = {"dim": Light.DIM, "dark": Light.DARK}
_ENGAGED: Mapping[str, Callable[[NDArray[np.int8]], Bools]] = {
    "close": lambda steps: steps.view(np.uint8) < np.uint8(2),  # -1, nobody, is the largest then
    "two_larger": lambda steps: steps == np.int8(2),
    "three_larger": lambda steps: steps > np.int8(2),
}
"""Where the target is larger than its opponents by so many steps of size."""
NOBODY = np.zeros((1, 1), np.bool_)
"""What is met by no pair."""
_CONDITIONS = frozenset({"attacker", "target"})
_NO_CONDITIONS: Kinds[frozenset[str]] = Kinds.of_each(())
_UNKNOWN_WEAPON: Kinds[str | None] = Kinds.of_each((None,))


@dataclass(frozen=True, slots=True, eq=False)
class Seen:
    """How the two of each pair see each other, each in a shape that broadcasts to pairs.

    Attributes
    ----------
    target_unseen
        The attacker does not see the target at all; None where no circumstance asks for it.
    flanked
        The attacker flanks the target; None: these facts do not tell.
    attacker_unseen
        The target does not see the attacker at all; None likewise.
    attacker_light
        uint8 of Light: the light in which the target sees the attacker; None: light is no matter.
    """

    target_unseen: Bools | None
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


def concealed_at_least(edition: Edition, facts: PairFacts, attack: Attack) -> Masks | None:
    """Return the least concealment that circumstances give to every pair, ``(A, T)`` uint8 codes; None: they give none."""
    plan = plan_of(edition, attack)
    met = _met(edition, plan, facts, None) if plan.concealing else {}
    if not met:
        return None
    codes = np.zeros(facts.shape, np.uint8)
    for name, pairs in met.items():
        np.maximum(codes, plan.concealing[name], out=codes, where=pairs)
    return codes


def met_by(edition: Edition, facts: PairFacts, attack: Attack, seen: Seen) -> dict[str, Bools]:
    """Return the circumstances that some pair meets, each with its pairs, ``(A, T)`` bool."""
    return _met(edition, plan_of(edition, attack), facts, seen)


def _met(edition: Edition, plan: Plan, facts: PairFacts, seen: Seen | None) -> dict[str, Bools]:
    """Return the circumstances that some pair meets; where nobody knows yet how they see each other, those that conceal."""
    any_condition = _has_conditions(facts.attackers) or _has_conditions(facts.targets)
    of_pairs, shape = _Pairs(edition, facts, seen), facts.shape
    unknown = of_pairs.unknown if any_condition else of_pairs.unknown | _CONDITIONS
    found: dict[str, Bools] = {}
    if not (askable := plan.askable(unknown, concealing=seen is None)):
        return found
    attackers, targets = _Group(edition, facts.attackers), _Group(edition, facts.targets)
    for name, one in askable.items():
        if any_condition and not (attackers.can_meet(one.attacker) and targets.can_meet(one.target)):
            continue
        pairs = _meeting_all(_parts(one, facts, of_pairs, attackers, targets), shape)
        if pairs is not None and pairs.any():
            found[name] = pairs
    return found


def _parts(one: Circumstance, facts: PairFacts, of_pairs: _Pairs, attackers: _Group, targets: _Group) -> Iterator[Bools]:
    """Yield for each key of a circumstance which pairs meet it, in a shape that broadcasts to pairs."""
    yield from of_pairs.meeting(one)
    if attackers.has_conditions:
        for part in attackers.meeting(one.attacker, one.attacker_without):
            yield part[:, None]
    if targets.has_conditions:
        for part in targets.meeting(one.target, one.target_without):
            yield facts.by_target(part)
    if one.weapons is not None or one.other_weapons is not None:
        for part in attackers.wielding(one):
            yield part[:, None]


def _meeting_all(parts: Iterable[Bools], shape: tuple[int, int]) -> Bools | None:
    """Return where all parts hold, each of a shape that broadcasts to pairs; None: nowhere, for one of them is NOBODY."""
    found: Bools | None = None
    for part in parts:
        if part is NOBODY:
            return None
        found = part if found is None else found & part
    if found is None:
        return np.ones(shape, np.bool_)
    return found if found.shape == shape else np.broadcast_to(found, shape).copy()


def _has_conditions(traits: Traits | None) -> bool:
    return traits is not None and any(traits.conditions.known)


class _Group:
    """The conditions and weapons of some creatures, as an edition reads them."""

    def __init__(self, edition: Edition, traits: Traits | None) -> None:
        self._conditions = _NO_CONDITIONS if traits is None else traits.conditions
        self.has_conditions = _has_conditions(traits)
        self._implied = [_implied(edition, one) for one in self._conditions.known if self.has_conditions]
        self._present = frozenset().union(*self._implied)
        self._weapons = None if traits is None else traits.weapons

    def can_meet(self, wanted: tuple[str, ...] | None) -> bool:
        """Return whether somebody has one of these conditions, or none is wanted."""
        return wanted is None or not self._present.isdisjoint(wanted)

    def meeting(self, wanted: tuple[str, ...] | None, unwanted: tuple[str, ...]) -> Iterator[Bools]:
        """Yield who has one of the wanted conditions, and who has none of the unwanted, ``(n,)``; nothing where all do."""
        if wanted is not None:
            yield self._having(wanted)
        if not self._present.isdisjoint(unwanted):
            yield ~self._having(unwanted)

    def _having(self, words: tuple[str, ...]) -> Bools:
        has = [not conditions.isdisjoint(words) for conditions in self._implied]
        return np.array(has, np.bool_).take(self._conditions.whose)

    def wielding(self, circumstance: Circumstance) -> Iterator[Bools]:
        """Yield who has such a weapon, ``(n,)``, or ``(1,)`` where nobody's is known; nothing where every weapon will do."""
        weapons = _UNKNOWN_WEAPON if self._weapons is None else self._weapons
        if circumstance.weapons is not None:
            among = [weapon in circumstance.weapons for weapon in weapons.known]
            yield np.array(among, np.bool_).take(weapons.whose)
        if circumstance.other_weapons is not None:
            others = [weapon not in circumstance.other_weapons for weapon in weapons.known]
            yield np.array(others, np.bool_).take(weapons.whose)


@lru_cache(maxsize=4096)
def _implied(edition: Edition, conditions: frozenset[str]) -> frozenset[str]:
    return edition.implied(conditions) if conditions else conditions


class _Pairs:
    """What holds between two creatures, as an edition reads it."""

    def __init__(self, edition: Edition, facts: PairFacts, seen: Seen | None) -> None:
        self._edition, self._facts, self._seen = edition, facts, seen
        self._light = seen_light(edition, facts)
        self._higher: Bools | None = None

    @property
    def unknown(self) -> frozenset[str]:
        """The keys that no pair meets, whatever is wanted: nobody knows, or there is nothing of the kind."""
        facts, seen = self._facts, self._seen
        known = {"engaged": facts.engaged, "crowded": facts.crowded, "light": self._light}
        known["attacker_light"] = None if seen is None else seen.attacker_light
        if seen is not None:
            known |= {"flanked": seen.flanked, "attacker_unseen": seen.attacker_unseen, "target_unseen": seen.target_unseen}
        return frozenset([key for key, values in known.items() if values is None])

    def meeting(self, one: Circumstance) -> Iterator[Bools]:
        """Yield for each key that speaks of both creatures which pairs meet it, ``(A, T)`` or what broadcasts to it."""
        facts, seen = self._facts, self._seen
        if one.adjacent is not None:
            yield facts.adjacent if one.adjacent else ~facts.adjacent
        if one.higher_ground is not None:
            higher = self._higher = self._stands_higher() if self._higher is None else self._higher
            yield higher if one.higher_ground else np.array(~higher)
        if one.engaged is not None:
            yield NOBODY if facts.engaged is None else _ENGAGED[one.engaged](facts.engaged)
        if one.crowded is not None:
            yield NOBODY if facts.crowded is None else (facts.crowded == one.crowded)[:, None]
        if one.light is not None:
            yield _is_light(self._light, one.light)
        if one.attacker_light is not None:
            yield _is_light(None if seen is None else seen.attacker_light, one.attacker_light)
        if seen is not None:
            asked = ((one.flanked, seen.flanked), (one.attacker_unseen, seen.attacker_unseen))
            for wanted, answer in (*asked, (one.target_unseen, seen.target_unseen)):
                if wanted is not None:
                    yield NOBODY if answer is None else answer if wanted else ~answer

    def _stands_higher(self) -> Bools:
        attackers, targets = self._facts.attackers, self._facts.targets
        if attackers is None or targets is None or not attackers.feet.size or not targets.feet.size:
            return NOBODY
        least = self._edition.table.higher_ground_feet * _THOUSANDTHS
        if np.maximum.reduce(attackers.feet) - np.minimum.reduce(targets.feet) < least:
            return NOBODY
        higher: Bools = attackers.feet[:, None] - self._facts.by_target(targets.feet) >= least
        return higher


def _is_light(light: Masks | None, word: str) -> Bools:
    return NOBODY if light is None else light == _LIGHTS[word]


@dataclass(frozen=True, slots=True, eq=False)
class Defenses:
    """What of targets their circumstances change, int16 each, in a shape that broadcasts to pairs."""

    dexterity: NDArray[np.int16]
    shield: NDArray[np.int16]

    @classmethod
    def of(cls, facts: PairFacts) -> Defenses | None:
        """Return those of the facts' targets; None: nothing is known of them."""
        if facts.targets is None:
            return None
        return cls(facts.by_target(facts.targets.dexterity), facts.by_target(facts.targets.shield))


def consequences(edition: Edition, defenses: Defenses, met: Met, has_numbers: Bools) -> Iterator[Application]:
    """Yield what circumstances do to the target's defense by its Dexterity and shield, where pairs have numbers."""
    table, dexterity, shield, shape = edition.table, defenses.dexterity, defenses.shield, has_numbers.shape
    lost, less, zero = (_where(edition, met, effect) for effect in ("lost", "less", "zero"))
    penalty = table.dexterity.less_modifier
    less_and_lost = dexterity + np.where(less, penalty, 0)
    for rule, pairs, values in (
        (table.dexterity.zero, zero, table.dexterity.zero_modifier - dexterity),
        (table.dexterity.less, less & ~zero, np.full_like(dexterity, penalty)),
        (table.dexterity.lost, lost & ~zero, -np.maximum(less_and_lost, 0)),
    ):
        if rule is not None and (counted := pairs & has_numbers).any():
            yield _on_defense(edition, rule, counted, np.broadcast_to(values, shape).astype(np.int16))
    without = np.zeros(shape, np.bool_)  # a shield is lost once, whatever takes it
    for name, pairs in met.items():
        rule = table.circumstances[name].shield
        if rule is not None and (counted := pairs & has_numbers & ~without).any():
            without |= counted
            yield _on_defense(edition, rule, counted, np.broadcast_to(-shield, shape).astype(np.int16))


def _on_defense(edition: Edition, name: str, pairs: Bools, values: np.ndarray) -> Application:
    rule = edition.table.rules[name]
    return Application(name, Statistic.DEFENSE, rule.type, rule.text, pairs, values)


def loses_dexterity(edition: Edition, shape: tuple[int, int], met: Met) -> Bools:
    """Return where the target has no Dexterity bonus, ``(A, T)``."""
    circumstances = edition.table.circumstances
    return _everywhere(_either(pairs for name, pairs in met.items() if circumstances[name].dexterity in {"lost", "zero"}), shape)


def _where(edition: Edition, met: Met, effect: str) -> Bools:
    return _either(pairs for name, pairs in met.items() if edition.table.circumstances[name].dexterity == effect)


def _either(parts: Iterable[Bools]) -> Bools:
    found = NOBODY
    for part in parts:
        found = part if found is NOBODY else found | part
    return found


def _everywhere(part: Bools, shape: tuple[int, int]) -> Bools:
    """Return an array of its own that says of all pairs what a part does that broadcasts to them."""
    found = np.zeros(shape, np.bool_)
    return found if part is NOBODY else found | part


def flags_of(edition: Edition, flags: Iterable[Flag], concealment: Masks, met: Met) -> dict[Flag, Bools]:
    """Return where each of these flags holds, ``(A, T)`` each; ``concealment (A, T)`` codes may forbid sneak attacks."""
    circumstances = edition.table.circumstances
    found = {
        flag: _everywhere(
            _either(pairs for name, pairs in met.items() if flag in circumstances[name].flags), concealment.shape
        )
        for flag in flags
    }
    forbids = np.array([edition.table.concealment[word].forbids_sneak_attack for word in edition.concealments])
    if Flag.SNEAK_ATTACK in found and forbids.any():
        found[Flag.SNEAK_ATTACK] &= ~forbids.take(concealment)
    return found

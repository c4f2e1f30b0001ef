"""What an edition's table says of every attack, looked up once: what degrees of cover and concealment do together.

A *code* stands for one degree by walls, one by creatures and one of concealment: ``(hard n + soft) m + concealment`` among
``n`` degrees and ``m`` concealments.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from gridlos.facts import Attack, Bools, Masks
from gridlos.rules.kinds import Circumstance, Flag
from gridlos.rules.model import Edition

__all__ = ["Codes", "Degrees", "Outcome", "Plan", "flags_at", "plan_of"]

Codes = NDArray[np.uint16]


@dataclass(frozen=True, slots=True, eq=False)
class Degrees:
    """Codes of every pair: the degree of cover by walls, by creatures, of concealment."""

    hard: Masks
    soft: Masks
    concealment: Masks

    @property
    def cover(self) -> Masks:
        """The degree that the column names."""
        return np.maximum(self.hard, self.soft)

    def codes(self, edition: Edition) -> Codes:
        """Return one code for the three of every pair."""
        found = self.hard.astype(np.uint16)
        found *= np.uint16(len(edition.degrees))
        found += self.soft
        found *= np.uint16(len(edition.concealments))
        found += self.concealment
        return found


class Outcome:
    """Bits of what the degrees of a pair come to.

    ``REACHED``: cover does not forbid the attack. ``AIMED``: concealment does not. ``PROVOKED``: neither forbids an attack of
    opportunity. ``COVER_HIDES``, ``CONCEALMENT_HIDES``: one can hide behind it; the latter is the larger one. ``POSSIBLE``,
    ``HIDES``: the two bits for these.
    """

    REACHED = np.uint8(1)
    AIMED = np.uint8(2)
    PROVOKED = np.uint8(4)
    COVER_HIDES = np.uint8(8)
    CONCEALMENT_HIDES = np.uint8(16)
    POSSIBLE = REACHED | AIMED
    HIDES = COVER_HIDES | CONCEALMENT_HIDES


@dataclass(frozen=True, slots=True, eq=False)
class Plan:
    """What an edition says of one kind of attack.

    Attributes
    ----------
    circumstances
        Those of such an attack.
    concealing
        Those of them that conceal, with the codes of their concealment.
    asked
        The keys that some of them gives.
    numbered
        Those of them with a rule that has a number in such an attack.
    outcomes
        uint8 of Outcome for every code.
    flags, has_rolls, has_dexterity
        As the edition has them.
    """

    circumstances: Mapping[str, Circumstance]
    concealing: Mapping[str, np.uint8]
    asked: frozenset[str]
    numbered: frozenset[str]
    outcomes: Masks
    flags: tuple[Flag, ...]
    has_rolls: bool
    has_dexterity: bool

    def asks(self, *keys: str) -> bool:
        """Return whether some circumstance depends on one of these."""
        return not self.asked.isdisjoint(keys)

    def askable(self, unknown: frozenset[str], *, concealing: bool) -> Mapping[str, Circumstance]:
        """Return those that can be met where no pair meets the ``unknown`` keys; ``concealing``: only those that conceal."""
        return _askable(self, unknown, concealing=concealing)


@lru_cache(maxsize=1024)
def _askable(plan: Plan, unknown: frozenset[str], *, concealing: bool) -> Mapping[str, Circumstance]:
    return {
        name: one
        for name, one in plan.circumstances.items()
        if all(getattr(one, key) is None for key in unknown) and (name in plan.concealing or not concealing)
    }


@lru_cache(maxsize=128)
def plan_of(edition: Edition, attack: Attack) -> Plan:
    """Return what an edition says of one kind of attack; nobody may change it."""
    table = edition.table
    circumstances = {name: one for name, one in table.circumstances.items() if one.attack in (None, attack)}
    words = {name: one.conceals for name, one in circumstances.items() if one.conceals is not None}
    return Plan(
        circumstances=circumstances,
        concealing={name: np.uint8(edition.concealments.index(word)) for name, word in words.items()},
        asked=frozenset(
            key for one in circumstances.values() for key in one.__struct_fields__ if getattr(one, key) is not None
        ),
        numbered=frozenset(
            name
            for name, one in circumstances.items()
            if any(rule.value(on, attack) for rule in map(table.rules.__getitem__, one.rules) for on in rule.modifiers)
        ),
        outcomes=_outcomes(edition, attack),
        flags=edition.flags,
        has_rolls=edition.has_rolls,
        has_dexterity=edition.has_dexterity,
    )


def _outcomes(edition: Edition, attack: Attack) -> Masks:
    """Return the outcomes of every code; effects on an area are not aimed at anybody."""
    table, n = edition.table, len(edition.degrees)
    degrees = [table.degree[word] for word in edition.degrees]
    concealments = [table.concealment[word] for word in edition.concealments]
    hard, soft, concealment = np.indices((n, n, len(concealments))).reshape(3, -1)
    forbidden = _flags(one.forbids_attack for one in degrees)
    no_opportunity = _flags(one.forbids_opportunity for one in degrees).take(hard)
    no_opportunity |= _flags(one.forbids_opportunity for one in concealments).take(concealment)
    if table.soft_cover is not None and table.soft_cover.blocks_opportunity:
        no_opportunity |= soft > 0
    parts = (
        (Outcome.REACHED, ~(forbidden.take(hard) | forbidden.take(soft))),
        (Outcome.AIMED, ~_flags(one.forbids_attack and attack is not Attack.AREA for one in concealments).take(concealment)),
        (Outcome.PROVOKED, ~no_opportunity),
        (Outcome.COVER_HIDES, _flags(one.hides for one in degrees).take(np.maximum(hard, soft))),
        (Outcome.CONCEALMENT_HIDES, _flags(one.hides for one in concealments).take(concealment)),
    )
    found = np.zeros(hard.shape, np.uint8)
    for flag, holds in parts:
        found |= holds * flag
    return found


def _flags(values: Iterable[bool]) -> Bools:
    return np.array(list(values), np.bool_)


def flags_at(outcomes: Masks, flag: np.uint8) -> Bools:
    """Return where an outcome holds."""
    holds: Bools = (outcomes & flag) != 0
    return holds

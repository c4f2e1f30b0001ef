"""The numbers of all pairs: which rules apply to each, and what these add to every statistic.

Few pairs differ in what gives them numbers: their degrees, whether they are flanked, the circumstances that they meet, the
Dexterity and shield of the target. So the sums are made for every such *situation* once, and looked up.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import chain
from math import prod

import numpy as np
from numpy.typing import NDArray

from gridlos.facts import Attack, Bools, Masks, PairFacts
from gridlos.rules.circumstances import Defenses, consequences
from gridlos.rules.kinds import Statistic
from gridlos.rules.model import ROLLS, Edition
from gridlos.rules.outcomes import Codes, Degrees, Outcome, flags_at, plan_of
from gridlos.rules.stacking import Application, Numbers, stacked_column

__all__ = ["Standing", "sums_of"]

_WHOLE = 1 << 10
"""Where there are no more situations than these there is a table for all of them. Of more only those that occur are looked into."""

_MOST_CODES = 1 << 62
_STATISTICS = tuple(Statistic)


@dataclass(frozen=True, slots=True, eq=False)
class Standing:
    """What gives the pairs of some shape their numbers.

    Attributes
    ----------
    edition, attack
        By whose rules, in which attack.
    degrees
        The degrees of each pair.
    flanked
        The attacker flanks the target; None: nobody knows.
    met
        The circumstances that some pair meets, and the pairs.
    outcomes
        uint8 of Outcome for each pair.
    forced
        The pairs that have numbers though cover forbids the attack; None: that is nowhere so.
    defenses
        The targets' Dexterity and shields, in a shape that broadcasts to that of the pairs; None: nobody knows.
    """

    edition: Edition
    attack: Attack
    degrees: Degrees
    flanked: Bools | None
    met: Mapping[str, Bools]
    outcomes: Masks
    forced: Bools | None
    defenses: Defenses | None
    _kept: dict[str, tuple[Application, ...]] = field(default_factory=dict, init=False, repr=False)

    @property
    def has_numbers(self) -> Bools:
        """The pairs that have numbers at all: what cover forbids has none."""
        is_reached = flags_at(self.outcomes, Outcome.REACHED)
        return is_reached if self.forced is None else is_reached | self.forced

    def applications(self) -> tuple[Application, ...]:
        """Return every number that some pair has, rule by rule; they are made once."""
        if "applications" not in self._kept:
            self._kept["applications"] = self._made()
        return self._kept["applications"]

    def _made(self) -> tuple[Application, ...]:
        by_circumstances = (
            (rule, pairs)
            for name, pairs in self.met.items()
            for rule in self.edition.table.circumstances[name].rules
        )
        return (*self._numbers(chain(self._applied(), by_circumstances)), *self._consequences())

    def _numbers(self, applied: Iterable[tuple[str, Bools]]) -> Iterator[Application]:
        pairs_by_rule: dict[str, Bools] = {}
        for name, pairs in applied:
            pairs_by_rule[name] = pairs_by_rule[name] | pairs if name in pairs_by_rule else pairs
        has_numbers = self.has_numbers
        for name in sorted(pairs_by_rule, key=_order_of_rules(self.edition).__getitem__):
            rule, counted = self.edition.table.rules[name], pairs_by_rule[name] & has_numbers
            for statistic in rule.modifiers if counted.any() else ():
                if value := rule.value(statistic, self.attack):
                    yield Application(name, statistic, rule.type, rule.text, counted, value)

    def _applied(self) -> Iterator[tuple[str, Bools]]:
        """Yield rules with numbers and the pairs to which cover, concealment and flanking apply them."""
        edition, degrees = self.edition, self.degrees
        table = edition.table

        def numbered(names: Iterable[str]) -> list[str]:
            return [name for name in names if table.rules[name].modifiers]

        for code, word in enumerate(edition.degrees):
            for name in numbered(table.degree[word].rules):
                yield name, (degrees.hard == code) | (degrees.soft == code)
        for code, word in enumerate(edition.concealments):
            for name in numbered(table.concealment[word].rules):
                yield name, degrees.concealment == code
        if table.flanking.rule is not None and self.flanked is not None:
            yield table.flanking.rule, self.flanked

    def _consequences(self) -> Iterator[Application]:
        if self.defenses is None or self.attack is Attack.AREA:
            return iter(())
        return consequences(self.edition, self.defenses, self.met, self.has_numbers)


@lru_cache(maxsize=32)
def _order_of_rules(edition: Edition) -> Mapping[str, int]:
    """Return in which order rules are told, whichever of them some pair meets: by what applies them first."""
    table = edition.table
    names = [name for word in edition.degrees for name in table.degree[word].rules]
    names += [name for word in edition.concealments for name in table.concealment[word].rules]
    names += [] if table.flanking.rule is None else [table.flanking.rule]
    names += [name for one in table.circumstances.values() for name in one.rules]
    return {name: place for place, name in enumerate(dict.fromkeys(names))}


@dataclass(frozen=True, slots=True)
class _Situations:
    """What tells situations apart, digit by digit, and where each pair stands.

    Attributes
    ----------
    edition, attack
        As in :class:`Standing`.
    is_flanked
        Whether flanking is a digit.
    names
        The circumstances that are digits.
    defenses
        The Dexterity and shield that targets have, each once; none where these are no matter.
    """

    edition: Edition
    attack: Attack
    is_flanked: bool
    names: tuple[str, ...]
    defenses: tuple[tuple[int, int], ...]

    @property
    def bases(self) -> tuple[int, ...]:
        """How many values each digit has."""
        of_degrees = (len(self.edition.degrees),) * 2 + (len(self.edition.concealments),)
        return (*of_degrees, *(2,) * (self.is_flanked + len(self.names)), *((len(self.defenses),) if self.defenses else ()))

    def standing(self, digits: NDArray[np.int64]) -> Standing:
        """Return the situations with such digits, ``(digits, k)``, as those of ``k`` pairs ``(k, 1)``."""
        columns = iter(digits[:, :, None])
        degrees = Degrees(*(next(columns).astype(np.uint8) for _ in range(3)))
        flanked = next(columns) > 0 if self.is_flanked else None
        met = {name: next(columns) > 0 for name in self.names}
        defenses = None
        if self.defenses:
            values = np.array(self.defenses, np.int16)
            defenses = Defenses(*np.moveaxis(values[next(columns)], 2, 0))
        outcomes = plan_of(self.edition, self.attack).outcomes.take(degrees.codes(self.edition))
        return Standing(self.edition, self.attack, degrees, flanked, met, outcomes, np.ones_like(outcomes, np.bool_), defenses)


@dataclass(frozen=True, slots=True, eq=False)
class _Sums:
    """What is added in each of ``k`` situations: entries ``k`` to ``2 k`` hold where what cover forbids has numbers all the same.

    Attributes
    ----------
    columns
        Int16 by statistic; those are left out to which nothing is added.
    rolls
        uint8, index into ROLLS; None: a normal roll in all of them.
    """

    columns: Mapping[Statistic, Numbers]
    rolls: Masks | None

    @classmethod
    def of(cls, standing: Standing) -> _Sums:
        """Return the sums for pairs ``(k, 1)``, all of which have numbers."""
        applications, shape = standing.applications(), standing.outcomes.shape
        stacking = standing.edition.table.stacking
        is_reached = flags_at(standing.outcomes, Outcome.REACHED)
        sums = {one: stacked_column(applications, one, stacking, shape) for one in {a.statistic for a in applications}}
        columns = {one: np.concatenate((column * is_reached, column)).ravel() for one, column in sums.items()}
        rolls = _rolls(applications, shape)
        return cls(columns, np.concatenate((rolls * is_reached, rolls)).ravel() if rolls.any() else None)


def _rolls(applications: Iterable[Application], shape: tuple[int, ...]) -> Masks:
    """Return the codes of ROLLS: advantage and disadvantage never add up, and together they are a normal roll."""
    found = {1: np.zeros(shape, np.bool_), -1: np.zeros(shape, np.bool_)}
    for one in applications:
        if one.statistic is Statistic.ROLL and isinstance(one.value, int):
            found[1 if one.value > 0 else -1] |= one.mask
    return ((found[1].astype(np.int8) - found[-1]) % len(ROLLS)).astype(np.uint8)


def sums_of(standing: Standing, facts: PairFacts, codes: Codes) -> tuple[dict[Statistic, Numbers], Masks]:
    """Return what is added to each statistic, and the codes of ROLLS, ``(A, T)`` each; ``codes`` are those of the degrees."""
    situations, digits = _situations(standing, facts)
    bases = situations.bases
    if prod(bases) <= _WHOLE:
        places = codes
        for digit, base in zip(digits, bases[3:], strict=True):
            places = places * np.uint16(base)
            places += digit
        n, sums, index = prod(bases), _sums_in_all(situations), places.astype(np.intp)
    else:
        n, sums, index = _sums_that_occur(standing, situations, digits)
    if standing.forced is not None:
        index += n * standing.forced
    shape = codes.shape
    columns = {one: sums.columns[one].take(index) if one in sums.columns else np.zeros(shape, np.int16) for one in _STATISTICS}
    return columns, np.zeros(shape, np.uint8) if sums.rolls is None else sums.rolls.take(index)


def _situations(standing: Standing, facts: PairFacts) -> tuple[_Situations, list[Masks]]:
    """Return what tells the situations of pairs apart, and the digits after the degrees, in shapes that broadcast to pairs."""
    edition, attack, table = standing.edition, standing.attack, standing.edition.table
    numbered = plan_of(edition, attack).numbered
    loses = [name for name in standing.met if table.circumstances[name].dexterity or table.circumstances[name].shield]
    matters = standing.defenses is not None and attack is not Attack.AREA and bool(loses)
    names = tuple(name for name in standing.met if name in numbered or (matters and name in loses))
    is_flanked = table.flanking.rule is not None and standing.flanked is not None and bool(standing.flanked.any())
    digits = [standing.flanked.view(np.uint8)] if is_flanked and standing.flanked is not None else []
    digits += [standing.met[name].view(np.uint8) for name in names]
    defenses: tuple[tuple[int, int], ...] = ()
    if matters and facts.targets is not None:
        of_targets = list(zip(facts.targets.dexterity.tolist(), facts.targets.shield.tolist(), strict=True))
        defenses = tuple(sorted(set(of_targets)))
        place = {values: k for k, values in enumerate(defenses)}
        digits.append(facts.by_target(np.array([place[values] for values in of_targets], np.uint16)))
    return _Situations(edition, attack, is_flanked, names, defenses), digits


@lru_cache(maxsize=256)
def _sums_in_all(situations: _Situations) -> _Sums:
    """Return the sums in all situations, in the order of their digits; nobody may change them."""
    bases = situations.bases
    return _Sums.of(situations.standing(np.indices(bases).reshape(len(bases), -1)))


@lru_cache(maxsize=256)
def _sums_in(situations: _Situations, digits: bytes) -> _Sums:
    """Return the sums in situations with these int64 digits; nobody may change them."""
    return _Sums.of(situations.standing(np.frombuffer(digits, np.int64).reshape(len(situations.bases), -1)))


def _sums_that_occur(
    standing: Standing, situations: _Situations, digits: list[Masks]
) -> tuple[int, _Sums, NDArray[np.intp]]:
    """Return the number of situations of some pair, the sums in these, and where each pair finds its own."""
    degrees, shape = standing.degrees, standing.outcomes.shape
    all_digits = (degrees.hard, degrees.soft, degrees.concealment, *digits)
    rows = np.array([np.broadcast_to(digit, shape).ravel() for digit in all_digits], np.int64)
    codes, n_codes = np.zeros(rows.shape[1], np.int64), 1
    for row, base in zip(rows, situations.bases, strict=True):
        if n_codes * base > _MOST_CODES:
            codes, n_codes = np.unique(codes, return_inverse=True)[1], len(codes)
        codes, n_codes = codes * base + row, n_codes * base
    _, first, place = np.unique(codes, return_index=True, return_inverse=True)
    return len(first), _sums_in(situations, rows[:, first].tobytes()), place.astype(np.intp).reshape(shape)

"""The judge: facts and an edition in, degrees and numbers for all pairs out. Pure array functions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain

import numpy as np

from gridlos.facts import Attack, Bools, Masks, PairFacts, Relation
from gridlos.rules.circumstances import Seen, consequences, flags_of, loses_dexterity, met_by
from gridlos.rules.concealment import (
    concealment_of,
    lines_of_effect,
    lines_of_sight,
    seen_back,
    unseen,
)
from gridlos.rules.cover import Cover, cover_of
from gridlos.rules.judgement import Judgement, Question
from gridlos.rules.kinds import Statistic
from gridlos.rules.model import ROLLS, Edition
from gridlos.rules.override import Override, is_allowed, override_codes, pairs_of
from gridlos.rules.stacking import Application, stacked_column

__all__ = ["judge"]


def judge(edition: Edition, facts: PairFacts, question: Question, *, back: PairFacts | None = None) -> Judgement:
    """Return the edition's judgement on every pair.

    Line of effect comes first; without it cover is the degree that the edition gives for that. Else the lines from the
    corner that the attacker takes (:mod:`gridlos.rules.corners`) name the degrees by walls and by creatures, the
    degrees their rules, the rules the numbers; the squares on the way and line of sight name the concealment. The game
    master's word wins over all of it.

    Parameters
    ----------
    edition, facts, question
        Who is asked, about whom, what.
    back
        Facts of the targets against the attackers, ``(T, A)``: how these are seen; of listed pairs those of each pair
        the other way round, in the same order. Needed only where
        ``edition.asks_who_sees_the_attacker`` and the facts are not of the same creatures both ways; without them no
        circumstance that depends on it is met.

    Raises
    ------
    QuestionError
        If an override names an unknown degree or a creature that is not asked about, says nothing or contradicts
        itself; if the edition needs facts that are not there.
    """
    attack, overrides = question.attack, override_codes(edition, question.overrides, facts)
    effect = lines_of_effect(edition, facts)
    found = cover_of(edition, facts, attack, effect, question.uses_ranged_when_adjacent)
    concealed = concealment_of(edition, facts, attack, found)
    hard, soft = _degrees_said(*_degrees_found(edition, question, found, effect), overrides, listed=facts.listed)
    degrees = _Degrees(hard, soft, concealed.codes)
    flanked = _flanked(facts, attack)
    seen = _seen(edition, facts, question, (concealed.codes, flanked), back)
    met = met_by(edition, facts, attack, seen)
    is_reached, is_aimed = _allowed(edition, degrees, attack)
    forbidden = [pairs for name, pairs in met.items() if edition.table.circumstances[name].forbids_attack]
    is_aimed = is_aimed & ~np.logical_or.reduce(forbidden) if forbidden else is_aimed
    can_attack = is_allowed(is_reached & is_aimed, [override for override, _ in overrides], listed=facts.listed)
    # What cover forbids has no numbers, unless the game master allows it all the same.
    has_numbers = is_reached | can_attack
    applied = chain(_applied(edition, degrees, flanked), _applied_by_circumstances(edition, met))
    applications = (
        *_applications(edition, attack, applied, has_numbers),
        *consequences(edition, facts, met, has_numbers & (attack is not Attack.AREA)),
    )
    sums = {one: stacked_column(applications, one, edition.table.stacking, facts.shape) for one in Statistic}
    return Judgement(
        edition=edition,
        facts=facts,
        question=question,
        line_of_effect=effect,
        line_of_sight=lines_of_sight(edition, facts),
        cover=degrees.cover,
        soft=found.by_creatures,
        blocked_lines=found.lines,
        choice=found.chosen.index.reshape(facts.shape),
        corner=found.chosen.corner.reshape(facts.shape),
        all_corners=found.all_corners,
        concealment=concealed.codes,
        concealment_choice=concealed.chosen.index.reshape(facts.shape),
        concealment_corner=concealed.chosen.corner.reshape(facts.shape),
        can_attack=can_attack,
        flanked=flanked,
        opportunity=_opportunity(edition, facts, attack, degrees, can_attack),
        can_hide=_can_hide(edition, facts, degrees),
        sums=sums,
        roll=None if attack is Attack.AREA else _roll(edition, seen, applications, facts.shape),
        flags=flags_of(edition, facts.shape, met),
        loses_dexterity=loses_dexterity(edition, facts.shape, met) if edition.has_dexterity else None,
        circumstances=met,
        applications=applications,
    )


@dataclass(frozen=True, slots=True, eq=False)
class _Degrees:
    """Codes of every pair: the degree of cover by walls, by creatures, of concealment."""

    hard: Masks
    soft: Masks
    concealment: Masks

    @property
    def cover(self) -> Masks:
        """The degree that the column names."""
        return np.maximum(self.hard, self.soft)


def _degrees_found(edition: Edition, question: Question, found: Cover, effect: Bools) -> tuple[Masks, Masks]:
    """Return the degrees by walls and by creatures; a spread goes round what it can."""
    if question.attack is Attack.AREA and question.is_spread and edition.table.area.spread == "negates":
        return np.where(effect, np.uint8(0), found.hard), np.zeros_like(found.soft)
    return found.hard, found.soft


def _degrees_said(
    hard: Masks, soft: Masks, overrides: list[tuple[Override, int | None]], *, listed: bool
) -> tuple[Masks, Masks]:
    """Return the degrees by walls and by creatures, after the game master's words."""
    hard, soft = hard.copy(), soft.copy()
    for override, code in overrides:
        if code is not None:
            pairs = pairs_of(override, listed=listed)
            hard[pairs], soft[pairs] = code, 0
    return hard, soft


def _seen(
    edition: Edition,
    facts: PairFacts,
    question: Question,
    known: tuple[Masks, Bools | None],
    back: PairFacts | None,
) -> Seen:
    """Return how the two of each pair see each other; ``known`` are the concealments of the targets, and who is flanked."""
    codes, flanked = known
    attack, ranged = question.attack, question.targets_use_ranged_when_adjacent
    unseen_back, light_back = None, None
    if edition.asks_who_sees_the_attacker and attack is not Attack.AREA:
        unseen_back, light_back = seen_back(edition, facts, attack, codes, back, ranged)
    return Seen(unseen(edition, codes), flanked, unseen_back, light_back)


def _roll(edition: Edition, seen: Seen, applications: Iterable[Application], shape: tuple[int, int]) -> Masks | None:
    """Return the codes of ROLLS: advantage and disadvantage never add up, and together they are a normal roll.

    None in editions without them, or where nobody knows who sees the attackers.
    """
    if not edition.has_rolls or (edition.asks_who_sees_the_attacker and seen.attacker_unseen is None):
        return None
    found = {1: np.zeros(shape, np.bool_), -1: np.zeros(shape, np.bool_)}
    for one in applications:
        if one.statistic is Statistic.ROLL and isinstance(one.value, int):
            found[1 if one.value > 0 else -1] |= one.mask
    return ((found[1].astype(np.int8) - found[-1]) % len(ROLLS)).astype(np.uint8)


def _allowed(edition: Edition, degrees: _Degrees, attack: Attack) -> tuple[Bools, Bools]:
    """Return the pairs whose cover does not forbid the attack, and those whose concealment does not.

    Effects on an area are not aimed at anybody.
    """
    table = edition.table
    by_cover = _flags(table.degree[word].forbids_attack for word in edition.degrees)
    by_concealment = _flags(table.concealment[word].forbids_attack for word in edition.concealments)
    covered = by_cover.take(degrees.hard) | by_cover.take(degrees.soft)
    if attack is Attack.AREA:
        return ~covered, np.ones_like(covered)
    return ~covered, ~by_concealment.take(degrees.concealment)


def _flags(values: Iterable[bool]) -> Bools:
    return np.array(list(values), np.bool_)


def _flanked(facts: PairFacts, attack: Attack) -> Bools | None:
    if facts.flanked is None:
        return None
    if attack is not Attack.MELEE:
        return np.zeros(facts.shape, np.bool_)
    return facts.flanked if facts.relation is None else facts.flanked & (facts.relation != Relation.ALLY)


def _opportunity(
    edition: Edition, facts: PairFacts, attack: Attack, degrees: _Degrees, can_attack: Bools
) -> Bools | None:
    """Return whether the attacker threatens, and neither cover nor concealment forbids an attack of opportunity."""
    if facts.threatens is None or attack is not Attack.MELEE:
        return None
    table = edition.table
    by_cover = _flags(table.degree[word].forbids_opportunity for word in edition.degrees)
    by_concealment = _flags(table.concealment[word].forbids_opportunity for word in edition.concealments)
    allowed = facts.threatens & can_attack & ~by_cover.take(degrees.hard) & ~by_concealment.take(degrees.concealment)
    if table.soft_cover is not None and table.soft_cover.blocks_opportunity:
        allowed &= degrees.soft == 0
    return allowed


def _can_hide(edition: Edition, facts: PairFacts, degrees: _Degrees) -> Bools:
    """Return whether cover or concealment lets the target hide. What one sees through, a window, hides nobody."""
    table = edition.table
    by_cover = _flags(table.degree[word].hides for word in edition.degrees)
    by_concealment = _flags(table.concealment[word].hides for word in edition.concealments)
    seen_through = ~lines_of_effect(edition, facts) & lines_of_sight(edition, facts)
    return by_cover.take(degrees.cover) & ~seen_through | by_concealment.take(degrees.concealment)


def _applications(
    edition: Edition, attack: Attack, applied: Iterable[tuple[str, Bools]], has_numbers: Bools
) -> Iterator[Application]:
    """Yield every number that some pair has, rule by rule."""
    pairs_by_rule: dict[str, Bools] = {}
    for name, pairs in applied:
        pairs_by_rule[name] = pairs_by_rule[name] | pairs if name in pairs_by_rule else pairs
    for name, pairs in pairs_by_rule.items():
        rule, counted = edition.table.rules[name], pairs & has_numbers
        for statistic in rule.modifiers if counted.any() else ():
            if value := rule.value(statistic, attack):
                yield Application(name, statistic, rule.type, rule.text, counted, value)


def _applied(edition: Edition, degrees: _Degrees, flanked: Bools | None) -> Iterator[tuple[str, Bools]]:
    """Yield rules with numbers and the pairs to which cover, concealment and flanking apply them."""
    table = edition.table

    def numbered(names: Iterable[str]) -> list[str]:
        return [name for name in names if table.rules[name].modifiers]

    for code, word in enumerate(edition.degrees):
        for name in numbered(table.degree[word].rules):
            yield name, (degrees.hard == code) | (degrees.soft == code)
    for code, word in enumerate(edition.concealments):
        for name in numbered(table.concealment[word].rules):
            yield name, degrees.concealment == code
    if table.flanking.rule is not None and flanked is not None:
        yield table.flanking.rule, flanked


def _applied_by_circumstances(edition: Edition, met: Mapping[str, Bools]) -> Iterator[tuple[str, Bools]]:
    """Yield the rules of the circumstances that some pair meets, and the pairs."""
    return ((rule, pairs) for name, pairs in met.items() for rule in edition.table.circumstances[name].rules)

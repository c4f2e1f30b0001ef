"""The judge: facts and an edition in, degrees and numbers for all pairs out. Pure array functions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np

from gridlos.facts import Attack, Bools, Masks, PairFacts, Relation
from gridlos.rules.concealment import (
    concealment_of,
    lines_of_effect,
    lines_of_sight,
    unseen_by_targets,
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
        Facts of the targets against the attackers, ``(T, A)``: whether these are seen. Needed only where
        ``edition.has_rolls``, something conceals, and the facts are not of the same creatures both ways.

    Raises
    ------
    QuestionError
        If an override names an unknown degree or a creature that is not asked about, says nothing or contradicts
        itself; if the edition needs facts that are not there.
    """
    attack, overrides = question.attack, override_codes(edition, question.overrides, facts.shape)
    effect = lines_of_effect(edition, facts)
    found = cover_of(edition, facts, attack, effect, question.uses_ranged_when_adjacent)
    concealed = concealment_of(edition, facts, attack, found)
    hard, soft = _degrees_said(found, overrides)
    degrees = _Degrees(hard, soft, concealed.codes)
    is_reached, is_aimed = _allowed(edition, degrees)
    can_attack = is_allowed(is_reached & is_aimed, [override for override, _ in overrides])
    flanked = _flanked(facts, attack)
    unseen = unseen_by_targets(edition, facts, attack, concealed.codes, back) if edition.has_rolls else None
    # What cover forbids has no numbers, unless the game master allows it all the same.
    applications = tuple(_applications(edition, attack, degrees, (flanked, unseen), is_reached | can_attack))
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
        roll=None if unseen is None else (sums[Statistic.ROLL] % len(ROLLS)).astype(np.uint8),
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


def _degrees_said(found: Cover, overrides: list[tuple[Override, int | None]]) -> tuple[Masks, Masks]:
    """Return the degrees by walls and by creatures, after the game master's words."""
    hard, soft = found.hard.copy(), found.soft.copy()
    for override, code in overrides:
        if code is not None:
            hard[pairs_of(override)], soft[pairs_of(override)] = code, 0
    return hard, soft


def _allowed(edition: Edition, degrees: _Degrees) -> tuple[Bools, Bools]:
    """Return the pairs whose cover does not forbid the attack, and those whose concealment does not."""
    table = edition.table
    by_cover = _flags(table.degree[word].forbids_attack for word in edition.degrees)
    by_concealment = _flags(table.concealment[word].forbids_attack for word in edition.concealments)
    covered = by_cover.take(degrees.hard) | by_cover.take(degrees.soft)
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
    edition: Edition,
    attack: Attack,
    degrees: _Degrees,
    places: tuple[Bools | None, Bools | None],
    has_numbers: Bools,
) -> Iterator[Application]:
    """Yield every number that some pair has, rule by rule: by cover, by concealment, by the two creatures' places.

    ``places``: where the target is flanked, and where the attacker is not seen.
    """
    pairs_by_rule: dict[str, Bools] = {}
    for name, pairs in _applied(edition, degrees, places):
        pairs_by_rule[name] = pairs_by_rule[name] | pairs if name in pairs_by_rule else pairs
    for name, pairs in pairs_by_rule.items():
        rule, counted = edition.table.rules[name], pairs & has_numbers
        for statistic in rule.modifiers if counted.any() else ():
            if value := rule.value(statistic, attack):
                yield Application(name, statistic, rule.type, rule.text, counted, value)


def _applied(
    edition: Edition, degrees: _Degrees, places: tuple[Bools | None, Bools | None]
) -> Iterator[tuple[str, Bools]]:
    """Yield rules with numbers and pairs to which they apply."""
    table = edition.table

    def numbered(names: Iterable[str]) -> list[str]:
        return [name for name in names if table.rules[name].modifiers]

    for code, word in enumerate(edition.degrees):
        for name in numbered(table.degree[word].rules):
            yield name, (degrees.hard == code) | (degrees.soft == code)
    for code, word in enumerate(edition.concealments):
        for name in numbered(table.concealment[word].rules):
            yield name, degrees.concealment == code
    for rule, pairs in zip((table.flanking.rule, table.unseen_attacker), places, strict=True):
        if rule is not None and pairs is not None:
            yield rule, pairs

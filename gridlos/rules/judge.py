"""The judge: facts and an edition in, degrees and numbers for all pairs out. Pure array functions."""

from __future__ import annotations

import numpy as np

from gridlos.facts import Attack, Bools, Masks, PairFacts, Relation
from gridlos.rules.circumstances import Defenses, Seen, flags_of, loses_dexterity, met_by
from gridlos.rules.concealment import (
    concealment_of,
    lines_of_effect,
    lines_of_sight,
    seen_back,
    unseen,
)
from gridlos.rules.cover import Cover, cover_of
from gridlos.rules.judgement import Judgement, Question
from gridlos.rules.model import Edition
from gridlos.rules.numbers import Standing, sums_of
from gridlos.rules.outcomes import Degrees, Outcome, Plan, flags_at, plan_of
from gridlos.rules.override import Override, is_allowed, override_codes, pairs_of

__all__ = ["judge"]

_ALLY = np.uint8(Relation.ALLY)


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
    attack, shape, plan = question.attack, facts.shape, plan_of(edition, question.attack)
    overrides = override_codes(edition, question.overrides, facts)
    effect, sight = lines_of_effect(edition, facts), lines_of_sight(edition, facts)
    found = cover_of(edition, facts, attack, effect, question.uses_ranged_when_adjacent)
    concealed = concealment_of(edition, facts, attack, found, (effect, sight))
    hard, soft = _degrees_said(*_degrees_found(edition, question, found, effect), overrides, listed=facts.listed)
    degrees = Degrees(hard, soft, concealed.codes)
    flanked = _flanked(facts, attack)
    seen = _seen(edition, facts, question, (concealed.codes, flanked), back)
    met = met_by(edition, facts, attack, seen)
    codes = degrees.codes(edition)
    outcomes = plan.outcomes.take(codes)
    can_attack = (outcomes & Outcome.POSSIBLE) == Outcome.POSSIBLE
    for name, pairs in met.items():
        if plan.circumstances[name].forbids_attack:
            can_attack &= ~pairs
    if overrides:
        can_attack = is_allowed(can_attack, [override for override, _ in overrides], listed=facts.listed)
    # What cover forbids has no numbers, unless the game master allows it all the same.
    forced = can_attack if overrides else None
    standing = Standing(edition, attack, degrees, flanked, met, outcomes, forced, Defenses.of(facts))
    sums, rolls = sums_of(standing, facts, codes)
    return Judgement(
        edition=edition,
        facts=facts,
        question=question,
        line_of_effect=effect,
        line_of_sight=sight,
        cover=degrees.cover,
        soft=found.by_creatures,
        blocked_lines=found.lines,
        choice=found.chosen.index.reshape(shape),
        corner=found.chosen.corner.reshape(shape),
        all_corners=found.all_corners,
        concealment=concealed.codes,
        concealment_choice=concealed.chosen.index.reshape(shape),
        concealment_corner=concealed.chosen.corner.reshape(shape),
        can_attack=can_attack,
        flanked=flanked,
        opportunity=_opportunity(facts, attack, outcomes, can_attack),
        can_hide=_can_hide(outcomes, effect, sight),
        sums=sums,
        roll=rolls if _has_rolls(edition, plan, attack, seen) else None,
        flags=flags_of(edition, plan.flags, concealed.codes, met),
        loses_dexterity=loses_dexterity(edition, shape, met) if plan.has_dexterity else None,
        circumstances=met,
        applications_of=standing.applications,
    )


def _degrees_found(edition: Edition, question: Question, found: Cover, effect: Bools) -> tuple[Masks, Masks]:
    """Return the degrees by walls and by creatures; a spread goes round what it can."""
    if question.attack is Attack.AREA and question.is_spread and edition.table.area.spread == "negates":
        return np.where(effect, np.uint8(0), found.hard), np.zeros_like(found.soft)
    return found.hard, found.soft


def _degrees_said(
    hard: Masks, soft: Masks, overrides: list[tuple[Override, int | None]], *, listed: bool
) -> tuple[Masks, Masks]:
    """Return the degrees by walls and by creatures, after the game master's words."""
    if overrides:
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
    plan = plan_of(edition, attack)
    if attack is not Attack.AREA and plan.asks("attacker_unseen", "attacker_light"):
        unseen_back, light_back = seen_back(edition, facts, attack, codes, back, ranged)
    return Seen(unseen(edition, codes) if plan.asks("target_unseen") else None, flanked, unseen_back, light_back)


def _has_rolls(edition: Edition, plan: Plan, attack: Attack, seen: Seen) -> bool:
    """Return whether the edition has advantage, and all that gives it is known: who sees the attackers, too."""
    if attack is Attack.AREA or not plan.has_rolls:
        return False
    return not (edition.asks_who_sees_the_attacker and seen.attacker_unseen is None)


def _flanked(facts: PairFacts, attack: Attack) -> Bools | None:
    if facts.flanked is None:
        return None
    if attack is not Attack.MELEE:
        return np.zeros(facts.shape, np.bool_)
    return facts.flanked if facts.relation is None else facts.flanked & (facts.relation != _ALLY)


def _opportunity(facts: PairFacts, attack: Attack, outcomes: Masks, can_attack: Bools) -> Bools | None:
    """Return whether the attacker threatens, and neither cover nor concealment forbids an attack of opportunity."""
    if facts.threatens is None or attack is not Attack.MELEE:
        return None
    return facts.threatens & can_attack & flags_at(outcomes, Outcome.PROVOKED)


def _can_hide(outcomes: Masks, effect: Bools, sight: Bools) -> Bools:
    """Return whether cover or concealment lets the target hide. What one sees through, a window, hides nobody."""
    seen_through = sight > effect
    hides: Bools = (outcomes & Outcome.HIDES) > Outcome.COVER_HIDES * seen_through
    return hides

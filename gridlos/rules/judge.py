"""The judge: facts and an edition in, degrees and numbers for all pairs out. Pure array functions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gridlos.errors import QuestionError
from gridlos.facts import Attack, Bools, Masks, PairFacts
from gridlos.rules.corners import Chosen, chosen_corners
from gridlos.rules.model import Edition, Statistic, When
from gridlos.rules.stacking import Application, Numbers, modifier_sum, stacked, stacked_column
from gridlos.verdict import Modifier

__all__ = ["Judgement", "Override", "Question", "judge", "modifiers_of", "notes_of"]

FORBIDDEN = 10_000
"""The penalty of a degree that forbids the attack: more than modifiers can add up to."""


@dataclass(frozen=True, slots=True)
class Override:
    """The game master's word on one pair, or on one target against everybody; it wins over all rules.

    Attributes
    ----------
    target, attacker
        Indices into the targets and attackers asked about; attacker None: all of them. A word on one pair wins over one
        on a target.
    degree
        The degree of cover, in a word of the edition, an edition-neutral word or a fraction; None: as found.
    veto
        The attack is impossible.
    force
        The attack is possible, whatever the degree says.
    note
        A sentence that is kept in the verdict.
    """

    target: int
    attacker: int | None = None
    degree: str | None = None
    veto: bool = False
    force: bool = False
    note: str = ""

    def covers(self, attacker: int, target: int) -> bool:
        """Return whether the word is about this pair."""
        return self.target == target and self.attacker in (None, attacker)

    def text(self) -> str:
        """Return the word as a note.

        Examples
        --------
        >>> Override(0, degree="cover", note="the gate swings").text()
        "the game master's word: degree cover (the gate swings)"
        """
        parts = [f"degree {self.degree}"] if self.degree is not None else []
        parts += ["the attack is impossible"] if self.veto else []
        parts += ["the attack is possible"] if self.force else []
        said, note = ", ".join(parts), self.note
        return "the game master's word: " + (f"{said} ({note})" if said and note else said or note)


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked about all pairs.

    Attributes
    ----------
    attack
        The kind of attack.
    uses_ranged_when_adjacent
        ``(A,)`` bool: attackers of size Large or more that reach adjacent squares too. Editions that let these use the
        ranged procedure in adjacent melee read it, the others do not. None: nobody.
    overrides
        The game master's words. Of several on the same pair the last one wins.
    """

    attack: Attack = Attack.RANGED
    uses_ranged_when_adjacent: Bools | None = None
    overrides: tuple[Override, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Judgement:
    """What an edition makes of the facts.

    Every array has shape ``(A, T)``; entries of a creature against itself have no meaning.

    Attributes
    ----------
    line_of_effect
        bool: as the edition's option takes it.
    cover
        uint8: index into the edition's degrees.
    blocked_lines
        uint8, 0 … 4: lines that walls block from the chosen corner; 4 too where all counted ones are, and where the
        attacker has no usable corner. Without line of effect it need not be 4: lines may slip along walls.
    choice, corner
        int64 index into the facts' choices, uint8 number of the attacker's corner: where the lines of the proof start.
        Where all corners count, the worst one.
    all_corners
        bool: all corners of the attacker's square counted, not the best.
    can_attack
        bool: no degree, no word of the game master forbids the attack.
    attack_modifier, defense_modifier, net_modifier, save_modifier
        int16: stacked sums; net is attack minus defense. A degree that forbids the attack has no modifiers.
    evasion
        uint8: index into the edition's evasions.
    applications
        Every number that some pair has, with its rule and its pairs: what the sums are made of.
    """

    edition: Edition
    question: Question
    adjacent: Bools
    line_of_effect: Bools
    cover: Masks
    blocked_lines: Masks
    choice: NDArray[np.int64]
    corner: Masks
    all_corners: Bools
    can_attack: Bools
    attack_modifier: Numbers
    defense_modifier: Numbers
    net_modifier: Numbers
    save_modifier: Numbers
    evasion: Masks
    applications: tuple[Application, ...]

    @property
    def columns(self) -> Mapping[str, NDArray[np.generic]]:
        """The columns of a result that the rules decide, by their name there."""
        names = ("line_of_effect", "cover", "blocked_lines", "can_attack", "attack_modifier", "defense_modifier")
        return {name: getattr(self, name) for name in (*names, "net_modifier", "save_modifier", "evasion")}


def judge(edition: Edition, facts: PairFacts, question: Question) -> Judgement:
    """Return the edition's judgement on every pair.

    Line of effect comes first; without it cover is the degree that the edition gives for that. Else the blocked lines
    from the corner that the attacker takes (:func:`gridlos.rules.corners.chosen_corners`) name the degree, the degree
    its rules, the rules the numbers. The game master's word wins over all of it.

    Raises
    ------
    QuestionError
        If an override names an unknown degree or a creature that is not asked about, says nothing or contradicts
        itself.
    """
    table = edition.table
    words = _override_codes(edition, question.overrides, facts.shape)
    effect = facts.line_of_effect
    if table.line_of_effect == "touching":
        effect = effect | facts.any_free
    all_corners = _uses_all_corners(edition, facts, question)
    chosen, cover, lines = _degrees_of(edition, facts, question.attack, effect, all_corners)
    for override, code in words:
        if code is not None:
            cover[_pairs_of(override)] = code
    applications = tuple(_applications(edition, cover, question.attack))
    sums = {one: stacked_column(applications, one, table.stacking, facts.shape) for one in Statistic}
    evasions = np.array([table.evasions.index(table.degree[word].evasion) for word in table.degrees], np.uint8)
    return Judgement(
        edition=edition,
        question=question,
        adjacent=facts.adjacent,
        line_of_effect=effect,
        cover=cover,
        blocked_lines=lines,
        choice=chosen.index.reshape(facts.shape),
        corner=chosen.corner.reshape(facts.shape),
        all_corners=all_corners,
        can_attack=_can_attack(edition, cover, [override for override, _ in words]),
        attack_modifier=sums[Statistic.ATTACK],
        defense_modifier=sums[Statistic.DEFENSE],
        net_modifier=sums[Statistic.ATTACK] - sums[Statistic.DEFENSE],
        save_modifier=sums[Statistic.SAVE],
        evasion=evasions.take(cover),
        applications=applications,
    )


def modifiers_of(judgement: Judgement, attacker: int, target: int) -> tuple[Modifier, ...]:
    """Return the modifiers of one pair, those that stacking dropped with ``kept`` False."""
    found = (application.at(attacker, target) for application in judgement.applications)
    return stacked((one for one in found if one is not None), judgement.edition.table.stacking)


def notes_of(judgement: Judgement, attacker: int, target: int) -> tuple[str, ...]:
    """Return the notes of one pair: what the edition leaves to the game master, then the game master's words."""
    declared = judgement.edition.table.notes.values()
    notes = [note.text for note in declared if _meets(judgement, note.when, attacker, target)]
    words = [override.text() for override in judgement.question.overrides if override.covers(attacker, target)]
    return (*notes, *words)


def _meets(judgement: Judgement, when: When, attacker: int, target: int) -> bool:
    """Return whether the pair meets every key that is given."""
    pair = attacker, target
    found = {
        "attack": judgement.question.attack,
        "adjacent": bool(judgement.adjacent[pair]),
        "line_of_effect": bool(judgement.line_of_effect[pair]),
        "can_attack": bool(judgement.can_attack[pair]),
    }
    in_degree = when.degrees is None or judgement.edition.degrees[judgement.cover[pair]] in when.degrees
    return in_degree and all(getattr(when, key) in (None, value) for key, value in found.items())


def _uses_all_corners(edition: Edition, facts: PairFacts, question: Question) -> Bools:
    """Return the pairs for which all corners of the attacker's square count, ``(A, T)``."""
    adjacent = edition.table.adjacent_melee
    if question.attack is not Attack.MELEE or adjacent.corners == "best":
        return np.zeros(facts.shape, np.bool_)
    if adjacent.large_creatures == "same" or question.uses_ranged_when_adjacent is None:
        return facts.adjacent
    return facts.adjacent & ~question.uses_ranged_when_adjacent[:, None]


def _degrees_of(
    edition: Edition, facts: PairFacts, attack: Attack, effect: Bools, all_corners: Bools
) -> tuple[Chosen, Masks, Masks]:
    """Return the attackers' choices, the degree and the number of blocked lines of every pair."""
    table = edition.table
    by_best = [table.degrees.index(word) for word in table.blocked_lines]
    by_worst = [table.degrees.index(word) for word in table.adjacent_melee.blocked_lines or table.blocked_lines]
    penalties = [_penalty(edition, word, attack) for word in table.degrees]
    chosen = chosen_corners(
        facts,
        [penalties[code] for code in by_best],
        [penalties[code] for code in by_worst],
        all_corners=all_corners,
        cut_corners=table.cut_corners,
    )
    lines = chosen.lines.reshape(facts.shape)
    cover = np.array(by_best, np.uint8).take(lines)
    if all_corners.any():
        cover = np.where(all_corners, np.array(by_worst, np.uint8).take(lines), cover)
    cover[~effect] = table.degrees.index(table.without_line_of_effect)
    return chosen, cover, lines


def _penalty(edition: Edition, degree: str, attack: Attack) -> int:
    """Return what a degree costs the attacker: what it adds to the defense and takes from the attack."""
    entry = edition.table.degree[degree]
    if entry.forbids_attack:
        return FORBIDDEN
    rules = [(name, edition.table.rules[name]) for name in entry.rules]
    given = [
        Modifier(statistic.value, rule.value(statistic, attack), rule.type, name, rule.text)
        for name, rule in rules
        for statistic in (Statistic.ATTACK, Statistic.DEFENSE)
    ]
    stacking = edition.table.stacking
    return modifier_sum(given, Statistic.DEFENSE, stacking) - modifier_sum(given, Statistic.ATTACK, stacking)


def _applications(edition: Edition, cover: Masks, attack: Attack) -> Iterator[Application]:
    """Yield every number that a degree in ``cover`` brings, rule by rule."""
    table = edition.table
    pairs_by_rule: dict[str, Bools] = {}
    for code, word in enumerate(table.degrees):
        for name in table.degree[word].rules:
            if table.rules[name].modifiers:
                pairs = cover == code
                pairs_by_rule[name] = pairs_by_rule[name] | pairs if name in pairs_by_rule else pairs
    for name, pairs in pairs_by_rule.items():
        rule = table.rules[name]
        for statistic in rule.modifiers if pairs.any() else ():
            if value := rule.value(statistic, attack):
                yield Application(name, statistic, rule.type, rule.text, pairs, value)


def _override_codes(
    edition: Edition, overrides: tuple[Override, ...], shape: tuple[int, int]
) -> list[tuple[Override, int | None]]:
    """Return the game master's words with the codes of their degrees, those on a target before those on a pair."""
    n_attackers, n_targets = shape
    for k, one in enumerate(overrides):
        if not 0 <= one.target < n_targets or not (one.attacker is None or 0 <= one.attacker < n_attackers):
            raise QuestionError(f"override {k}: no such pair among {n_attackers} attackers and {n_targets} targets")
        if one.veto and one.force:
            raise QuestionError(f"override {k}: an attack is either possible (force) or impossible (veto), not both")
        if one.degree is None and not (one.veto or one.force or one.note):
            raise QuestionError(f"override {k}: says nothing; give it a degree, veto, force or a note")
    ordered = sorted(overrides, key=lambda one: one.attacker is not None)
    return [(one, None if one.degree is None else edition.degree_code(one.degree)) for one in ordered]


def _pairs_of(override: Override) -> tuple[slice | int, int]:
    """Return the index of the pairs that the word is about."""
    return (slice(None) if override.attacker is None else override.attacker), override.target


def _can_attack(edition: Edition, cover: Masks, overrides: list[Override]) -> Bools:
    """Return the pairs that no degree forbids, then as the game master says, the last word winning."""
    allowed: Bools = np.array([not edition.table.degree[word].forbids_attack for word in edition.degrees]).take(cover)
    for override in overrides:
        if override.veto or override.force:
            allowed[_pairs_of(override)] = override.force
    return allowed

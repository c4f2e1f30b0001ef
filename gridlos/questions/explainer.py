"""The verdict of one pair with its proof, made of what was found for all of them."""

from __future__ import annotations

from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gridlos.facts import Attack, Contact, Ints, PairFacts
from gridlos.questions.asked import Asked
from gridlos.questions.centre_proof import centre_line, point_of
from gridlos.questions.concealment import concealing_squares
from gridlos.questions.creatures import blocking_creatures
from gridlos.questions.hiding import ALL_OF
from gridlos.questions.proof import corner_of, proof_lines
from gridlos.questions.special_proof import past_specials
from gridlos.rules import Edition, Judgement, modifiers_of, notes_of
from gridlos.verdict import Modifier, Proof, ProofLine, Verdict, named_briefly

__all__ = ["CREATURE", "Explainer"]

Rows = NDArray[np.int64]

CREATURE = "creature "
"""How the name of a creature begins in a proof."""


@dataclass(frozen=True, slots=True)
class Explainer:
    """Makes the verdict of one pair from what was found for all of them."""

    asked: Asked
    facts: PairFacts
    judgement: Judgement
    indices: tuple[Rows, Rows]
    names: tuple[str, ...]
    answers: Mapping[str, NDArray[Any]]

    def __call__(self, i: int, j: int) -> Verdict:
        """Return the verdict of attacker ``i`` against target ``j``."""
        judgement = self.judgement
        values: dict[str, Any] = {name: column[i, j].item() for name, column in self.answers.items()}
        values |= {name: words[values[name]] for name, words in judgement.words.items() if name in values}
        values["save"] = str(judgement.edition.table.save)
        proof = self._proof(i, j)
        modifiers = modifiers_of(judgement, i, j)
        cover_rules = {name for degree in judgement.edition.table.degree.values() for name in degree.rules}
        soft_rules = _rules_by_creatures(judgement.edition, {one.rule for one in modifiers} & cover_rules)
        return Verdict(
            attacker=self.names[i],
            target=self.asked.scene.ids[self.indices[1][j]],
            edition=judgement.edition.id,
            attack=str(judgement.question.attack),
            values=values,
            modifiers=tuple(_named(one, proof, cover_rules, soft_rules) for one in modifiers),
            notes=notes_of(judgement, i, j),
            proof=proof,
        )

    def _proof(self, i: int, j: int) -> Proof:
        if self.asked.measures.centre:
            return self._centre_proof(i, j)
        attacker, corner, target = self._chosen(self.judgement.choice[i, j], self.judgement.corner[i, j])
        obstacles, specials = self.asked.walls
        battle_map = self.asked.scene.battle_map
        pair = self._pair(i, j, attacker)
        lines = proof_lines(battle_map, obstacles, attacker, corner, target)
        if specials is not None:
            choice = self.judgement.choice[i, j]
            squares = (attacker[1] * battle_map.cols + attacker[0], target[1] * battle_map.cols + target[0])
            known, counted = self.facts.hidden, int(self.facts.counted[choice])
            hidden = ALL_OF[self.facts.hard[choice, corner]] if known is None else known[choice, corner]
            edition = self.judgement.edition
            worded = {
                word: int(nibbles[choice, corner])
                for word, nibbles in self.facts.tagged or ()
                if edition.degree_code(word) > 0
            }
            terms = self.asked.measures.terms
            lines = past_specials(battle_map, specials, lines, pair, squares, corner, hidden, worded, counted, terms)
        if self.facts.soft is not None and self.judgement.soft[i, j]:
            blocked = int(self.facts.soft[self.judgement.choice[i, j], corner])
            start = corner_of(attacker, corner)
            lines = tuple(
                replace(
                    line,
                    contact=Contact.BLOCKED,
                    by=(*self._walls_in_the_way(line), *self._creatures(pair, start, line)),
                )
                if blocked >> c & 1
                else line
                for c, line in enumerate(lines)
            )
        return Proof(attacker, corner_of(attacker, corner), target, lines, self._concealing(i, j))

    def _pair(self, i: int, j: int, square: tuple[int, int]) -> tuple[int, int]:
        """Return the two creatures; of the squares in which a point stands the one that was chosen."""
        rows = self.indices[0].tolist()
        standing = [row for row in rows if tuple(self.asked.scene.spaces[row, :2].tolist()) == square]
        return (standing[0] if self.judgement.question.attack is Attack.AREA else rows[i]), int(self.indices[1][j])

    def _centre_proof(self, i: int, j: int) -> Proof:
        facts, edition = self.facts, self.judgement.edition
        attacker, _, target = self._chosen(self.judgement.choice[i, j], self.judgement.corner[i, j])
        pair = self._pair(i, j, attacker)
        start = point_of(self.asked.bodies.centres[pair[0]].tolist())
        hidden = 0 if facts.centre_hidden is None else int(facts.centre_hidden[i, j])
        words = [word for word, met in facts.centre_tagged or () if met[i, j] and edition.degree_code(word) > 0]
        asked = self.asked
        line = centre_line(asked.scene, asked.walls, asked.bodies, pair, hidden, words, asked.measures.terms)
        if self.judgement.soft[i, j]:
            by = (*self._walls_in_the_way(line), *self._creatures(pair, start, line))
            line = replace(line, contact=Contact.BLOCKED, by=by)
        return Proof(attacker, start, target, (line,), self._concealing(i, j), is_centre=True)

    def _chosen(self, choice: np.int64, corner: np.uint8) -> tuple[tuple[int, int], int, tuple[int, int]]:
        attacker, target = (_square(of[choice]) for of in (self.facts.attacker_square, self.facts.target_square))
        return attacker, int(corner), target

    @staticmethod
    def _walls_in_the_way(line: ProofLine) -> tuple[str, ...]:
        return line.by if line.contact is Contact.BLOCKED else ()

    def _creatures(self, pair: tuple[int, int], start: tuple[float, float], line: ProofLine) -> tuple[str, ...]:
        blocking = blocking_creatures(self.asked.bodies, *pair, start, line.to)
        return tuple(f"{CREATURE}{self.asked.scene.ids[k]}" for k in blocking)

    def _concealing(self, i: int, j: int) -> tuple[str, ...]:
        """Return what conceals the target on the lines from the corner that the attacker chose for it."""
        judgement, battle_map = self.judgement, self.asked.scene.battle_map
        if self.facts.concealed is None or not judgement.concealment[i, j] or not self.facts.line_of_sight[i, j]:
            return ()
        attacker, corner, target = self._chosen(judgement.concealment_choice[i, j], judgement.concealment_corner[i, j])
        start = corner_of(attacker, corner)
        found = {xy for c in range(4) for xy in concealing_squares(battle_map, start, corner_of(target, c))}
        return tuple(f"{battle_map.kind_of(x, y).kind} in square ({x}, {y})" for x, y in sorted(found - {attacker}))


def _square(xy: Ints) -> tuple[int, int]:
    x, y = xy.tolist()
    return x, y


def _rules_by_creatures(edition: Edition, applied: AbstractSet[str]) -> AbstractSet[str]:
    """Return the rules that a pair owes to creatures alone, of the rules of cover that apply to it.

    They are those of the degree that creatures give; where walls give the same one, only beside rules of another degree.
    """
    table = edition.table
    if table.centre is not None:
        return frozenset(table.degree[table.centre.creature].rules)
    words = {*table.soft_cover.blocked_lines} - {"none"} if table.soft_cover is not None else set()
    if len(words) != 1:
        return frozenset()
    (word,) = words
    rules = frozenset(table.degree[word].rules)
    return rules if word == "soft" or not applied <= rules else frozenset()


def _named(modifier: Modifier, proof: Proof, cover_rules: AbstractSet[str], soft_rules: AbstractSet[str]) -> Modifier:
    """Return the modifier with the names of what gives the cover or conceals: creatures for rules of soft cover."""
    names: list[str] = []
    if modifier.type == "cover" or modifier.rule in cover_rules:
        lines = [line for line in proof.lines if line.counted]
        blocking = [name for line in lines if line.contact is Contact.BLOCKED for name in line.by]
        names = list(dict.fromkeys([*blocking, *(name for line in lines for name in line.through)]))
        if soft_rules:
            is_soft = modifier.rule in soft_rules
            names = [name for name in names if name.startswith(CREATURE) is is_soft] or names
    elif modifier.type == "concealment":
        names = list(proof.concealed_by)
    named = named_briefly(names)
    return replace(modifier, text=f"{modifier.text}: {named}") if named else modifier

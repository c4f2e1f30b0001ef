"""What is asked about all pairs, and the edition's answers as arrays."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from gridlos.facts import Attack, Bools, Masks, PairFacts
from gridlos.rules.kinds import Flag, Statistic
from gridlos.rules.model import ROLLS, Edition
from gridlos.rules.override import Override
from gridlos.rules.stacking import Application, Numbers

__all__ = ["Judgement", "Question"]


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked about all pairs.

    Attributes
    ----------
    attack
        The kind of attack.
    uses_ranged_when_adjacent
        ``(A,)`` bool, of listed pairs ``(P,)``: attackers of size Large or more that reach adjacent squares too. Editions
        that let these use the ranged procedure in adjacent melee read it, the others do not. None: nobody.
    targets_use_ranged_when_adjacent
        The same of the targets, ``(T,)``, of listed pairs ``(P,)``, for how they see the attackers where other facts tell it.
    overrides
        The game master's words. Of several on the same pair the last one wins.
    is_spread
        Whether an effect on an area spreads round corners.
    """

    attack: Attack = Attack.RANGED
    uses_ranged_when_adjacent: Bools | None = None
    overrides: tuple[Override, ...] = ()
    is_spread: bool = False
    targets_use_ranged_when_adjacent: Bools | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Judgement:
    """The edition's answers, every array ``(A, T)``, of listed pairs ``(P, 1)``; entries of a creature against itself have no meaning.

    Attributes
    ----------
    edition, facts, question
        What was judged.
    line_of_effect, line_of_sight
        bool: by the edition's option.
    cover
        uint8: index into the edition's degrees: the degree by walls, or what creatures give if that is more.
    soft
        bool: a creature blocks a line from the chosen corner, where the edition lets creatures give cover.
    blocked_lines
        uint8, 0 … 4: lines that walls or creatures block from the chosen corner. One that walls hide in part counts from
        the hidden fraction on from which the edition counts; one through a wall with a word for its cover does not.
    choice, corner
        int64 index into the facts' choices and uint8 number of the attacker's corner that he chose: the lines that
        prove the answer start there. Where all corners count it is the worst one of the square that he chose.
    all_corners
        bool: all corners of the attacker's square count.
    concealment
        uint8: index into the edition's concealments.
    concealment_choice, concealment_corner
        Like ``choice`` and ``corner``, chosen apart for concealment.
    can_attack
        bool: False for total cover, for a target that the rules forbid, or if the game master says so.
    flanked
        bool: False for ranged attacks and for allies; None where the facts do not tell.
    opportunity
        bool: the attacker may make an attack of opportunity; None for ranged attacks and where the facts do not tell.
    can_hide
        bool: the target may try Stealth against the attacker.
    sums
        What is added to each statistic, int16. A degree of cover that forbids the attack adds nothing.
    roll
        uint8: index into ``ROLLS``; None in editions without advantage, for effects on an area, and where the facts do not
        tell.
    flags
        What circumstances do beyond numbers, bool each; only the flags that the edition has.
    loses_dexterity
        bool: the target has no Dexterity bonus; None in editions that take it in no circumstance.
    circumstances
        The circumstances that some pair meets, and the pairs, bool each.
    applications_of
        Makes the applications, once.
    """

    edition: Edition
    facts: PairFacts
    question: Question
    line_of_effect: Bools
    line_of_sight: Bools
    cover: Masks
    soft: Bools
    blocked_lines: Masks
    choice: NDArray[np.int64]
    corner: Masks
    all_corners: Bools
    concealment: Masks
    concealment_choice: NDArray[np.int64]
    concealment_corner: Masks
    can_attack: Bools
    flanked: Bools | None
    opportunity: Bools | None
    can_hide: Bools
    sums: Mapping[Statistic, Numbers]
    roll: Masks | None
    flags: Mapping[Flag, Bools]
    loses_dexterity: Bools | None
    circumstances: Mapping[str, Bools]
    applications_of: Callable[[], tuple[Application, ...]]

    @property
    def applications(self) -> tuple[Application, ...]:
        """Every number that some pair has, with its rule and its pairs: what the sums are made of."""
        return self.applications_of()

    @property
    def attack_modifier(self) -> Numbers:
        """What is added to the attack roll."""
        return self.sums[Statistic.ATTACK]

    @property
    def defense_modifier(self) -> Numbers:
        """What is added to the armour class or Defense."""
        return self.sums[Statistic.DEFENSE]

    @property
    def net_modifier(self) -> Numbers:
        """Attack minus defense: comparable between editions."""
        return self.attack_modifier - self.defense_modifier

    @property
    def save_modifier(self) -> Numbers:
        """What is added to the save that cover helps."""
        return self.sums[Statistic.SAVE]

    @property
    def stealth_modifier(self) -> Numbers:
        """What is added to the target's Stealth check."""
        return self.sums[Statistic.STEALTH]

    @property
    def miss_chance(self) -> Numbers:
        """The chance in percent that a hit misses all the same."""
        return self.sums[Statistic.MISS_CHANCE]

    @property
    def flat_check(self) -> Numbers | None:
        """What a flat check must reach; None in editions without flat checks."""
        return self.sums[Statistic.FLAT_CHECK] if self.edition.has_flat_checks else None

    @property
    def hidden_fraction(self) -> NDArray[np.float64] | None:
        """The part of the target's square that walls hide from the chosen corner; None where the facts do not tell."""
        if self.facts.hidden_area is None:
            return None
        return self.facts.hidden_area[self.choice, self.corner].astype(np.float64)

    @property
    def evasion(self) -> Masks:
        """Index into the edition's evasions, uint8."""
        return _evasions(self.edition).take(self.cover)

    @property
    def columns(self) -> Mapping[str, NDArray[np.generic]]:
        """The columns of a result that the rules decide, by their name there; those that the facts lack are left out."""
        found = {name: getattr(self.facts if name in _FACTS else self, name) for name in _COLUMNS}
        found |= {flag.value: pairs for flag, pairs in self.flags.items()}
        return {name: column for name, column in found.items() if column is not None}

    @property
    def words(self) -> Mapping[str, tuple[str, ...]]:
        """The words of the columns that hold codes."""
        edition = self.edition
        words = {"cover": edition.degrees, "concealment": edition.concealments, "evasion": edition.evasions}
        return words if self.roll is None else {**words, "roll": ROLLS}


@lru_cache(maxsize=128)
def _evasions(edition: Edition) -> Masks:
    """Return the index of the evasion for every degree."""
    table = edition.table
    return np.array([table.evasions.index(table.degree[word].evasion) for word in table.degrees], np.uint8)


_FACTS = ("in_reach", "threatens")
_COLUMNS = (
    "line_of_effect",
    "line_of_sight",
    "cover",
    "soft",
    "blocked_lines",
    "concealment",
    "miss_chance",
    "can_attack",
    "in_reach",
    "threatens",
    "flanked",
    "opportunity",
    "can_hide",
    "attack_modifier",
    "defense_modifier",
    "net_modifier",
    "save_modifier",
    "evasion",
    "stealth_modifier",
    "roll",
    "flat_check",
    "hidden_fraction",
    "loses_dexterity",
)

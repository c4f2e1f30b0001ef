"""What an edition table can say: the closed set of rule kinds, and the edition that is made of one.

A table is TOML. Its keys are the fields of :class:`Table`; every word in it is either declared in the same table
(degrees, rules, bonus types, options) or one of the closed sets below.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from enum import StrEnum
from fractions import Fraction
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct, field

from gridlos.errors import QuestionError
from gridlos.facts import Attack

__all__ = [
    "AdjacentMelee",
    "ByAttack",
    "CoverWords",
    "Degree",
    "Edition",
    "Note",
    "Option",
    "OptionValue",
    "Rule",
    "Stacking",
    "Statistic",
    "Table",
    "When",
    "nearest",
]

Number = Annotated[int, Meta(ge=-100, le=100)]
Text = Annotated[str, Meta(min_length=1)]
Word = Annotated[str, Meta(min_length=1, max_length=60)]

_FRACTION = re.compile(r"[0-9]{1,4}(/0{0,3}[1-9][0-9]{0,3})?")


class Statistic(StrEnum):
    """What a modifier is added to."""

    ATTACK = "attack"
    DEFENSE = "defense"
    SAVE = "save"


class ByAttack(Struct, frozen=True, forbid_unknown_fields=True):
    """A number that differs between the kinds of attack."""

    ranged: Number = 0
    melee: Number = 0


class Rule(Struct, frozen=True, forbid_unknown_fields=True):
    """A rule with its numbers.

    Attributes
    ----------
    text
        What a reader of a verdict sees.
    source
        Edition, chapter, heading.
    type
        The bonus type of all its numbers, one of ``stacking.types``.
    modifiers
        Statistic to number, one for all attacks or one for each kind.
    """

    text: Text
    source: Text
    type: Word = "untyped"
    modifiers: dict[Statistic, Number | ByAttack] = {}

    def value(self, statistic: Statistic, attack: Attack) -> int:
        """Return the number that the rule adds to ``statistic`` in such an attack; 0 where it says nothing."""
        number = self.modifiers.get(statistic, 0)
        if isinstance(number, ByAttack):
            return number.melee if attack is Attack.MELEE else number.ranged
        return number


class Degree(Struct, frozen=True, forbid_unknown_fields=True):
    """What one degree of cover does: the rules that it applies, the evasion it gives, whether it forbids the attack."""

    rules: tuple[Word, ...] = ()
    evasion: Word = "none"
    forbids_attack: bool = False


class AdjacentMelee(Struct, frozen=True, forbid_unknown_fields=True):
    """How cover is found for a melee attack on an adjacent target.

    Attributes
    ----------
    corners
        ``best``: as for a ranged attack, from the attacker's best corner. ``all``: from all corners of his square, the
        worst one counts.
    blocked_lines
        The degree for 0 … 4 blocked lines; None: the same as for a ranged attack.
    large_creatures
        ``ranged``: creatures of size Large or more that reach adjacent squares too use the ranged procedure; ``same``:
        no exception.
    """

    corners: Literal["best", "all"] = "best"
    blocked_lines: tuple[Word, Word, Word, Word, Word] | None = None
    large_creatures: Literal["same", "ranged"] = "same"


class CoverWords(Struct, frozen=True, forbid_unknown_fields=True):
    """The edition's degrees for the edition-neutral words of maps.

    ``fractions`` holds the least hidden fraction of a body that gives a degree: ``{"1/2" = "half"}``; below the least
    there is none.
    """

    light: Word
    partial: Word
    standard: Word
    improved: Word
    total: Word
    fractions: dict[Word, Word] = {}


class Stacking(Struct, frozen=True, forbid_unknown_fields=True):
    """Which modifiers of one statistic count together.

    Attributes
    ----------
    types
        The bonus types of the edition.
    bonuses_add, penalties_add
        The types whose bonuses (penalties) add up; of every other type only the largest counts. One rule counts once in
        any case.
    """

    types: tuple[Word, ...]
    bonuses_add: tuple[Word, ...] = ("untyped",)
    penalties_add: tuple[Word, ...] = ("untyped",)


class When(Struct, frozen=True, forbid_unknown_fields=True):
    """The pairs that a note is for: those that meet every key that is given."""

    degrees: tuple[Word, ...] | None = None
    attack: Attack | None = None
    adjacent: bool | None = None
    line_of_effect: bool | None = None
    can_attack: bool | None = None


class Note(Struct, frozen=True, forbid_unknown_fields=True):
    """What the edition leaves to the game master, or what a reader must know, in one sentence."""

    text: Text
    source: Text
    when: When = field(default_factory=When)


class OptionValue(Struct, frozen=True, forbid_unknown_fields=True):
    """One value of an option: what it means, and the keys of the table that it sets (none: the table as it is)."""

    means: Text
    set: dict[str, Any] = {}


class Option(Struct, frozen=True, forbid_unknown_fields=True):
    """A choice that the texts leave open: its values, the one that is taken, and why."""

    default: Word
    why: Text
    values: dict[Word, OptionValue]


class Table(Struct, frozen=True, forbid_unknown_fields=True):
    """The whole edition table.

    Attributes
    ----------
    name, source
        The edition's full name; its books.
    degrees
        Words for the degrees of cover, mildest first; ``degree`` holds what each does.
    blocked_lines
        The degree for 0 … 4 blocked lines from the attacker's best corner.
    without_line_of_effect
        The degree where there is no line of effect.
    save
        The save that cover helps.
    diagonals
        Distance: ``5-10-5``, every second diagonal counts double; ``1``, every diagonal counts 1.
    line_of_effect
        ``clear``: a segment between inner points that meets no wall; ``touching``: a free corner line is enough.
    cut_corners
        ``ignore``: corners that a wall cuts off from their square's centre are no part of the space; ``count``: they
        are.
    evasions
        Words for what happens to damage on a save, ``none`` first.
    """

    name: Text
    source: Text
    degrees: tuple[Word, ...]
    degree: dict[Word, Degree]
    blocked_lines: tuple[Word, Word, Word, Word, Word]
    without_line_of_effect: Word
    save: Literal["reflex", "dexterity"]
    diagonals: Literal["5-10-5", "1"]
    line_of_effect: Literal["clear", "touching"]
    cut_corners: Literal["ignore", "count"]
    cover_words: CoverWords
    stacking: Stacking
    rules: dict[Word, Rule]
    evasions: tuple[Word, ...] = ("none",)
    adjacent_melee: AdjacentMelee = field(default_factory=AdjacentMelee)
    notes: dict[Word, Note] = {}
    options: dict[Word, Option] = {}


@dataclass(frozen=True, slots=True, eq=False)
class Edition:
    """An edition as it is played: its table with the options' values laid over it.

    Attributes
    ----------
    id
        ``pathfinder1``; for a house rule the name of its file without the ending.
    table
        What the table says, the options applied. ``table.options`` holds every option with its values and reasons.
    options
        Option to the value in use, every option of the edition.
    """

    id: str
    table: Table
    options: Mapping[str, str]

    @property
    def name(self) -> str:
        """The edition's full name."""
        return self.table.name

    @property
    def degrees(self) -> tuple[str, ...]:
        """Words for the codes of ``cover``, mildest first."""
        return self.table.degrees

    @property
    def evasions(self) -> tuple[str, ...]:
        """Words for the codes of ``evasion``."""
        return self.table.evasions

    def degree_code(self, word: str) -> int:
        """Return the code of a degree named by the edition's word, an edition-neutral word or a hidden fraction.

        Raises
        ------
        QuestionError
            If the word is none of these; names the nearest that is.

        Examples
        --------
        >>> from gridlos.rules import load_edition
        >>> edition = load_edition("dnd5e")
        >>> [edition.degrees[edition.degree_code(word)] for word in ("half", "improved", "7/8", "1/3")]
        ['half', 'three-quarters', 'three-quarters', 'none']
        """
        words = self.table.cover_words
        neutral = {name: getattr(words, name) for name in ("light", "partial", "standard", "improved", "total")}
        if word in self.degrees:
            return self.degrees.index(word)
        if word in neutral:
            return self.degrees.index(neutral[word])
        fraction = parse_fraction(word)
        if fraction is None:
            hint = nearest(word, (*self.degrees, *neutral))
            raise QuestionError(f"{word!r} is no degree of cover in {self.id}{hint} (or a fraction such as '1/2')")
        reached = [degree for least, degree in words.fractions.items() if Fraction(least) <= fraction]
        return max(map(self.degrees.index, reached), default=0)


def parse_fraction(word: str) -> Fraction | None:
    """Return the fraction from 0 to 1 that ``word`` names; None if it names none.

    Examples
    --------
    >>> parse_fraction("3/4"), parse_fraction("5/4"), parse_fraction("much")
    (Fraction(3, 4), None, None)
    """
    if not _FRACTION.fullmatch(word):
        return None
    fraction = Fraction(word)
    return fraction if fraction <= 1 else None


def nearest(word: str, known: Iterable[str]) -> str:
    """Return the end of a message about an unknown word: the nearest right word, else all the right words.

    Examples
    --------
    >>> nearest("partail", ["lines", "partial"])
    "; did you mean 'partial'?"
    >>> nearest("x", ["clear", "touching"])
    '; known: clear, touching'
    """
    words = list(dict.fromkeys(known))
    close = get_close_matches(word, words, n=1)
    if close:
        return f"; did you mean {close[0]!r}?"
    return f"; known: {', '.join(words)}" if words else ""

"""What an edition table can say as a whole, and the edition that is made of one.

A table is TOML. Its keys are the fields of :class:`Table`, made of the rule kinds of :mod:`gridlos.rules.kinds`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Literal

from msgspec import Struct, field

from gridlos.errors import QuestionError
from gridlos.facts import Hidden
from gridlos.rules.dice import Dice
from gridlos.rules.kinds import (
    Circumstance,
    ConcealmentDegree,
    ConcealmentWords,
    CoverWords,
    Degree,
    DegreeByLines,
    Dexterity,
    Flag,
    Note,
    Option,
    Rise,
    Rule,
    Stacking,
    Statistic,
    Text,
    Word,
)
from gridlos.rules.procedures import (
    AdjacentMelee,
    Area,
    ByArea,
    Centre,
    Concealing,
    Flanking,
    Heights,
    Reach,
    Senses,
    SizeShift,
    SoftCover,
)
from gridlos.words import nearest_word

__all__ = ["ROLLS", "Edition", "Table", "nearest", "parse_fraction"]

ROLLS = ("normal", "advantage", "disadvantage")
"""Words for the codes of ``roll``: the sum of the modifiers on the roll, modulo 3."""

_LEAST_HIDDEN = {"1/4": Hidden.QUARTER, "1/2": Hidden.HALF, "3/4": Hidden.THREE_QUARTERS, "1": Hidden.ALL}

_FRACTION = re.compile(r"[0-9]{1,4}(/0{0,3}[1-9][0-9]{0,3})?")


class Table(Struct, frozen=True, forbid_unknown_fields=True):
    """The whole edition table.

    Attributes
    ----------
    name, source
        The edition's full name; its books.
    degrees
        Words for the degrees of cover, mildest first; ``degree`` holds what each does.
    blocked_lines
        The degree for 0 … 4 lines that walls block from the attacker's best corner.
    by_area
        The degree by the hidden part of the target's square instead, but in melee where all corners count; None: by lines.
    soft_cover
        What creatures in the way do; None: nothing.
    centre
        That cover is found on one line from centre to centre, and what creatures on it do; None: on lines between corners.
    heights
        What obstacles do that hide a part of a body.
    without_line_of_effect
        The degree where there is no line of effect.
    concealments
        Words for the degrees of concealment, mildest first; ``concealment`` holds what each does,
        ``concealment_words`` the edition's words for those of maps, ``concealing`` how they are found.
    conditions
        The conditions of creatures that the edition knows, each with those that it implies.
    unable
        Conditions in which a creature cannot attack, so that it threatens nobody.
    circumstances
        What holds between some pairs, and what it does.
    dexterity, senses, area, size_shift
        What the texts say of these; ``size_shift`` None: the attacker's size changes nothing.
    dice
        What the edition says about the dice of an attack.
    higher_ground_feet
        How much higher the attacker's feet must be for higher ground.
    save
        The save that cover helps.
    diagonals
        Distance: ``5-10-5``, every second diagonal counts double; ``1``, every diagonal counts 1.
    line_of_effect
        ``clear``: a segment between inner points that meets no wall; ``touching``: a free corner line is enough.
    cut_corners
        ``ignore``: corners that a wall cuts off from their square's centre are no part of the space; ``count``: they
        are.
    edge_contact
        ``clear``: a line that runs along a wall is free; ``blocked_for_walls_only``: it counts as blocked for cover.
    corridors
        Where such lines count as blocked, whether they do so in a straight corridor with nothing between: ``exempt`` or
        ``count``.
    attacker_corners, target_squares
        For a ranged attack: whether a big attacker's lines start from ``any`` corner of his squares or from the
        ``outer`` ones of his space; whether they run to ``any`` one square of a big target or to ``all`` of them.
    evasions
        Words for what happens to damage on a save, ``none`` first.
    """

    name: Text
    source: Text
    degrees: tuple[Word, ...]
    degree: dict[Word, Degree]
    blocked_lines: DegreeByLines
    without_line_of_effect: Word
    concealments: tuple[Word, ...]
    concealment: dict[Word, ConcealmentDegree]
    concealment_words: ConcealmentWords
    save: Literal["reflex", "dexterity"]
    diagonals: Literal["5-10-5", "1"]
    line_of_effect: Literal["clear", "touching"]
    cut_corners: Literal["ignore", "count"]
    cover_words: CoverWords
    stacking: Stacking
    rules: dict[Word, Rule]
    evasions: tuple[Word, ...] = ("none",)
    adjacent_melee: AdjacentMelee = field(default_factory=AdjacentMelee)
    by_area: ByArea | None = None
    soft_cover: SoftCover | None = None
    centre: Centre | None = None
    heights: Heights = field(default_factory=Heights)
    concealing: Concealing = field(default_factory=Concealing)
    flanking: Flanking = field(default_factory=Flanking)
    reach: Reach = field(default_factory=Reach)
    conditions: dict[Word, tuple[Word, ...]] = {}
    unable: tuple[Word, ...] = ()
    circumstances: dict[Word, Circumstance] = {}
    dexterity: Dexterity = field(default_factory=Dexterity)
    senses: Senses = field(default_factory=Senses)
    area: Area = field(default_factory=Area)
    size_shift: SizeShift | None = None
    higher_ground_feet: Rise = 1
    dice: Dice = field(default_factory=Dice)
    edge_contact: Literal["clear", "blocked_for_walls_only"] = "clear"
    corridors: Literal["exempt", "count"] = "exempt"
    attacker_corners: Literal["any", "outer"] = "any"
    target_squares: Literal["any", "all"] = "any"
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
    def concealments(self) -> tuple[str, ...]:
        """Words for the codes of ``concealment``, mildest first."""
        return self.table.concealments

    @property
    def has_rolls(self) -> bool:
        """Whether some rule gives advantage or disadvantage."""
        return _has(self, Statistic.ROLL)

    @property
    def has_flat_checks(self) -> bool:
        """Whether some rule asks for a flat check."""
        return _has(self, Statistic.FLAT_CHECK)

    @property
    def flags(self) -> tuple[Flag, ...]:
        """What its circumstances do beyond numbers."""
        said = {flag for circumstance in self.table.circumstances.values() for flag in circumstance.flags}
        return tuple(flag for flag in Flag if flag in said)

    @property
    def has_dexterity(self) -> bool:
        """Whether some circumstance takes the target's Dexterity bonus."""
        return any(one.dexterity in {"lost", "zero"} for one in self.table.circumstances.values())

    @property
    def asks_who_sees_the_attacker(self) -> bool:
        """Whether some circumstance depends on how the target sees the attacker."""
        return _asks_who_sees_the_attacker(self)

    def implied(self, conditions: frozenset[str]) -> frozenset[str]:
        """Return the conditions with all that they imply.

        Examples
        --------
        >>> from gridlos.rules import load_edition
        >>> sorted(load_edition("hybrid35").implied(frozenset({"sleeping"})))
        ['helpless', 'sleeping']
        """
        found, rest = set(conditions), list(conditions)
        while rest:
            new = set(self.table.conditions.get(rest.pop(), ())) - found
            found |= new
            rest.extend(new)
        return frozenset(found)

    @property
    def evasions(self) -> tuple[str, ...]:
        """Words for the codes of ``evasion``."""
        return self.table.evasions

    @property
    def least_hidden(self) -> Hidden:
        """The least that walls must hide of a body for a line to count among the blocked ones."""
        return _LEAST_HIDDEN[self.table.heights.counts_from]

    @property
    def low_obstacles(self) -> bool:
        """Whether low obstacles are ignored far from the target, and by an attacker who is closer."""
        return self.table.heights.low_obstacles

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
        if fraction == 1 and words.by_fraction == "nearest":
            return self.degrees.index(words.total)
        return self.degrees.index(_degree_hidden(words, fraction))

    def degree_code_hidden(self, fraction: Fraction) -> int:
        """Return the code of the degree for the hidden part of a target's square; only where there is ``by_area``."""
        return 0 if self.table.by_area is None else self.degrees.index(_degree_hidden(self.table.by_area, fraction))


def _degree_hidden(words: CoverWords | ByArea, fraction: Fraction) -> str:
    """Return the degree for a hidden fraction of a body or square."""
    scale = sorted((Fraction(key), degree) for key, degree in words.fractions.items())
    if words.by_fraction == "least":
        reached = [degree for least, degree in scale if least <= fraction]
        return reached[-1] if reached else "none"
    return min([(Fraction(0), "none"), *scale], key=lambda entry: (abs(entry[0] - fraction), entry[0]))[1]


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
    if (close := nearest_word(word, words)) is not None:
        return f"; did you mean {close!r}?"
    return f"; known: {', '.join(words)}" if words else ""


@lru_cache(maxsize=256)
def _has(edition: Edition, statistic: Statistic) -> bool:
    """Return whether some rule has a number for that statistic."""
    return any(statistic in rule.modifiers for rule in edition.table.rules.values())


@lru_cache(maxsize=256)
def _asks_who_sees_the_attacker(edition: Edition) -> bool:
    asked = edition.table.circumstances.values()
    return any(one.attacker_unseen is not None or one.attacker_light is not None for one in asked)

"""The closed set of rule kinds: the pieces that an edition table is made of.

Every word in them is either declared in the same table (degrees, concealments, rules, bonus types, evasions) or one of
the closed sets below.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct, field

from gridlos.facts import Attack

__all__ = [
    "ByAttack",
    "Circumstance",
    "ConcealmentDegree",
    "ConcealmentWords",
    "CoverWords",
    "Degree",
    "DegreeByLines",
    "Dexterity",
    "Flag",
    "Note",
    "Number",
    "Option",
    "OptionValue",
    "Rise",
    "Rule",
    "Stacking",
    "Statistic",
    "Text",
    "When",
    "Word",
]

Number = Annotated[int, Meta(ge=-100, le=100)]
Rise = Annotated[int, Meta(ge=1, le=100)]
Text = Annotated[str, Meta(min_length=1)]
Word = Annotated[str, Meta(min_length=1, max_length=60)]
DegreeByLines = tuple[Word, Word, Word, Word, Word]


class Statistic(StrEnum):
    """What a modifier is added to.

    ``miss_chance`` is in percent. ``roll`` is 1 for advantage and -1 for disadvantage; both together are a normal roll.
    ``flat_check`` is what a roll of d20 without modifiers must reach for the attack to go on.
    """

    ATTACK = "attack"
    DEFENSE = "defense"
    SAVE = "save"
    STEALTH = "stealth"
    MISS_CHANCE = "miss_chance"
    ROLL = "roll"
    FLAT_CHECK = "flat_check"


_IN_AREA = (Statistic.SAVE, Statistic.STEALTH)
"""What one number for all attacks says of effects on an area: these have no attack roll."""


class Flag(StrEnum):
    """What else a circumstance does, for what builds on it."""

    SNEAK_ATTACK = "sneak_attack"
    OFF_GUARD = "off_guard"
    COMBAT_ADVANTAGE = "combat_advantage"


class ByAttack(Struct, frozen=True, forbid_unknown_fields=True):
    """A number that differs between the kinds of attack."""

    ranged: Number = 0
    melee: Number = 0
    area: Number = 0


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
        Statistic to number, one for all attacks or one for each kind. One number for all attacks is none against effects
        on an area, unless it is for the save or Stealth.
    also
        Ids of further statements of the source that this rule carries out.
    """

    text: Text
    source: Text
    type: Word = "untyped"
    modifiers: dict[Statistic, Number | ByAttack] = {}
    also: tuple[Word, ...] = ()

    def value(self, statistic: Statistic, attack: Attack) -> int:
        """Return the number that the rule adds to ``statistic`` in such an attack; 0 where it says nothing."""
        number = self.modifiers.get(statistic, 0)
        if isinstance(number, ByAttack):
            return {Attack.RANGED: number.ranged, Attack.MELEE: number.melee, Attack.AREA: number.area}[attack]
        return number if attack is not Attack.AREA or statistic in _IN_AREA else 0


class Degree(Struct, frozen=True, forbid_unknown_fields=True):
    """What one degree of cover does.

    Attributes
    ----------
    rules
        The rules that it applies.
    evasion
        The evasion that it gives, one of the edition's ``evasions``.
    forbids_attack, forbids_opportunity
        Whether it forbids every attack, or attacks of opportunity only.
    hides
        Whether one can hide behind it.
    """

    rules: tuple[Word, ...] = ()
    evasion: Word = "none"
    forbids_attack: bool = False
    forbids_opportunity: bool = False
    hides: bool = False


class ConcealmentDegree(Struct, frozen=True, forbid_unknown_fields=True):
    """What one degree of concealment does.

    Attributes
    ----------
    rules
        The rules that it applies.
    forbids_attack, forbids_opportunity
        Whether it forbids to attack the target itself, or to attack it by an attack of opportunity. The numbers stay:
        they are those of an attack on the square in which the attacker thinks the target to be.
    forbids_sneak_attack
        Whether there is no sneak attack on what is concealed so.
    hides
        Whether one can hide in it.
    unseen
        Whether the attacker does not see the target at all.
    """

    rules: tuple[Word, ...] = ()
    forbids_attack: bool = False
    forbids_opportunity: bool = False
    forbids_sneak_attack: bool = False
    hides: bool = False
    unseen: bool = False


class ConcealmentWords(Struct, frozen=True, forbid_unknown_fields=True):
    """The edition's words for what conceals a quarter, half, three quarters, nine tenths or all of a target."""

    light: Word
    concealed: Word
    heavy: Word
    nearly_total: Word
    total: Word


class Dexterity(Struct, frozen=True, forbid_unknown_fields=True):
    """What circumstances do to the target's Dexterity, and the rules by which a verdict names it.

    Attributes
    ----------
    lost
        The rule where a bonus from Dexterity is lost; a penalty stays.
    less
        The rule where Dexterity is lower, which changes the modifier by ``less_modifier``.
    zero
        The rule where the modifier is ``zero_modifier``, whatever it was.
    less_modifier, zero_modifier
        These numbers.
    """

    lost: Word | None = None
    less: Word | None = None
    zero: Word | None = None
    less_modifier: Number = 0
    zero_modifier: Number = 0


Conditions = tuple[Word, ...]


class Circumstance(Struct, frozen=True, forbid_unknown_fields=True):
    """What holds between some pairs, and what it does. A pair meets it that meets every key that is given.

    Attributes
    ----------
    attacker, target
        Conditions of which the creature has one; a condition brings those that it implies.
    attacker_without, target_without
        Conditions of which it has none.
    attack
        The kind of attack.
    weapons, other_weapons
        The attacker's weapon is one of these; is known to be none of these, or not known.
    adjacent
        Whether attacker and target are adjacent.
    higher_ground
        Whether the attacker stands higher, by ``higher_ground_feet`` at least.
    light, attacker_light
        The light in which the attacker sees the target, and the target the attacker, after what their senses make of it.
    attacker_unseen, target_unseen
        Whether the other one does not see the creature at all.
    flanked
        Whether the attacker flanks the target.
    engaged
        A friend of the attacker fights the target in melee, and the target is ``close`` in size, or ``two_larger``
        (exactly) or ``three_larger`` (or more) by so many steps than the largest of these friends.
    crowded
        Whether an enemy who is able to attack stands next to the attacker.
    rules
        The rules that it applies.
    dexterity
        What becomes of the target's Dexterity: see :class:`Dexterity`.
    shield
        The rule by which the target's shield is of no use; None: it is.
    conceals
        The degree of concealment that the target has at least.
    flags
        What else it does.
    forbids_attack
        Whether it forbids the attack.
    """

    attacker: Conditions | None = None
    attacker_without: Conditions = ()
    target: Conditions | None = None
    target_without: Conditions = ()
    attack: Attack | None = None
    weapons: tuple[Word, ...] | None = None
    other_weapons: tuple[Word, ...] | None = None
    adjacent: bool | None = None
    higher_ground: bool | None = None
    light: Literal["dim", "dark"] | None = None
    attacker_light: Literal["dim", "dark"] | None = None
    attacker_unseen: bool | None = None
    target_unseen: bool | None = None
    flanked: bool | None = None
    engaged: Literal["close", "two_larger", "three_larger"] | None = None
    crowded: bool | None = None
    rules: tuple[Word, ...] = ()
    dexterity: Literal["lost", "less", "zero"] | None = None
    shield: Word | None = None
    conceals: Word | None = None
    flags: tuple[Flag, ...] = ()
    forbids_attack: bool = False


class CoverWords(Struct, frozen=True, forbid_unknown_fields=True):
    """The edition's degrees for the edition-neutral words of maps, and for hidden fractions of a body.

    Attributes
    ----------
    fractions
        Fraction to degree.
    by_fraction
        ``least``: a degree needs at least its fraction hidden; below the least there is none. ``nearest``: the degree
        with the nearest fraction, the milder of two that are equally near; ``none`` stands at 0, and only 1 is
        ``total``.
    """

    light: Word
    partial: Word
    standard: Word
    improved: Word
    total: Word
    fractions: dict[Word, Word] = {}
    by_fraction: Literal["least", "nearest"] = "least"


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
    """The pairs that a note is for: those that meet every key that is given, and one of the circumstances."""

    circumstances: tuple[Word, ...] | None = None
    degrees: tuple[Word, ...] | None = None
    concealments: tuple[Word, ...] | None = None
    attack: Attack | None = None
    adjacent: bool | None = None
    line_of_effect: bool | None = None
    can_attack: bool | None = None
    soft: bool | None = None
    flanked: bool | None = None
    can_hide: bool | None = None


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

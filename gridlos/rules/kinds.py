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
    "AdjacentMelee",
    "Area",
    "ByArea",
    "ByAttack",
    "Centre",
    "Circumstance",
    "Concealing",
    "ConcealmentDegree",
    "ConcealmentWords",
    "CoverWords",
    "Degree",
    "DegreeByHidden",
    "DegreeByLines",
    "Dexterity",
    "Flag",
    "Flanking",
    "Heights",
    "Note",
    "Number",
    "Option",
    "OptionValue",
    "Reach",
    "Rise",
    "Rule",
    "Senses",
    "SizeShift",
    "SoftCover",
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
DegreeByHidden = tuple[Word, Word, Word, Word, Word, Word]


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
    hides
        Whether one can hide in it.
    unseen
        Whether the attacker does not see the target at all.
    """

    rules: tuple[Word, ...] = ()
    forbids_attack: bool = False
    forbids_opportunity: bool = False
    hides: bool = False
    unseen: bool = False


class ConcealmentWords(Struct, frozen=True, forbid_unknown_fields=True):
    """The edition's words for what conceals a quarter, half, three quarters, nine tenths or all of a target."""

    light: Word
    concealed: Word
    heavy: Word
    nearly_total: Word
    total: Word


class Concealing(Struct, frozen=True, forbid_unknown_fields=True):
    """How concealment by squares is found.

    Attributes
    ----------
    counts
        ``inside``: a line is concealed by a square through whose inside it passes; ``border``: by one whose border it
        touches, too.
    corner
        From which corner the lines run: ``lowest``: the attacker takes the one that is best for seeing; ``highest``:
        the target's player does; ``cover``: the one from which cover was found.
    fog
        What fog does more than other squares that conceal. ``deep``: with two or more squares of it on a line it
        conceals totally, unless the target is adjacent. ``any``: with any square on a line, the attacker's own
        included, it conceals totally. ``target``: who stands in it with all of his space is totally concealed, nobody
        else. ``never``: nothing more.
    """

    counts: Literal["inside", "border"] = "inside"
    corner: Literal["lowest", "highest", "cover"] = "lowest"
    fog: Literal["deep", "any", "target", "never"] = "deep"


class SoftCover(Struct, frozen=True, forbid_unknown_fields=True):
    """What creatures in the way do.

    Attributes
    ----------
    blocked_lines
        The degree that they give, for 0 … 4 lines that walls and creatures block together; where no creature blocks a
        line they give none.
    reach
        Whether they do so in melee against targets that are not adjacent.
    area
        Whether they do so against effects on an area.
    blocks_opportunity
        Whether the cover that they give forbids attacks of opportunity.
    creatures
        Who gives it: ``all`` in the way, or ``enemies`` of the attacker only.
    """

    blocked_lines: DegreeByLines
    reach: Literal["applies", "not"] = "applies"
    area: Literal["applies", "not"] = "applies"
    blocks_opportunity: bool = False
    creatures: Literal["all", "enemies"] = "all"


class Centre(Struct, frozen=True, forbid_unknown_fields=True):
    """That cover is found on the one line between the centres of the two spaces, whatever the attack.

    What walls do on it the table says elsewhere: ``blocked_lines`` for 0 and 1, ``heights``, ``cover_words``.

    Attributes
    ----------
    creature
        The degree by a creature on the line.
    larger_creature
        The degree by a creature on the line that is two or more sizes larger than both attacker and target.
    """

    creature: Word
    larger_creature: Word


class AdjacentMelee(Struct, frozen=True, forbid_unknown_fields=True):
    """How cover is found for a melee attack on an adjacent target.

    Attributes
    ----------
    corners
        ``best``: as for a ranged attack, from the attacker's best corner. ``all``: from all corners of his square, the
        worst one counts.
    blocked_lines
        The degree for 0 … 4 blocked lines where all corners count; None: the same as for a ranged attack.
    large_creatures
        ``ranged``: creatures of size Large or more that reach adjacent squares too use the ranged procedure; ``same``:
        no exception.
    creatures
        ``ignored``: only walls give cover; ``count``: creatures do so, too.
    """

    corners: Literal["best", "all"] = "best"
    blocked_lines: DegreeByLines | None = None
    large_creatures: Literal["same", "ranged"] = "same"
    creatures: Literal["ignored", "count"] = "ignored"


class Heights(Struct, frozen=True, forbid_unknown_fields=True):
    """What obstacles do that hide a part of a body: low walls, battlements, what stands higher or lower.

    Attributes
    ----------
    counts_from
        The least hidden fraction of the body for which a line counts among the blocked ones.
    at_most
        The degree that such lines give at most, for each range of the fraction in :class:`gridlos.facts.Hidden` from
        ``QUARTER`` to ``NEARLY_ALL``; None: they are blocked like others. Ranges below ``counts_from`` do not count.
    low_obstacles
        Whether an obstacle up to half as high as a body is ignored more than 30 ft from the target, and by an attacker
        who is closer to it than the target is.
    """

    counts_from: Literal["1/4", "1/2", "3/4", "1"] = "1/4"
    at_most: DegreeByHidden | None = None
    low_obstacles: bool = False


class ByArea(Struct, frozen=True, forbid_unknown_fields=True):
    """Degrees by the part of the target's square that walls hide from the attacker's corner, instead of by lines.

    Attributes
    ----------
    fractions, by_fraction
        As in :class:`CoverWords`; 0 may stand among the fractions.
    only_blocked
        Whether there is cover only where a line is blocked; else what is hidden is enough.
    """

    fractions: dict[Word, Word]
    by_fraction: Literal["least", "nearest"] = "least"
    only_blocked: bool = False


class Flanking(Struct, frozen=True, forbid_unknown_fields=True):
    """When two creatures flank a target, and what it does.

    Attributes
    ----------
    rule
        The rule that applies to a melee attack on a target that the attacker flanks; None: none.
    partner
        Who helps: ``ally`` of the attacker; ``enemy_of_target``: anybody who is the target's enemy and not the
        attacker's; ``any_threatener``: anybody who threatens the target.
    anchor
        Where the segment between the two flankers ends: ``any_square``: in the centre of any square of each;
        ``centre``: in the centre of each space.
    corners
        Whether a segment through the end of a side of the target's space passes that side.
    requires_adjacent
        Whether both flankers must be adjacent to the target; else they must threaten it.
    """

    rule: Word | None = None
    partner: Literal["ally", "enemy_of_target", "any_threatener"] = "ally"
    anchor: Literal["any_square", "centre"] = "any_square"
    corners: bool = True
    requires_adjacent: bool = False


class Reach(Struct, frozen=True, forbid_unknown_fields=True):
    """What a creature reaches and threatens.

    Attributes
    ----------
    second_diagonal
        Whether a reach of 10 ft takes in the second diagonal, which is 15 ft away where every second one counts double.
    dead_zone
        Whether a weapon that does not reach near squares (``reach_min``) leaves them out; else it reaches them all.
    unarmed_threatens
        Whether a creature without a weapon threatens.
    """

    second_diagonal: bool = False
    dead_zone: bool = True
    unarmed_threatens: bool = False


class SizeShift(Struct, frozen=True, forbid_unknown_fields=True):
    """How the attacker's size changes the degree by walls.

    Attributes
    ----------
    degrees
        The degrees between which it moves, mildest first: a step milder for each step of size that the attacker is larger,
        one worse for each that he is smaller. Other degrees stay, and so does no cover.
    relative_to
        ``medium``: larger or smaller than Medium; ``target``: than the target.
    """

    degrees: tuple[Word, ...]
    relative_to: Literal["medium", "target"] = "medium"


class Area(Struct, frozen=True, forbid_unknown_fields=True):
    """What cover does against effects on an area.

    Attributes
    ----------
    spread
        Whether an effect that spreads round corners ``negates`` the cover between its origin and the target, or the cover
        ``applies``.
    """

    spread: Literal["negates", "applies"] = "negates"


class Senses(Struct, frozen=True, forbid_unknown_fields=True):
    """How creatures see in bad light.

    Attributes
    ----------
    darkvision
        ``sees``: as in bright light; ``one_step``: dark as if dim, dim as if bright.
    darkvision_range
        ``own``: as far as the creature's reaches; ``unlimited``: of any distance.
    low_light
        ``doubles``: lights reach twice as far for it; ``dim_is_bright``: dim light is as good as bright; ``nothing``.
    """

    darkvision: Literal["sees", "one_step"] = "sees"
    darkvision_range: Literal["own", "unlimited"] = "own"
    low_light: Literal["doubles", "dim_is_bright", "nothing"] = "doubles"


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

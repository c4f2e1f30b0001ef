"""The rule kinds that say how cover, concealment, reach and flanking are found: the procedures of an edition's table."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from gridlos.rules.kinds import DegreeByLines, Word

__all__ = [
    "AdjacentMelee",
    "Area",
    "ByArea",
    "Centre",
    "Concealing",
    "Flanking",
    "Heights",
    "Reach",
    "Senses",
    "SizeShift",
    "SoftCover",
]

DegreeByHidden = tuple[Word, Word, Word, Word, Word, Word]


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

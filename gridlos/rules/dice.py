"""What an edition says about dice: the closed set of pieces that its table ``[dice]`` is made of, and their plain uses.

How one attack is decided from given rolls stands in :mod:`gridlos.rules.resolve`, how probable each end of it is in
:mod:`gridlos.rules.chances`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated, Literal, get_args

from msgspec import Meta, Struct, field

from gridlos.errors import QuestionError
from gridlos.rules.kinds import Number, Word

__all__ = [
    "DICE_FORM",
    "SHARE_FORM",
    "SIZES",
    "CoupDeGrace",
    "CoverStruck",
    "Dice",
    "GuessedSquare",
    "Hand",
    "OfHands",
    "OfSave",
    "SizeWord",
    "StepWord",
    "TwoWeaponPenalties",
    "TwoWeapons",
    "Unarmed",
    "WeaponKind",
    "evasion_damage",
    "grappler_chances",
    "is_light",
    "random_grappler",
    "strength_damage",
    "two_weapon_penalties",
]

SizeWord = Literal["fine", "diminutive", "tiny", "small", "medium", "large", "huge", "gargantuan", "colossal"]
SIZES: tuple[SizeWord, ...] = get_args(SizeWord)
"""Sizes of creatures and weapons, smallest first."""

Hand = Literal["primary", "off", "both"]
WeaponKind = Literal["melee", "bow", "crossbow", "ranged"]
Deadly = Literal["save", "dies", "half_hit_points"]
StepWord = Literal[
    "flat_check",
    "natural_20",
    "natural_1",
    "hit",
    "miss",
    "concealment",
    "cover_struck",
    "coverer_hit",
    "coverer_dodges",
    "haft",
    "threat",
    "confirmed",
    "not_confirmed",
    "critical",
    "damage",
    "critical_damage",
    "extra_dice",
    "minimum_damage",
    "subdual",
    "square_occupied",
    "square_empty",
    "coup_de_grace",
    "save",
    "dies",
]

SHARE_FORM = r"^[0-9]{1,2}(/[1-9][0-9]?)?$"
DICE_FORM = r"^([1-9][0-9]?d)?[1-9][0-9]{0,2}$"
Share = Annotated[str, Meta(pattern=SHARE_FORM)]
DiceText = Annotated[str, Meta(pattern=DICE_FORM)]
Percent = Annotated[int, Meta(ge=0, le=100)]
Check = Annotated[int, Meta(ge=0, le=20)]


class OfHands(Struct, frozen=True, forbid_unknown_fields=True):
    """A number for each hand."""

    primary: Number = 0
    off_hand: Number = 0


class OfSave(Struct, frozen=True, forbid_unknown_fields=True):
    """The share of the damage that is left after a failed save and after a successful one, as ``"1/2"``."""

    failed: Share = "1"
    saved: Share = "1/2"


class TwoWeapons(Struct, frozen=True, forbid_unknown_fields=True):
    """What fighting with a second weapon costs, and what makes it cheaper.

    Attributes
    ----------
    penalties
        On the attacks of each hand.
    light
        Added to them if the weapon in the off hand is light, or the weapon is a double one.
    feats
        Feat to what it adds.
    extra_attacks
        Attacks a round that the second weapon gives.
    """

    penalties: OfHands = field(default_factory=OfHands)
    light: OfHands = field(default_factory=OfHands)
    feats: dict[Word, OfHands] = {}
    extra_attacks: Annotated[int, Meta(ge=0, le=10)] = 0


class Unarmed(Struct, frozen=True, forbid_unknown_fields=True):
    """The strike with bare hands.

    Attributes
    ----------
    damage
        Size of the attacker to dice, ``"1d3"``.
    subdual
        Whether the damage is subdual (non-lethal).
    light
        Whether it counts as a light weapon.
    normal_damage
        Added to the attack roll of who wants to deal normal damage with it.
    """

    damage: dict[SizeWord, DiceText] = {}
    subdual: bool = False
    light: bool = False
    normal_damage: Number = 0


class CoverStruck(Struct, frozen=True, forbid_unknown_fields=True):
    """An attack that misses because of cover strikes the cover.

    Attributes
    ----------
    comparison
        What the attack must do to the AC of a creature that gives the cover: exceed it, or reach it.
    dodges
        Whether a creature that owes its escape to Dexterity or dodging gives no cover after all.
    haft
        Whether a weapon with reach does such a creature no damage.
    """

    comparison: Literal[">", ">="] = ">"
    dodges: bool = False
    haft: bool = False


class GuessedSquare(Struct, frozen=True, forbid_unknown_fields=True):
    """What an attack on a square with an unseen target in it has against it, at least."""

    miss_chance: Percent = 0
    flat_check: Check = 0


class CoupDeGrace(Struct, frozen=True, forbid_unknown_fields=True):
    """The blow against a helpless target.

    Attributes
    ----------
    actions
        Action that it takes to what comes of it: ``save``, a target that survives the damage must save or die;
        ``dies``, no save and no damage roll; ``half_hit_points``, it dies of damage of at least half its hit points.
    concealed_actions
        The same against a target with total concealment.
    weapons, adjacent_weapons
        Weapons that serve, and those that serve next to the target only.
    attack_roll
        Whether it must hit; else it hits by itself. It is a critical hit in any case.
    save_dc, save_adds
        The difficulty of the save, and what is added to it.
    against_immune
        Against a target that is immune to critical hits: it cannot be made, or it is a plain hit with nothing after it.
    provokes
        Whether it provokes attacks of opportunity.
    """

    actions: dict[Word, Deadly] = {}
    concealed_actions: dict[Word, Deadly] = {}
    weapons: tuple[WeaponKind, ...] = ("melee",)
    adjacent_weapons: tuple[WeaponKind, ...] = ()
    attack_roll: bool = False
    save_dc: Annotated[int, Meta(ge=0, le=100)] = 0
    save_adds: Literal["damage", "level", "nothing"] = "damage"
    against_immune: Literal["forbidden", "plain"] = "forbidden"
    provokes: bool = False


class Dice(Struct, frozen=True, forbid_unknown_fields=True):
    """The table ``[dice]``: what an edition says about the dice of an attack.

    Attributes
    ----------
    natural_20, natural_1
        What the face of the d20 does by itself: ``hits`` and ``misses``, whatever the total; ``degree``, one degree of
        success better or worse; ``nothing``.
    critical
        What makes a hit critical. ``confirm``: a natural roll within the weapon's threat range that hits is a threat,
        and a second attack roll that hits confirms it. ``natural``: such a roll is critical at once. ``reaches``: it is
        if its total reaches the AC too. ``degrees``: a total that exceeds the AC by ``degree_margin``, whatever the
        weapon. ``none``: nothing does.
    degree_margin
        How far a total must be above the AC, or below it, for the next degree of success.
    critical_damage
        ``multiply``: the damage, modifiers included, is rolled as many times as the weapon's multiplier says;
        ``double_dice``: the dice are rolled twice, modifiers count once; ``maximum``: every die shows its highest face;
        ``double``: the rolled damage is doubled.
    multiplied_extra_dice
        Whether that holds for extra dice too (a sneak attack, say); else these are rolled once.
    minimum_damage, minimum_damage_subdual
        The least damage of a hit, of the whole damage after all else; whether it is subdual where it steps in.
    off_hand_strength, two_handed_strength, light_two_handed_strength
        The share of a Strength bonus, rounded down, that counts for the off hand, for a weapon in both hands, for a
        light one in both. A Strength penalty always counts once.
    unarmed, two_weapons, cover_struck, guessed_square, coup_de_grace
        Rules with numbers of their own; None: the edition has no such rule.
    random_grappler
        Whether a shot at one of several grapplers strikes one of them at random.
    evasion
        Word for evasion, as in the edition's ``evasions``, to what is left of the damage.
    rules
        Step of a resolution to the id of the rule that it carries out.
    """

    natural_20: Literal["hits", "degree", "nothing"] = "hits"
    natural_1: Literal["misses", "degree", "nothing"] = "nothing"
    critical: Literal["confirm", "natural", "reaches", "degrees", "none"] = "confirm"
    degree_margin: Annotated[int, Meta(ge=1, le=20)] = 10
    critical_damage: Literal["multiply", "double_dice", "maximum", "double"] = "multiply"
    multiplied_extra_dice: bool = False
    minimum_damage: Annotated[int, Meta(ge=0, le=100)] = 1
    minimum_damage_subdual: bool = False
    off_hand_strength: Share = "1"
    two_handed_strength: Share = "1"
    light_two_handed_strength: Share = "1"
    unarmed: Unarmed = field(default_factory=Unarmed)
    two_weapons: TwoWeapons | None = None
    cover_struck: CoverStruck | None = None
    guessed_square: GuessedSquare | None = None
    coup_de_grace: CoupDeGrace | None = None
    random_grappler: bool = False
    evasion: dict[Word, OfSave] = {}
    rules: dict[StepWord, Word] = {}

    def __post_init__(self) -> None:
        """Refuse a change of degree in an edition that has no degrees of success."""
        if self.critical != "degrees" and "degree" in (self.natural_20, self.natural_1):
            raise ValueError("a natural 20 or 1 can change the degree only with critical = 'degrees'")


@dataclass(frozen=True, slots=True)
class TwoWeaponPenalties:
    """What fighting with two weapons does: the penalties (0 or less) and the extra attacks with the second one."""

    primary: int
    off_hand: int
    extra_attacks: int


def two_weapon_penalties(
    dice: Dice, *, light: bool = False, double: bool = False, feats: Iterable[str] = ()
) -> TwoWeaponPenalties:
    """Return the penalties on the attacks of each hand, and how many attacks the second weapon adds.

    Parameters
    ----------
    light
        The weapon in the off hand is light (see :func:`is_light`), or it is an unarmed strike where the edition counts
        that as light.
    double
        Both "weapons" are the ends of a double weapon, whose second end counts as light.
    feats
        The attacker's feats, by the table's names.

    Raises
    ------
    QuestionError
        For a feat that the table does not know.

    Examples
    --------
    >>> dice = Dice(two_weapons=TwoWeapons(penalties=OfHands(-6, -10), light=OfHands(2, 2), extra_attacks=1))
    >>> two_weapon_penalties(dice, light=True)
    TwoWeaponPenalties(primary=-4, off_hand=-8, extra_attacks=1)
    """
    table = dice.two_weapons or TwoWeapons()
    given = list(dict.fromkeys(feats))
    unknown = [feat for feat in given if feat not in table.feats]
    if unknown:
        known = ", ".join(sorted(table.feats)) or "none"
        raise QuestionError(f"{unknown[0]!r} is no feat for two weapons in this edition; known: {known}")
    parts = [table.penalties, *([table.light] if light or double else []), *(table.feats[feat] for feat in given)]
    return TwoWeaponPenalties(
        min(0, sum(part.primary for part in parts)),
        min(0, sum(part.off_hand for part in parts)),
        table.extra_attacks,
    )


def is_light(weapon: SizeWord, wielder: SizeWord) -> bool:
    """Is a weapon of that size light for a wielder of that size: smaller than he is?

    Examples
    --------
    >>> is_light("small", "medium"), is_light("medium", "medium")
    (True, False)
    """
    return _size(weapon) < _size(wielder)


def _size(word: str) -> int:
    if word not in SIZES:
        raise QuestionError(f"{word!r} is no size; known: {', '.join(SIZES)}")
    return SIZES.index(word)


def strength_damage(dice: Dice, strength: int, *, hand: Hand = "primary", light: bool = False) -> int:
    """Return what a Strength modifier adds to the damage of a weapon in that hand, or in both.

    A bonus counts by the edition's share, rounded down; a penalty counts once, whatever the hand.

    Examples
    --------
    >>> dice = Dice(off_hand_strength="1/2", two_handed_strength="3/2")
    >>> [strength_damage(dice, 3, hand=hand) for hand in ("primary", "off", "both")]
    [3, 1, 4]
    >>> strength_damage(dice, -1, hand="both"), strength_damage(dice, 3, hand="both", light=True)
    (-1, 3)
    """
    if strength <= 0 or hand == "primary":
        return strength
    if hand == "off":
        share = dice.off_hand_strength
    else:
        share = dice.light_two_handed_strength if light else dice.two_handed_strength
    return int(strength * Fraction(share))


def evasion_damage(dice: Dice, damage: int, evasion: str, *, saved: bool) -> int:
    """Return what is left of ``damage``, rounded down, for a target with that evasion after its save.

    Raises
    ------
    QuestionError
        For a word that the table does not know.

    Examples
    --------
    >>> dice = Dice(evasion={"improved": OfSave(failed="1/2", saved="1/4")})
    >>> evasion_damage(dice, 27, "improved", saved=False), evasion_damage(dice, 27, "improved", saved=True)
    (13, 6)
    """
    if evasion not in dice.evasion:
        known = ", ".join(dice.evasion) or "none"
        raise QuestionError(f"{evasion!r} is no word for evasion in this edition; known: {known}")
    if damage < 0:
        raise QuestionError(f"damage is 0 or more, got {damage}")
    shares = dice.evasion[evasion]
    return int(damage * Fraction(shares.saved if saved else shares.failed))


def random_grappler(dice: Dice, aimed_at: str, grapplers: Sequence[str], roll: int | None = None) -> str:
    """Return which of the grapplers a shot strikes: number ``roll`` of them, 1 for the first.

    Where the edition has no such rule it is the one that was aimed at, and nothing is rolled.

    Raises
    ------
    QuestionError
        If the one aimed at is none of the grapplers, or the roll is missing or impossible.

    Examples
    --------
    >>> random_grappler(Dice(random_grappler=True), "ogre", ["ogre", "fighter"], roll=2)
    'fighter'
    """
    chances = grappler_chances(dice, aimed_at, grapplers)
    if len(chances) == 1:
        return next(iter(chances))
    if roll is None or not 1 <= roll <= len(grapplers):
        raise QuestionError(f"which grappler is struck takes a roll from 1 to {len(grapplers)}, got {roll}")
    return grapplers[roll - 1]


def grappler_chances(dice: Dice, aimed_at: str, grapplers: Sequence[str]) -> Mapping[str, Fraction]:
    """Return how probable it is that a shot strikes each of the grapplers.

    Examples
    --------
    >>> grappler_chances(Dice(random_grappler=True), "ogre", ["ogre", "fighter"])
    {'ogre': Fraction(1, 2), 'fighter': Fraction(1, 2)}
    """
    if aimed_at not in grapplers or len(set(grapplers)) != len(grapplers):
        raise QuestionError(f"{aimed_at!r} must be one of the grapplers, each named once: {', '.join(grapplers)}")
    if not dice.random_grappler:
        return {aimed_at: Fraction(1)}
    return {name: Fraction(1, len(grapplers)) for name in grapplers}

"""Records of one attack: the weapon as it is wielded, the numbers of the pair, the rolls, and what came of them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal, get_args

from gridlos.errors import QuestionError
from gridlos.rules.dice import SIZES, Dice, Hand, StepWord, WeaponKind

__all__ = [
    "NO_DICE",
    "Coverer",
    "DiceSum",
    "Outcome",
    "Roll",
    "Rolls",
    "Step",
    "Strike",
    "Swing",
    "Weapon",
    "parse_dice",
    "unarmed_strike",
]

Roll = Literal["normal", "advantage", "disadvantage"]

_TERM = re.compile(r"([+-]?)(?:([0-9]{0,3})d([0-9]{1,4})|([0-9]{1,5}))")
_MOST_DICE, _MOST_SIDES = 200, 1000


@dataclass(frozen=True, slots=True)
class DiceSum:
    """A sum of dice and a number.

    Attributes
    ----------
    dice
        Groups ``(count, sides)`` in the order in which they are rolled.
    constant
        What is added to them.
    """

    dice: tuple[tuple[int, int], ...] = ()
    constant: int = 0

    @property
    def faces(self) -> tuple[int, ...]:
        """The sides of each die, in the order in which they are rolled."""
        return tuple(sides for count, sides in self.dice for _ in range(count))


NO_DICE = DiceSum()


def parse_dice(text: str) -> DiceSum:
    """Return the dice that a text such as ``"2d6+3"`` or ``"1d8+1d6"`` names; numbers are added up.

    Raises
    ------
    QuestionError
        For what is no such text, for dice that are subtracted, for more than 200 dice or 1,000 sides.

    Examples
    --------
    >>> parse_dice("2d6+3")
    DiceSum(dice=((2, 6),), constant=3)
    >>> parse_dice("d8 + 1d6 - 1").faces
    (8, 6)
    """
    compact = re.sub(r" *([+-]) *", r"\1", text.strip().lower())
    dice: list[tuple[int, int]] = []
    constant = place = 0
    while place < len(compact):
        term = _TERM.match(compact, place)
        if term is None or (place > 0 and not term[1]) or (term[3] and term[1] == "-"):
            break
        if term[3]:
            dice.append((int(term[2] or 1), int(term[3])))
        else:
            constant += int(f"{term[1]}{term[4]}")
        place = term.end()
    too_much = sum(count for count, _ in dice) > _MOST_DICE or any(not 1 <= sides <= _MOST_SIDES for _, sides in dice)
    if not compact or place < len(compact) or too_much or any(count == 0 for count, _ in dice):
        raise QuestionError(
            f"{text!r} is no sum of dice; right is '2d6+3' or '1d8+1d6' (at most 200 dice of 1,000 sides)"
        )
    return DiceSum(tuple(dice), constant)


@dataclass(frozen=True, slots=True)
class Weapon:
    """A weapon.

    Attributes
    ----------
    damage
        What it does by itself, ``parse_dice("1d8")``.
    threat
        The least natural roll within its threat range.
    multiplier
        How often its damage is rolled on a critical hit, in editions that multiply.
    kind
        What sort of weapon it is.
    light, reach, unarmed, subdual
        Whether it is light for its wielder, has a haft with which it reaches far, is a strike with bare hands, deals
        subdual damage.
    """

    damage: DiceSum
    threat: int = 20
    multiplier: int = 2
    kind: WeaponKind = "melee"
    light: bool = False
    reach: bool = False
    unarmed: bool = False
    subdual: bool = False

    def __post_init__(self) -> None:
        """Refuse impossible numbers."""
        if not 2 <= self.threat <= 20:
            raise QuestionError(f"a threat range begins with 2 to 20, got {self.threat}")
        if not 1 <= self.multiplier <= 10:
            raise QuestionError(f"a weapon multiplies by 1 to 10, got {self.multiplier}")
        if self.kind not in get_args(WeaponKind):
            raise QuestionError(f"{self.kind!r} is no kind of weapon; known: {', '.join(get_args(WeaponKind))}")


def unarmed_strike(dice: Dice, size: str) -> Weapon:
    """Return the bare hands of an attacker of that size, by the edition's table.

    Raises
    ------
    QuestionError
        For a size for which the edition says nothing.
    """
    table = dice.unarmed
    damage = {str(word): text for word, text in table.damage.items()}
    if size not in damage:
        known = ", ".join(word for word in SIZES if word in damage) or "none"
        raise QuestionError(f"this edition has no damage for an unarmed strike of size {size!r}; known: {known}")
    return Weapon(parse_dice(damage[size]), light=table.light, unarmed=True, subdual=table.subdual)


@dataclass(frozen=True, slots=True)
class Swing:
    """A weapon as it is wielded: all that decides what a hit does.

    Attributes
    ----------
    weapon, hand
        The weapon and in which hand it is, or in both.
    strength
        The Strength modifier that counts for its damage; 0 for what Strength does not help.
    bonus_damage
        Other modifiers of the damage.
    extra
        Extra dice, a sneak attack say.
    normal_damage
        An unarmed strike is meant to deal normal damage.
    """

    weapon: Weapon
    hand: Hand = "primary"
    strength: int = 0
    bonus_damage: int = 0
    extra: DiceSum = NO_DICE
    normal_damage: bool = False

    def __post_init__(self) -> None:
        """Refuse an unknown hand, and a choice that the weapon does not have."""
        if self.hand not in get_args(Hand):
            raise QuestionError(f"a weapon is in the hand {', '.join(get_args(Hand))}, got {self.hand!r}")
        if self.normal_damage and not self.weapon.unarmed:
            raise QuestionError("only an unarmed strike can be meant to deal normal damage")


@dataclass(frozen=True, slots=True)
class Coverer:
    """The creature that gives the target its cover.

    Attributes
    ----------
    defense
        Its whole AC.
    dexterity, dodge
        The parts of it that are a Dexterity bonus and a dodge bonus, 0 or more.
    waives_dexterity, waives_dodge
        It does not use them, to take the blow itself.
    """

    defense: int
    dexterity: int = 0
    dodge: int = 0
    waives_dexterity: bool = False
    waives_dodge: bool = False

    def __post_init__(self) -> None:
        """Refuse penalties, which are nothing that one could waive."""
        if self.dexterity < 0 or self.dodge < 0:
            raise QuestionError("the Dexterity and dodge bonuses of who gives cover are 0 or more")


@dataclass(frozen=True, slots=True)
class Strike:
    """One attack on one target, before any roll.

    Attributes
    ----------
    swing
        The weapon as it is wielded.
    bonus
        The whole attack bonus, all modifiers of the pair included (but for the choice of normal damage).
    defense
        The target's whole AC, cover included.
    cover
        How many points of the difference between the two cover makes: what the AC has more, or the bonus less.
    miss_chance
        In percent.
    flat_check
        The difficulty of a flat check that must succeed; 0: none.
    roll
        Whether the better or the worse of two d20s counts.
    coverer
        The creature that gives the cover; None: a thing does.
    hits_are_critical
        Every hit is critical, by a rule about the target.
    immune
        The target is immune to critical hits.
    """

    swing: Swing
    bonus: int
    defense: int
    cover: int = 0
    miss_chance: int = 0
    flat_check: int = 0
    roll: Roll = "normal"
    coverer: Coverer | None = None
    hits_are_critical: bool = False
    immune: bool = False

    def __post_init__(self) -> None:
        """Refuse impossible numbers."""
        if not 0 <= self.miss_chance <= 100:
            raise QuestionError(f"a miss chance is 0 to 100 percent, got {self.miss_chance}")
        if not 0 <= self.flat_check <= 20:
            raise QuestionError(f"a flat check has a difficulty of 0 (none) to 20, got {self.flat_check}")
        if self.cover < 0:
            raise QuestionError(f"the points of cover are 0 or more, got {self.cover}")
        if self.roll not in get_args(Roll):
            raise QuestionError(f"a roll is {', '.join(get_args(Roll))}, got {self.roll!r}")


@dataclass(frozen=True, slots=True)
class Rolls:
    """What the dice show. A roll that the attack does not come to is not read.

    Attributes
    ----------
    attack, confirmation
        The d20 of the attack roll and of the roll that confirms a critical hit; two of them for a roll with advantage or
        disadvantage.
    flat_check
        A d20.
    percentile
        The target's d%, 1 to 100: at most the miss chance means that the attack missed.
    damage
        The dice of the damage in the order in which they are rolled: the weapon's dice, all of them again for each time
        that a critical hit rolls them, then the extra dice likewise.
    """

    attack: tuple[int, ...] = ()
    confirmation: tuple[int, ...] = ()
    flat_check: int | None = None
    percentile: int | None = None
    damage: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a resolution: its word, what a reader sees, and the id of its rule (``""`` where none is named)."""

    word: StepWord
    text: str
    rule: str = ""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of an attack.

    Attributes
    ----------
    steps
        How it came about, in order.
    struck
        What the attack strikes: ``target``, ``coverer``, ``cover`` (a thing, or a creature that its armor saves) or
        ``nothing``.
    critical
        Whether it is a critical hit on the target.
    damage, subdual
        The damage that who is struck takes, and whether it is subdual. It is deducted from the hit points.
    save_dc
        The Fortitude save that decides whether a target that survives the damage dies; None: there is none.
    dies
        The target dies of it, whatever its hit points.
    provokes
        The attack provokes attacks of opportunity by itself.
    """

    steps: tuple[Step, ...]
    struck: Literal["target", "coverer", "cover", "nothing"] = "nothing"
    critical: bool = False
    damage: int = 0
    subdual: bool = False
    save_dc: int | None = None
    dies: bool = False
    provokes: bool = False

    @property
    def hit(self) -> bool:
        """Whether the target is hit."""
        return self.struck == "target"

    @property
    def takes_damage(self) -> Literal["target", "coverer", "nobody"]:
        """Who takes damage."""
        return self.struck if self.damage > 0 and self.struck in ("target", "coverer") else "nobody"

    def explain(self) -> str:
        """Return the steps as text, one a line, each with its rule."""
        return "\n".join(f"{step.text}  [{step.rule}]" if step.rule else step.text for step in self.steps)

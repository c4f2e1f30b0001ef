"""The damage of a hit as a sum of dice, and its exact mean."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from gridlos.rules.dice import Dice, strength_damage
from gridlos.rules.strike import DiceSum, Swing

__all__ = ["DamageSum", "damage_sum", "mean_damage"]


@dataclass(frozen=True, slots=True)
class DamageSum:
    """The damage of a hit before the least damage is seen to: ``constant`` and ``factor`` times each die.

    Attributes
    ----------
    dice
        Groups ``(count, sides, factor)``.
    constant
        What is added to them.
    """

    dice: tuple[tuple[int, int, int], ...]
    constant: int

    @property
    def least(self) -> int:
        """The least sum."""
        return self.constant + sum(count * factor for count, _, factor in self.dice)


def damage_sum(dice: Dice, swing: Swing, *, critical: bool) -> DamageSum:
    """Return the dice of a hit's damage, or of a critical hit's.

    Examples
    --------
    >>> from gridlos.rules.strike import Weapon, parse_dice
    >>> greataxe = Swing(Weapon(parse_dice("1d12"), multiplier=3), strength=2, extra=parse_dice("2d6"))
    >>> damage_sum(Dice(), greataxe, critical=True)
    DamageSum(dice=((3, 12, 1), (2, 6, 1)), constant=6)
    """
    weapon = swing.weapon
    strength = strength_damage(dice, swing.strength, hand=swing.hand, light=weapon.light)
    own = DiceSum(weapon.damage.dice, weapon.damage.constant + strength + swing.bonus_damage)
    parts = ((own, critical), (swing.extra, critical and dice.multiplied_extra_dice))
    groups: list[tuple[int, int, int]] = []
    constant = 0
    for pool, great in parts:
        way = dice.critical_damage if great else ""
        times = {"multiply": weapon.multiplier, "double_dice": 2}.get(way, 1)
        factor = 2 if way == "double" else 1
        constant += pool.constant * (weapon.multiplier if way == "multiply" else factor)
        if way == "maximum":
            constant += sum(count * sides for count, sides in pool.dice)
        else:
            groups.extend((count * times, sides, factor) for count, sides in pool.dice)
    return DamageSum(tuple(groups), constant)


def mean_damage(dice: Dice, swing: Swing, *, critical: bool) -> Fraction:
    """Return the expected damage of a hit, or of a critical hit, the edition's least damage seen to.

    Examples
    --------
    >>> from gridlos.rules.strike import Weapon, parse_dice
    >>> mean_damage(Dice(), Swing(Weapon(parse_dice("1d4")), strength=-2), critical=False)
    Fraction(5, 4)
    """
    parts = damage_sum(dice, swing, critical=critical)
    mean = parts.constant + sum(Fraction(count * (sides + 1) * factor, 2) for count, sides, factor in parts.dice)
    short = dice.minimum_damage - parts.least
    if short <= 0:
        return Fraction(mean)
    ways, faces = _ways_above_least(parts, short)
    lacking = sum((short - above) * number for above, number in enumerate(ways))
    return mean + Fraction(lacking, faces)


def _ways_above_least(parts: DamageSum, below: int) -> tuple[list[int], int]:
    """Return in how many ways the dice show their least sum + 0, 1, … ``below - 1``, and the number of all ways."""
    ways, faces = [1] + [0] * (below - 1), 1
    for count, sides, factor in parts.dice:
        for _ in range(count):
            ways = [sum(ways[sum_ - k * factor] for k in range(sides) if k * factor <= sum_) for sum_ in range(below)]
            faces *= sides
    return ways, faces

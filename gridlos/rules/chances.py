"""How probable each end of an attack is, exactly, for arrays of pairs: by counting the faces of the dice.

A d20 has 20 faces (400 pairs of faces with advantage or disadvantage), a confirmation as many again, a flat check 20, a
d% 100: every probability is a whole number over the product of these, and so it is counted, never summed in floats. A
float that comes out is the float64 nearest to the exact number.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import TypedDict, Unpack

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gridlos.errors import QuestionError
from gridlos.rules.damage import mean_damage
from gridlos.rules.dice import Dice
from gridlos.rules.strike import Coverer, Strike, Swing

__all__ = ["Cases", "Chances", "Numbers", "Odds", "cases_of", "chances", "odds"]

Floats = NDArray[np.float64]
Whole = NDArray[np.int64]
Bits = NDArray[np.uint8]

HIT, CRITICAL, THREAT, STRUCK, COVERER, OPEN = 1, 2, 4, 8, 16, 32
"""Bits of what a natural roll does: hits the target; is critical at once; is a threat; strikes the cover; hits who gives
it; the cover does not count (who gives it dodged)."""

_ROLLS = {"normal": 0, "advantage": 1, "disadvantage": 2}
_D20 = 400  # pairs of faces of two d20
_FLAT, _PERCENT = 20, 100
_OFFSET = 20  # clipped needs are -20 … 41
_NATURALS = np.arange(1, 21, dtype=np.int64)
_WEIGHTS: Whole = np.stack((np.full(20, 20), 2 * _NATURALS - 1, 41 - 2 * _NATURALS)).astype(np.int64)


@dataclass(frozen=True, slots=True)
class Odds:
    """The exact chances of one attack.

    Attributes
    ----------
    hit, critical
        The probability that the target is hit, and that it is hit critically.
    damage
        The expected damage to the target; an attack that does not hit does 0.
    cover_struck, coverer_hit, coverer_damage
        The probability that the attack strikes the cover (the creature that gives it included, one that dodges not) and
        that it hits that creature, and the expected damage to it.
    """

    hit: Fraction
    critical: Fraction
    damage: Fraction
    cover_struck: Fraction
    coverer_hit: Fraction
    coverer_damage: Fraction


@dataclass(frozen=True, slots=True, eq=False)
class Chances:
    """The chances of many attacks: the fields of :class:`Odds` as arrays of float64, each the float nearest to it."""

    hit: Floats
    critical: Floats
    damage: Floats
    cover_struck: Floats
    coverer_hit: Floats
    coverer_damage: Floats


class Numbers(TypedDict, total=False):
    """What else is told of many attacks by :func:`chances`: arrays of whole numbers, or one for all; 0 by default."""

    attack_modifier: ArrayLike
    defense_modifier: ArrayLike
    cover: ArrayLike
    miss_chance: ArrayLike
    flat_check: ArrayLike
    roll: ArrayLike
    coverer: Coverer | None
    hits_are_critical: ArrayLike
    immune: ArrayLike


def chances(
    dice: Dice,
    swing: Swing,
    bonus: ArrayLike,
    defense: ArrayLike,
    **numbers: Unpack[Numbers],
) -> Chances:
    """Return the chances of an attack with this weapon for every pair.

    Parameters
    ----------
    bonus, defense
        The attackers' own attack bonus and the targets' own AC: arrays of whole numbers that broadcast with the others;
        for ``(A, T)`` pairs of shapes ``(A, 1)`` and ``(T,)``.
    attack_modifier, defense_modifier
        What an evaluation adds to them.
    cover, miss_chance, flat_check
        As in :class:`gridlos.rules.strike.Strike`.
    roll
        0 normal, 1 advantage, 2 disadvantage: the codes of an evaluation's ``roll``.
    coverer, hits_are_critical, immune
        As in :class:`gridlos.rules.strike.Strike`; one coverer for all pairs.

    Returns
    -------
    Chances
        Arrays of the broadcast shape. Every number is counted in whole numbers and divided once, so it is the float64
        nearest to the exact rational number.

    Raises
    ------
    QuestionError
        For arrays that are not whole numbers, do not broadcast, or hold impossible numbers.

    Examples
    --------
    >>> from gridlos.rules.strike import Weapon, parse_dice
    >>> longsword = Swing(Weapon(parse_dice("1d8"), threat=19), strength=3)
    >>> found = chances(Dice(), longsword, [[5], [0]], [15, 25])
    >>> found.hit.tolist(), found.critical[0].tolist()
    ([[0.55, 0.05], [0.3, 0.05]], [0.055, 0.0025])
    """
    cases = cases_of(dice, swing, bonus=bonus, defense=defense, **numbers)
    columns = _numerators(dice, swing, cases)
    arrays = (
        np.array([number / denominator for number in numbers], dtype=np.float64)[cases.case]
        for numbers, denominator in columns
    )
    return Chances(*(array.reshape(cases.shape) for array in arrays))


def odds(dice: Dice, strike: Strike) -> Odds:
    """Return the exact chances of one attack, as fractions.

    Examples
    --------
    >>> from gridlos.rules.strike import Weapon, parse_dice
    >>> odds(Dice(), Strike(Swing(Weapon(parse_dice("1d8"))), bonus=0, defense=11, miss_chance=20)).hit
    Fraction(2, 5)
    """
    cases = cases_of(
        dice,
        strike.swing,
        bonus=strike.bonus,
        defense=strike.defense,
        cover=strike.cover,
        miss_chance=strike.miss_chance,
        flat_check=strike.flat_check,
        roll=_ROLLS[strike.roll],
        coverer=strike.coverer,
        hits_are_critical=strike.hits_are_critical,
        immune=strike.immune,
    )
    return Odds(*(Fraction(numbers[0], denominator) for numbers, denominator in _numerators(dice, strike.swing, cases)))


@dataclass(frozen=True, slots=True, eq=False)
class Cases:
    """The different attacks among many, each once: few, since only what the faces of a d20 can tell apart counts.

    Attributes
    ----------
    shape
        The shape of the attacks.
    case
        ``(n,)``: the case of each attack, in reading order.
    bits
        ``(cases, 20)`` uint8: what each natural roll does, see the constants.
    confirms, confirms_open
        ``(cases, 20)`` bool: it confirms a critical hit, with the cover and without.
    roll, miss_chance, flat_check
        ``(cases,)`` int64.
    """

    shape: tuple[int, ...]
    case: Whole
    bits: Bits
    confirms: NDArray[np.bool_]
    confirms_open: NDArray[np.bool_]
    roll: Whole
    miss_chance: Whole
    flat_check: Whole


def cases_of(
    dice: Dice,
    swing: Swing,
    *,
    bonus: ArrayLike,
    defense: ArrayLike,
    attack_modifier: ArrayLike = 0,
    defense_modifier: ArrayLike = 0,
    cover: ArrayLike = 0,
    miss_chance: ArrayLike = 0,
    flat_check: ArrayLike = 0,
    roll: ArrayLike = 0,
    coverer: Coverer | None = None,
    hits_are_critical: ArrayLike = False,
    immune: ArrayLike = False,
) -> Cases:
    """Return the different attacks among many; the arguments are those of :func:`chances`."""
    given = {
        "attack bonus": bonus,
        "AC": defense,
        "attack_modifier": attack_modifier,
        "defense_modifier": defense_modifier,
        "cover": cover,
        "miss_chance": miss_chance,
        "flat_check": flat_check,
        "roll": roll,
        "hits_are_critical": hits_are_critical,
        "immune": immune,
    }
    attack, armor, plus, more, points, miss, flat, mode, sure, safe = _broadcast(given)
    attack = attack + plus + (dice.unarmed.normal_damage if swing.normal_damage else 0)
    need = armor + more - attack
    coverer_need, dodge_need = _coverer_needs(dice, coverer, attack)
    parts = (
        (_clipped(dice, need) + _OFFSET, 64),
        (_clipped(dice, need - points) + _OFFSET, 64),
        (np.clip(coverer_need, 1, 21), 22),
        (np.clip(dodge_need, 1, 21), 22),
        (np.where(safe != 0, 2, sure != 0), 3),
        (mode, 3),
        (miss, 101),
        (flat, 21),
    )
    case, columns = _different(parts)
    bits, confirms, confirms_open = _bits(dice, swing, columns[0] - _OFFSET, columns[1] - _OFFSET, *columns[2:5])
    scalars = (columns[5][:, 0], columns[6][:, 0], columns[7][:, 0])
    return Cases(attack.shape, case, bits, confirms, confirms_open, *scalars)


def _different(parts: tuple[tuple[Whole, int], ...]) -> tuple[Whole, list[Whole]]:
    """Return the case of each attack, and the parts of each case ``(cases, 1)``; a part is below its number."""
    key = np.zeros(parts[0][0].shape, dtype=np.int64)
    for part, size in parts:
        key = key * size + part
    different, case = np.unique(key.ravel(), return_inverse=True)
    columns: list[Whole] = []
    for _, size in reversed(parts):
        different, column = np.divmod(different, size)
        columns.insert(0, column[:, None])
    return np.asarray(case, dtype=np.int64), columns


def _broadcast(given: Mapping[str, ArrayLike]) -> tuple[Whole, ...]:
    """Return the arrays as whole numbers of one shape."""
    limits = {"cover": (0, 1000), "miss_chance": (0, 100), "flat_check": (0, 20), "roll": (0, 2)}
    arrays = [_whole(name, values, *limits.get(name, (-1_000_000, 1_000_000))) for name, values in given.items()]
    try:
        return np.broadcast_arrays(*arrays)
    except ValueError:
        shapes = ", ".join(f"{name} {array.shape}" for name, array in zip(given, arrays, strict=True) if array.ndim)
        raise QuestionError(f"the arrays do not broadcast: {shapes}") from None


def _whole(name: str, values: ArrayLike, least: int, most: int) -> Whole:
    array = np.asarray(values)
    if array.dtype.kind not in "biu":
        raise QuestionError(f"{name} must be whole numbers, got {array.dtype}")
    if array.size and (int(array.min()) < least or int(array.max()) > most):
        raise QuestionError(f"{name} must be {least} to {most}, got {int(array.min())} to {int(array.max())}")
    return array.astype(np.int64)


def _clipped(dice: Dice, need: Whole) -> Whole:
    """Return the least natural roll that hits, clipped where no face of a d20 can tell the numbers beyond apart.

    A natural roll is compared with it and, in editions with degrees, with it plus and minus the margin (at most 20).
    """
    margin = dice.degree_margin if dice.critical == "degrees" else 0
    return np.clip(need, -margin, 21 + margin)


def _coverer_needs(dice: Dice, coverer: Coverer | None, attack: Whole) -> tuple[Whole, Whole]:
    """Return the least natural roll that beats who gives the cover, and the least that does so if it cannot dodge."""
    rule = dice.cover_struck
    if rule is None or coverer is None:
        never = np.full(attack.shape, 21, dtype=np.int64)
        return never, never
    more = 1 if rule.comparison == ">" else 0
    dexterity = 0 if coverer.waives_dexterity else coverer.dexterity
    dodge = 0 if coverer.waives_dodge else coverer.dodge
    plain = coverer.defense - coverer.dexterity - coverer.dodge
    needed = plain + dexterity + dodge + more - attack
    return needed, (plain + more - attack if rule.dodges else needed)


def _degrees(dice: Dice, need: Whole) -> Whole:
    """Return the degree of success of each natural roll, ``(cases, 20)``; ``need`` is ``(cases, 1)``."""
    degree = (need <= _NATURALS).astype(np.int64)
    if dice.critical == "degrees":
        degree += (need + dice.degree_margin <= _NATURALS).astype(np.int64)
        degree -= need - dice.degree_margin >= _NATURALS
    if dice.natural_20 == "hits":
        np.maximum(degree[:, 19], 1, out=degree[:, 19])
    if dice.natural_20 == "degree":
        degree[:, 19] += 1
    if dice.natural_1 == "misses":
        np.minimum(degree[:, 0], 0, out=degree[:, 0])
    if dice.natural_1 == "degree":
        degree[:, 0] -= 1
    return degree


def _critical_bits(dice: Dice, swing: Swing, need: Whole, degree: Whole, sort: Whole) -> Bits:
    """Return the bits of the natural rolls as hits against that ``need``; ``sort``: 0, 1 all critical, 2 immune."""
    hits = degree >= 1
    ranged = hits & (swing.weapon.threat <= _NATURALS)
    never = np.zeros_like(hits)
    at_once = {
        "confirm": never,
        "none": never,
        "natural": ranged,
        "reaches": ranged & (need <= _NATURALS),
        "degrees": degree >= 2,
    }[dice.critical]
    threat = ranged if dice.critical == "confirm" else never
    at_once = np.where(sort == 1, hits, at_once & (sort == 0))
    bits: Bits = (HIT * hits + CRITICAL * at_once + THREAT * (threat & (sort == 0))).astype(np.uint8)
    return bits


def _bits(
    dice: Dice, swing: Swing, need: Whole, open_need: Whole, coverer_need: Whole, dodge_need: Whole, sort: Whole
) -> tuple[Bits, NDArray[np.bool_], NDArray[np.bool_]]:
    """Return what each natural roll does, and which natural rolls confirm; all arguments ``(cases, 1)``."""
    degree, open_degree = _degrees(dice, need), _degrees(dice, open_need)
    bits = _critical_bits(dice, swing, need, degree, sort)
    if dice.cover_struck is not None:
        struck = (degree < 1) & (open_degree >= 1)
        coverer = struck & (coverer_need <= _NATURALS)
        dodged = struck & ~coverer & (dodge_need <= _NATURALS)
        instead = _critical_bits(dice, swing, open_need, open_degree, sort)
        bits |= np.where(dodged, instead | OPEN, 0).astype(np.uint8)
        bits |= (STRUCK * (struck & ~dodged) + COVERER * coverer).astype(np.uint8)
    return bits, degree >= 1, open_degree >= 1


def _numerators(dice: Dice, swing: Swing, cases: Cases) -> list[tuple[list[int], int]]:
    """Return for each field of :class:`Odds` the numerators of the cases, and their one denominator."""
    weight = _WEIGHTS[cases.roll]

    def count(mask: NDArray[np.bool_]) -> Whole:
        return np.asarray((weight * mask).sum(axis=1), dtype=np.int64)

    has = {bit: (cases.bits & bit) != 0 for bit in (HIT, CRITICAL, THREAT, STRUCK, COVERER, OPEN)}
    flat = np.clip(21 - cases.flat_check, 0, _FLAT)
    seen = flat * (_PERCENT - cases.miss_chance)
    hit = count(has[HIT]) * _D20 * seen
    critical = count(has[CRITICAL]) * _D20
    critical += count(has[THREAT] & ~has[OPEN]) * count(cases.confirms)
    critical += count(has[THREAT] & has[OPEN]) * count(cases.confirms_open)
    critical *= seen
    struck, coverer = (count(has[bit]) * _D20 * flat * _PERCENT for bit in (STRUCK, COVERER))
    whole = _D20 * _D20 * _FLAT * _PERCENT
    plain, great = (mean_damage(dice, swing, critical=way) for way in (False, True))
    haft = dice.cover_struck is not None and dice.cover_struck.haft and swing.weapon.reach
    common = lcm(plain.denominator, great.denominator)
    a, b = int(plain * common), int(great * common)
    damage = [(h - c) * a + c * b for h, c in zip(hit.tolist(), critical.tolist(), strict=True)]
    harm = [0 if haft else number * a for number in coverer.tolist()]
    plain_columns = [(column.tolist(), whole) for column in (hit, critical, struck, coverer)]
    return [*plain_columns[:2], (damage, whole * common), *plain_columns[2:], (harm, whole * common)]

"""Attacks rolled at random, many at a time: dice from a seeded generator, the same for the same seed and arguments."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Unpack

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gridlos.errors import QuestionError
from gridlos.facts import Bools
from gridlos.rules.chances import COVERER, CRITICAL, HIT, OPEN, THREAT, Cases, Numbers, cases_of
from gridlos.rules.damage import DamageSum, damage_sum
from gridlos.rules.dice import Dice
from gridlos.rules.strike import Swing

__all__ = ["Samples", "sample"]

_CHUNK = 1 << 16
"""Attacks that are rolled together: few enough to stay in the cache."""

Faces = NDArray[np.unsignedinteger[Any]]


@dataclass(frozen=True, slots=True, eq=False)
class Samples:
    """What came of attacks rolled at random; every array has the shape of the pairs, and last the number of samples.

    Attributes
    ----------
    hit, critical
        bool: the target is hit; it is hit critically.
    damage
        int32: to the target.
    coverer_hit, coverer_damage
        bool and int32: who gives the cover is hit, and its damage; None where nobody gives cover.
    """

    hit: Bools
    critical: Bools
    damage: NDArray[np.int32]
    coverer_hit: Bools | None
    coverer_damage: NDArray[np.int32] | None


def sample(
    dice: Dice,
    swing: Swing,
    bonus: ArrayLike,
    defense: ArrayLike,
    n: int,
    *,
    seed: int,
    **numbers: Unpack[Numbers],
) -> Samples:
    """Return ``n`` attacks for every pair, rolled at random; the other arguments are those of ``chances``.

    For every attack a d20 is drawn, and a second one where a pair has advantage or disadvantage. For those that hit by
    it, and only for those: the flat check and the d%, the d20 that confirms a threat, and every die of the damage. Dice
    come from the bytes of numpy's SFC64; bytes past the last whole multiple of the sides are drawn again, so every face
    is equally probable.

    Raises
    ------
    QuestionError
        For ``n`` below 1, or as ``chances``.

    Examples
    --------
    >>> from gridlos.rules.strike import Weapon, parse_dice
    >>> longsword = Swing(Weapon(parse_dice("1d8"), threat=19), strength=3)
    >>> found = sample(Dice(), longsword, [[5], [0]], [15, 25], 1000, seed=1)
    >>> found.hit.shape, bool(0.45 < found.hit[0, 0].mean() < 0.65), int(found.damage[found.hit].min())
    ((2, 2, 1000), True, 4)
    """
    if n < 1:
        raise QuestionError(f"the number of samples is 1 or more, got {n}")
    cases = cases_of(dice, swing, bonus=bonus, defense=defense, **numbers)
    haft = dice.cover_struck is not None and dice.cover_struck.haft and swing.weapon.reach
    size = (len(cases.case), n)
    covered = numbers.get("coverer") is not None
    found = Samples(
        np.zeros(size, dtype=np.bool_),
        np.zeros(size, dtype=np.bool_),
        np.zeros(size, dtype=np.int32),
        np.zeros(size, dtype=np.bool_) if covered else None,
        np.zeros(size, dtype=np.int32) if covered else None,
    )
    rolled = _Dice(seed)
    harm = tuple((damage_sum(dice, swing, critical=critical), dice.minimum_damage) for critical in (False, True))
    for rows, columns in _chunks(*size):
        _fill(rolled, cases, rows, columns, found, harm, haft=haft)
    shape = (*cases.shape, n)
    arrays = (found.hit, found.critical, found.damage, found.coverer_hit, found.coverer_damage)
    return Samples(*(None if array is None else array.reshape(shape) for array in arrays))  # type: ignore[arg-type]


def _chunks(n_pairs: int, n: int) -> Iterator[tuple[slice, slice]]:
    """Yield the parts of the samples that are rolled together: many rows, or a part of one."""
    if n >= _CHUNK:
        for row in range(n_pairs):
            for start in range(0, n, _CHUNK):
                yield slice(row, row + 1), slice(start, min(n, start + _CHUNK))
        return
    step = _CHUNK // n
    for row in range(0, n_pairs, step):
        yield slice(row, min(n_pairs, row + step)), slice(0, n)


def _fill(
    rolled: _Dice,
    cases: Cases,
    rows: slice,
    columns: slice,
    found: Samples,
    harm: tuple[tuple[DamageSum, int], ...],
    *,
    haft: bool,
) -> None:
    """Roll one chunk and write what came of it."""
    case = cases.case[rows]
    shape = (len(case), columns.stop - columns.start)
    size = shape[0] * shape[1]
    faces = _naturals(rolled, cases.roll[case], shape)
    codes = _looked_up(cases.bits[case], faces)
    places = np.flatnonzero(codes & HIT)
    row = case[places // shape[1]] if len(case) > 1 else np.full(1, case[0])
    keep = _not_missed(rolled, cases, row, len(places))
    if keep is not None:
        places, row = places[keep], row[keep] if len(row) > 1 else row
    great = _criticals(rolled, cases, row, codes[places])
    hit = np.zeros(size, dtype=np.bool_)
    hit[places] = True
    critical = np.zeros(size, dtype=np.bool_)
    critical[places] = great
    damage = np.zeros(size, dtype=np.int32)
    damage[places] = _damages(rolled, harm[0], len(places))
    critical_places = places[great]
    damage[critical_places] = _damages(rolled, harm[1], len(critical_places))
    found.hit[rows, columns] = hit.reshape(shape)
    found.critical[rows, columns] = critical.reshape(shape)
    found.damage[rows, columns] = damage.reshape(shape)
    if found.coverer_hit is None or found.coverer_damage is None:
        return
    struck = np.flatnonzero(codes & COVERER)
    row = case[struck // shape[1]]
    succeeds = _at_least(rolled, 20, cases.flat_check[row])
    struck = struck if succeeds is None else struck[succeeds]
    hit[:], damage[:] = False, 0
    hit[struck] = True
    if not haft:
        damage[struck] = _damages(rolled, harm[0], len(struck))
    found.coverer_hit[rows, columns] = hit.reshape(shape)
    found.coverer_damage[rows, columns] = damage.reshape(shape)


def _naturals(rolled: _Dice, roll: NDArray[np.int64], shape: tuple[int, int]) -> Faces:
    """Return the d20 of each attack, 0 for a natural 1."""
    first = rolled.roll(20, shape[0] * shape[1]).reshape(shape)
    if roll.any():
        second = rolled.roll(20, first.size).reshape(shape)
        better, worse = (roll == 1)[:, None], (roll == 2)[:, None]
        np.maximum(first, second, out=first, where=better)
        np.minimum(first, second, out=first, where=worse)
    return first


def _looked_up(table: NDArray[np.uint8], faces: Faces) -> NDArray[np.uint8]:
    """Return what the table's row says of each row's faces, in reading order."""
    if len(table) == 1:
        alone: NDArray[np.uint8] = table[0].take(faces.ravel())
        return alone
    offsets = np.arange(len(table), dtype=np.int32)[:, None] * 20
    codes: NDArray[np.uint8] = table.ravel().take((faces + offsets).ravel())
    return codes


def _not_missed(rolled: _Dice, cases: Cases, row: NDArray[np.int64], size: int) -> Bools | None:
    """Return which of the attacks that hit pass the flat check and the miss chance; None: all."""
    flat = np.broadcast_to(cases.flat_check[row], size)
    miss = np.broadcast_to(cases.miss_chance[row], size)
    passed = (_at_least(rolled, 20, flat), _at_least(rolled, 100, miss + 1 if miss.any() else miss))
    kept = [one for one in passed if one is not None]
    return np.logical_and.reduce(kept) if kept else None


def _at_least(rolled: _Dice, sides: int, least: NDArray[np.int64]) -> Bools | None:
    """Return which of the rolls of such a die show at least that; None, and nothing rolled, where it is 0 for all."""
    if not least.any():
        return None
    return rolled.roll(sides, len(least)) + np.int16(1) >= least


def _criticals(rolled: _Dice, cases: Cases, row: NDArray[np.int64], codes: NDArray[np.uint8]) -> Bools:
    """Return which of the hits are critical."""
    great: Bools = (codes & CRITICAL) != 0
    threats = np.flatnonzero(codes & THREAT)
    if len(threats):
        own = row[threats] if len(row) > 1 else np.full(len(threats), row[0])
        first = _naturals(rolled, cases.roll[own], (len(threats), 1)).ravel()
        confirmed = cases.confirms[own, first]
        opened = (codes[threats] & OPEN) != 0
        if opened.any():
            confirmed = np.where(opened, cases.confirms_open[own, first], confirmed)
        great[threats] = confirmed
    return great


def _damages(rolled: _Dice, harm: tuple[DamageSum, int], size: int) -> NDArray[np.int32]:
    """Return the damage of that many hits."""
    parts, least = harm
    total = np.full(size, parts.least, dtype=np.int32)
    for count, sides, factor in parts.dice:
        for _ in range(count):
            faces = rolled.roll(sides, size)
            total += faces if factor == 1 else faces.astype(np.int32) * factor
    return np.maximum(total, least, out=total)


class _Dice:
    """Dice of a seeded generator: faces from 0, each equally probable."""

    def __init__(self, seed: int) -> None:
        self._bits = np.random.SFC64(seed)

    def roll(self, sides: int, size: int) -> Faces:
        """Return ``size`` faces, 0 … ``sides`` - 1."""
        if sides == 1:
            return np.zeros(size, dtype=np.uint8)
        dtype, values = ("<u1", 256) if sides <= 256 else ("<u2", 65536)
        width = values // sides
        faces = self._raw(size, dtype)
        again = np.flatnonzero(faces >= sides * width) if values % sides else np.zeros(0, dtype=np.intp)
        while len(again):
            fresh = self._raw(len(again), dtype)
            faces[again] = fresh
            again = again[fresh >= sides * width]
        return faces // width

    def _raw(self, size: int, dtype: str) -> Faces:
        words = self._bits.random_raw(-(-size * np.dtype(dtype).itemsize // 8))
        return words.astype("<u8", copy=False).view(dtype)[:size]

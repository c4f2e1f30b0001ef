"""Which modifiers count: of one type the largest, unless the edition lets the type add up; one rule once.

The same rule of stacking serves one pair, as records (:func:`stacked`), and all pairs, as arrays
(:func:`stacked_column`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from gridlos.facts import Bools
from gridlos.rules.kinds import Stacking, Statistic
from gridlos.verdict import Modifier

__all__ = ["Application", "Numbers", "modifier_sum", "stacked", "stacked_column"]

Numbers = NDArray[np.int16]


@dataclass(frozen=True, slots=True, eq=False)
class Application:
    """One rule's number on one statistic, for all the pairs that it applies to.

    Attributes
    ----------
    rule, statistic, type, text
        As in :class:`gridlos.verdict.Modifier`.
    mask
        ``(A, T)`` bool: the pairs that it applies to.
    value
        The number, one for all pairs or ``(A, T)`` of int16.
    """

    rule: str
    statistic: Statistic
    type: str
    text: str
    mask: Bools
    value: int | Numbers

    def at(self, attacker: int, target: int) -> Modifier | None:
        """Return the modifier of one pair; None where it does not apply or adds 0."""
        if not self.mask[attacker, target]:
            return None
        value = self.value if isinstance(self.value, int) else int(self.value[attacker, target])
        return Modifier(self.statistic.value, value, self.type, self.rule, self.text) if value else None


def stacked(modifiers: Iterable[Modifier], stacking: Stacking) -> tuple[Modifier, ...]:
    """Return the modifiers in their order, with ``kept`` False for those that do not count.

    For each statistic, bonuses and penalties apart: of the modifiers of one type the largest counts, or all of them if
    the type adds up, but of several of one rule the largest. Of equals the first by rule id and text counts, so the
    order of the modifiers does not matter. 0 is neither a bonus nor a penalty and stays as it is.

    Examples
    --------
    >>> stacking = Stacking(types=("cover", "dodge"), bonuses_add=("dodge",))
    >>> partial = Modifier("defense", 2, "cover", "PARTIAL", "partial cover")
    >>> cover = Modifier("defense", 4, "cover", "COVER", "cover")
    >>> dodge = Modifier("defense", 1, "dodge", "DODGE", "dodge")
    >>> mobility = Modifier("defense", 1, "dodge", "MOBILITY", "mobility")
    >>> [modifier.kept for modifier in stacked([partial, cover, dodge, mobility], stacking)]
    [False, True, True, True]
    """
    given = list(modifiers)
    counts = [modifier.value == 0 for modifier in given]
    taken: set[tuple[str, ...]] = set()
    for k in sorted(range(len(given)), key=lambda k: (-abs(given[k].value), given[k].rule, given[k].text)):
        one = given[k]
        if one.value == 0:
            continue
        sign = "bonus" if one.value > 0 else "penalty"
        adds = one.type in (stacking.bonuses_add if one.value > 0 else stacking.penalties_add)
        slot = (one.on, sign, "rule", one.type, one.rule) if adds else (one.on, sign, "type", one.type)
        counts[k] = slot not in taken
        taken.add(slot)
    return tuple(replace(modifier, kept=kept) for modifier, kept in zip(given, counts, strict=True))


def modifier_sum(modifiers: Iterable[Modifier], statistic: Statistic, stacking: Stacking) -> int:
    """Return what the modifiers add to one statistic together.

    Examples
    --------
    >>> stacking = Stacking(types=("untyped", "cover"))
    >>> cover = Modifier("defense", 4, "cover", "COVER", "cover")
    >>> stunned = Modifier("defense", -2, "untyped", "STUNNED", "stunned")
    >>> modifier_sum([cover, stunned, stunned, cover], Statistic.DEFENSE, stacking)
    2
    """
    return sum(one.value for one in stacked(modifiers, stacking) if one.kept and one.on == statistic.value)


def stacked_column(
    applications: Sequence[Application], statistic: Statistic, stacking: Stacking, shape: tuple[int, int]
) -> Numbers:
    """Return what the applications add to one statistic, ``(A, T)`` of int16: :func:`modifier_sum` for every pair.

    Examples
    --------
    >>> stacking, both = Stacking(types=("cover",)), np.ones((1, 2), bool)
    >>> cover = Application("COVER", Statistic.DEFENSE, "cover", "cover", np.array([[True, False]]), 4)
    >>> partial = Application("PARTIAL", Statistic.DEFENSE, "cover", "partial cover", both, 2)
    >>> stacked_column([partial, cover], Statistic.DEFENSE, stacking, (1, 2)).tolist()
    [[4, 2]]
    """
    bonuses: dict[tuple[str, str], Numbers] = {}
    penalties: dict[tuple[str, str], Numbers] = {}
    for one in applications:
        if one.statistic is not statistic:
            continue
        values: Numbers = np.multiply(one.mask, one.value, dtype=np.int16)
        if not isinstance(one.value, int) or one.value > 0:
            slot = (one.type, one.rule if one.type in stacking.bonuses_add else "")
            bonuses[slot] = np.maximum(bonuses.get(slot, np.int16(0)), values)
        if not isinstance(one.value, int) or one.value < 0:
            slot = (one.type, one.rule if one.type in stacking.penalties_add else "")
            penalties[slot] = np.minimum(penalties.get(slot, np.int16(0)), values)
    column = np.zeros(shape, np.int16)
    for part in (*bonuses.values(), *penalties.values()):
        column += part
    return column

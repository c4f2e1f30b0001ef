"""What creatures are by themselves, who of them fights whom, and the conditions that an edition does not know."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from gridlos.creature import STEPS_BY_SIZE, Creature
from gridlos.errors import QuestionError
from gridlos.facts import Bools, Kinds, Traits
from gridlos.kernels import pairs as kernels
from gridlos.questions.choices import AskedPairs
from gridlos.questions.creatures import Bodies
from gridlos.questions.keeping import once
from gridlos.rules import Edition, edition_ids, load_edition
from gridlos.words import hint_for

__all__ = [
    "CROWDED",
    "ENGAGED",
    "NOBODY_CROWDED",
    "NOBODY_ENGAGED",
    "able_creatures",
    "crowded",
    "engaged",
    "everybody_crowded",
    "everybody_engaged",
    "traits_of",
    "unknown_conditions",
]

Indices = NDArray[np.int64]

ENGAGED, CROWDED = "engaged", "crowded"
"""Where what is told of everybody is kept with bodies."""
NOBODY_ENGAGED, NOBODY_CROWDED = np.zeros((0, 0), np.int8), np.zeros(0, np.bool_)
"""What stands for that in kernels where nobody asks."""

_LARGEST = 10_000  # modifiers beyond are cut off: sums of 16 bits hold some of them


def traits_of(creatures: Sequence[Creature], floors: Sequence[float], weapon: str | None = None) -> Traits:
    """Return what creatures are by themselves.

    Parameters
    ----------
    creatures, floors
        The creatures, and the height in feet of the floor under each, on which it stands if it says nothing else.
    weapon
        The weapon of them all; None: that of each.
    """
    heights = [low if one.elevation is None else one.elevation for one, low in zip(creatures, floors, strict=True)]
    return Traits(
        conditions=Kinds.of_each(frozenset(one.conditions) for one in creatures),
        weapons=Kinds.of_each(weapon or one.weapon for one in creatures),
        dexterity=_small([one.dexterity or 0 for one in creatures]),
        knows_dexterity=np.array([one.dexterity is not None for one in creatures], np.bool_),
        shield=_small([one.shield for one in creatures]),
        size=np.array([STEPS_BY_SIZE[one.size] for one in creatures], np.int16),
        feet=np.array([_thousandths(feet) for feet in heights], np.int64),
        low_light=np.array([one.senses.low_light for one in creatures], np.bool_),
    )


@lru_cache(maxsize=4096)
def _thousandths(feet: float) -> int:
    return round(1000 * Fraction(str(feet)))


def _small(numbers: list[int]) -> NDArray[np.int16]:
    return np.clip(np.array(numbers, np.int64), -_LARGEST, _LARGEST).astype(np.int16)


def able_creatures(edition: Edition, creatures: Iterable[Creature]) -> Bools:
    """Return who is kept from attacking by no condition, ``(n,)``."""
    unable, known = edition.table.unable, dict[tuple[str, ...], bool]()
    conditions = [one.conditions for one in creatures]
    for some in conditions:
        if some not in known:
            known[some] = edition.implied(frozenset(some)).isdisjoint(unable)
    return np.array([known[some] for some in conditions], np.bool_)


def engaged(bodies: Bodies, size: NDArray[np.int16], attackers: Indices, targets: Indices) -> NDArray[np.int8]:
    """Return for pairs whether friends of the attacker fight the target in melee, ``(P,)`` as in :class:`gridlos.facts.PairFacts`.

    They do where the two are enemies, stand adjacent, and one of them at least is able to attack. ``size (n,)`` are the
    steps of size of all creatures.
    """
    if ENGAGED in bodies.kept:
        return everybody_engaged(bodies, size)[attackers, targets]
    found: NDArray[np.int8] = kernels.engaged(bodies.numbers, bodies.is_able, size, attackers, targets)
    return found


def everybody_engaged(bodies: Bodies, size: NDArray[np.int16]) -> NDArray[np.int8]:
    """Return what :func:`engaged` says of everybody against everybody, ``(n, n)``; it is kept with the bodies."""

    def found() -> NDArray[np.int8]:
        n, both = len(size), AskedPairs.everybody(len(size))
        whole: NDArray[np.int8] = kernels.engaged(bodies.numbers, bodies.is_able, size, both.attackers, both.targets)
        return whole.reshape(n, n)

    return once(bodies.kept, ENGAGED, found)


def crowded(bodies: Bodies, attackers: Indices) -> Bools:
    """Return whose adjacent squares hold an enemy that is able to attack, ``(A,)``."""
    if CROWDED in bodies.kept:
        return everybody_crowded(bodies)[attackers]
    found: Bools = kernels.crowded(bodies.numbers, bodies.is_able, np.ascontiguousarray(attackers, np.int64))
    return found


def everybody_crowded(bodies: Bodies) -> Bools:
    """Return what :func:`crowded` says of everybody, ``(n,)``; it is kept with the bodies."""
    everybody = np.arange(len(bodies.spaces), dtype=np.int64)
    return once(bodies.kept, CROWDED, lambda: kernels.crowded(bodies.numbers, bodies.is_able, everybody))


def unknown_conditions(edition: Edition, creatures: Iterable[Creature]) -> tuple[str, ...]:
    """Return one line for each condition that only other editions know, with the number of creatures that have it.

    Raises
    ------
    QuestionError
        For conditions that no edition knows: names them all, with the nearest right words.
    """
    known = edition.table.conditions
    foreign = Counter(word for one in creatures for word in one.conditions if word not in known)
    if not foreign:
        return ()
    others = {word for other in edition_ids() for word in load_edition(other).table.conditions}
    wrong = [
        f"creature {one.id!r} has the unknown condition {word!r}; {hint_for(word, {*known, *others})}"
        for one in creatures
        for word in one.conditions
        if word not in known and word not in others
    ]
    if wrong:
        raise QuestionError(*wrong)
    return tuple(
        f"condition {word!r}: {edition.id} has no rule for it ({count} creature{'s'[: count != 1]})"
        for word, count in sorted(foreign.items())
    )

"""What creatures are by themselves, who of them fights whom, and the conditions that an edition does not know."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from gridlos import grid
from gridlos.creature import STEPS_BY_SIZE, Creature
from gridlos.errors import QuestionError
from gridlos.facts import Bools, Relation, Traits
from gridlos.questions.creatures import Bodies, relations
from gridlos.rules import Edition, edition_ids, load_edition
from gridlos.words import hint_for

__all__ = ["able_creatures", "crowded", "engaged", "traits_of", "unknown_conditions"]

Indices = NDArray[np.int64]

_NOBODY = np.int16(-100)  # a size below all
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
        conditions=tuple(frozenset(one.conditions) for one in creatures),
        weapons=tuple(weapon or one.weapon for one in creatures),
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
    unable = edition.table.unable
    return np.array([edition.implied(frozenset(one.conditions)).isdisjoint(unable) for one in creatures], np.bool_)


def engaged(bodies: Bodies, size: NDArray[np.int16], attackers: Indices, targets: Indices) -> NDArray[np.int8]:
    """Return whether friends of each attacker fight each target in melee, ``(A, T)`` as in :class:`gridlos.facts.PairFacts`.

    They do where the two are enemies, stand adjacent, and one of them at least is able to attack. ``size (n,)`` are the
    steps of size of all creatures.
    """
    n = len(bodies.spaces)
    everybody = np.arange(n)
    near = grid.adjacent(bodies.standing, bodies.standing[targets], levels=bodies.levels_of(everybody, targets))
    related = relations(bodies)
    able = bodies.is_able[:, None] | bodies.is_able[targets]
    fights = near & able & (related[:, targets] == Relation.ENEMY)
    found = np.full((len(attackers), len(targets)), -1, np.int8)
    sides = bodies.sides[attackers]
    for side in np.unique(sides[sides >= 0]).tolist():
        own = np.where(fights & (bodies.sides == side)[:, None], size[:, None], _NOBODY)
        first = own.argmax(axis=0)
        largest = own[first, np.arange(len(targets))]
        own[first, np.arange(len(targets))] = _NOBODY
        rows = np.flatnonzero(sides == side)
        # Who is the largest of them himself counts the next one: he is no friend of his own.
        friend = np.where(first == attackers[rows][:, None], own.max(axis=0, initial=_NOBODY), largest)
        found[rows] = np.where(friend == _NOBODY, -1, np.clip(size[targets] - friend, 0, 100))
    return found


def crowded(bodies: Bodies, attackers: Indices) -> Bools:
    """Return whose adjacent squares hold an enemy that is able to attack, ``(A,)``."""
    everybody = np.arange(len(bodies.spaces))
    near = grid.adjacent(bodies.standing[attackers], bodies.standing, levels=bodies.levels_of(attackers, everybody))
    enemies: Bools = (relations(bodies)[attackers] == Relation.ENEMY) & bodies.is_able
    return np.asarray((near & enemies).any(axis=1))


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

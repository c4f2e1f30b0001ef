"""What creatures do to each other by where they stand: who reaches, threatens and flanks whom."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from gridlos import grid
from gridlos.facts import Bools, Ints, Masks
from gridlos.kernels import flank
from gridlos.kernels.pairs import measure_all
from gridlos.questions.creatures import RELATIONS, Bodies

__all__ = ["Reached", "everybody_measured", "flanked", "reached", "relations"]

Indices = NDArray[np.int64]

PARTNERS: Mapping[str, int] = MappingProxyType({
    "ally": flank.ATTACKERS_ALLY,
    "enemy_of_target": flank.TARGETS_ENEMY,
    "any_threatener": flank.ANYBODY,
})  # fmt: skip
"""Who may be a partner in flanking, by the editions' words."""


def relations(bodies: Bodies) -> Masks:
    """Return ``(n, n)`` uint8 of Relation: allies have the same side; ``neutral`` is nobody's ally and nobody's enemy.

    >>> from gridlos.creature import Creature
    >>> from gridlos.questions.creatures import bodies_of
    >>> sides = ["party", "neutral", "party", "raiders"]
    >>> relations(bodies_of([Creature(id=str(k), at=(k, 0), side=side) for k, side in enumerate(sides)])).tolist()[0]
    [1, 0, 1, 2]
    """
    if RELATIONS not in bodies.kept:
        everybody_measured(bodies, (False, False, False))
    found: Masks = bodies.kept[RELATIONS]
    return found


def everybody_measured(bodies: Bodies, rules: tuple[bool, bool, bool]) -> tuple[Ints, Bools, Masks, Bools]:
    """Return how all creatures stand to each other, ``(n, n)`` each: distance, adjacency, relation, who is within reach.

    They are those of :func:`gridlos.kernels.pairs.measure`; ``rules`` are its last arguments. Relations are kept with the bodies.
    """
    everybody = np.arange(len(bodies.spaces))
    distance, adjacent, relation, within = measure_all(bodies.numbers, everybody, everybody, *rules)
    bodies.kept.setdefault(RELATIONS, relation)
    return distance, adjacent, relation, within


@dataclass(frozen=True, slots=True, eq=False)
class Reached:
    """Who reaches and who threatens each target: ``(n, T)`` bool of all creatures against the targets."""

    reaches: Bools
    threatens: Bools


def reached(
    bodies: Bodies,
    targets: Indices,
    has_line_of_effect: Callable[[Indices], Bools],
    diagonals: grid.Diagonals | str,
    *,
    second_diagonal: bool = False,
    dead_zone: bool = True,
    unarmed_threatens: bool = False,
) -> Reached:
    """Return who of all creatures reaches which target with line of effect, and who threatens it.

    Parameters
    ----------
    targets
        ``(T,)`` indices of creatures.
    has_line_of_effect
        The answer for some pairs, ``(m, 2)`` indices of two creatures: ``(m,)``. It is asked only about those within
        reach.
    diagonals
        How diagonal steps count.
    second_diagonal
        Whether a reach of two squares takes in the square two diagonal steps away.
    dead_zone
        Whether ``reach_min`` leaves out what is near; else all is reached that is not too far.
    unarmed_threatens
        Whether a creature without a weapon threatens.
    """
    everybody, targets = np.arange(len(bodies.spaces)), np.ascontiguousarray(targets, np.int64)
    every_second = grid.Diagonals(diagonals) is grid.Diagonals.EVERY_SECOND_DOUBLE
    reaches: Bools
    *_, reaches = measure_all(bodies.numbers, everybody, targets, every_second, second_diagonal, dead_zone)
    reaches[targets, np.arange(len(targets))] = False
    who, column = np.nonzero(reaches)
    reaches[who, column] = has_line_of_effect(np.column_stack((who, targets[column])))
    return Reached(reaches, reaches & bodies.threatening(unarmed=unarmed_threatens)[:, None])


def flanked(
    bodies: Bodies,
    attackers: Indices,
    targets: Indices,
    threatens: Bools,
    *,
    partner: str = "ally",
    anchor: str = "any_square",
    corners: bool = True,
    requires_adjacent: bool = False,
) -> Bools:
    """Return ``(A, T)`` bool: does the attacker flank the target together with somebody, both of them threatening it?

    Parameters
    ----------
    attackers, targets
        ``(A,)`` and ``(T,)`` indices of creatures.
    threatens
        ``(n, T)``: who threatens each target.
    partner
        ``ally`` of the attacker; ``enemy_of_target``, who is not the attacker's enemy as well; ``any_threatener``.
    anchor
        Where the segment between the two ends: ``any_square``, in the centre of any square of each; ``centre``, in the
        centre of each space.
    corners
        Whether the sides of the target's space hold their ends; else the segment has to meet the inside of two opposite
        sides, or two opposite corners.
    requires_adjacent
        Whether both have to be adjacent to the target.

    Examples
    --------
    A and B stand on opposite sides of T, C does not::

        ATB
        .C.

    >>> from gridlos.creature import Creature
    >>> from gridlos.questions.creatures import bodies_of
    >>> places = {"A": (0, 0), "T": (1, 0), "B": (2, 0), "C": (1, 1)}
    >>> sides = {"T": "raiders"}
    >>> bodies = bodies_of([Creature(id=k, at=at, side=sides.get(k, "party")) for k, at in places.items()])
    >>> everybody, target = np.arange(4), np.array([1])
    >>> threat = reached(bodies, target, lambda pairs: np.ones(len(pairs), bool), "5-10-5").threatens
    >>> flanked(bodies, everybody, target, threat).ravel().tolist()
    [True, False, True, False]
    """
    able = threatens & bodies.can_be_flanked[targets]
    if requires_adjacent:
        levels = bodies.levels_of(np.arange(len(bodies.spaces)), targets)
        able &= grid.adjacent(bodies.standing, bodies.standing[targets], levels=levels)
    return flank.flanked(
        bodies.standing,
        np.ascontiguousarray(able),
        relations(bodies),
        np.ascontiguousarray(attackers, dtype=np.int64),
        np.ascontiguousarray(targets, dtype=np.int64),
        PARTNERS[partner],
        anchor == "any_square",
        corners,
    )

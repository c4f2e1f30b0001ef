"""How probable it is that each attacker of an evaluation hits each target, and what damage to expect."""

from __future__ import annotations

import dataclasses

import numpy as np
from numpy.typing import ArrayLike

from gridlos.errors import QuestionError
from gridlos.facts import Attack
from gridlos.rules import Edition, load_edition
from gridlos.rules.chances import Chances
from gridlos.rules.chances import chances as chances_of
from gridlos.rules.strike import Swing, Weapon, parse_dice
from gridlos.verdict import Evaluation

__all__ = ["chances"]


def chances(
    evaluation: Evaluation,
    *,
    bonus: ArrayLike,
    defense: ArrayLike,
    damage: str | Swing,
    threat: int = 20,
    multiplier: int = 2,
    edition: Edition | None = None,
) -> Chances:
    """Return the exact chances of one attack by every attacker against every target.

    Parameters
    ----------
    evaluation
        The answers; what they add to attack and defense, the chance to miss, the flat check and the roll count.
    bonus, defense
        The attackers' own attack bonus, ``(A,)`` or one for all, and the targets' own AC or Defense, ``(T,)`` or one.
    damage
        Dice as ``"1d8+3"``, the Strength bonus included; or a :class:`gridlos.rules.strike.Swing`.
    threat, multiplier
        The least natural roll that threatens a critical hit, and how often such a hit rolls its damage, in editions
        that know these; for dice as text.
    edition
        The edition that was asked; None: the built-in one of that name, with the options that were used.

    Returns
    -------
    Chances
        Arrays ``(A, T)`` of float64: ``hit``, ``critical``, ``damage`` (expected). 0 where no attack is possible, and for
        a creature against itself.

    Raises
    ------
    QuestionError
        For dice or numbers that are none, arrays of other lengths, an effect on an area.

    Examples
    --------
    >>> import gridlos
    >>> scene = gridlos.Scene.from_drawing('''
    ... A..
    ... .#.
    ... .BT
    ... ''')
    >>> found = gridlos.evaluate(scene, edition="dnd5e", attackers=["A"])
    >>> chances(found, bonus=5, defense=15, damage="1d8+3").hit.tolist()
    [[0.0, 0.45, 0.0]]
    """
    if evaluation.frame["attack"] == str(Attack.AREA):
        raise QuestionError("an effect on an area has no attack roll")
    table = (edition or load_edition(evaluation.frame["edition"], options=evaluation.frame["options"])).table
    swing = damage if isinstance(damage, Swing) else Swing(Weapon(parse_dice(damage), threat, multiplier))
    columns, shape = evaluation.columns, evaluation.distinct.shape
    neutral = np.zeros(shape, np.int64)
    found = chances_of(
        table.dice,
        swing,
        _for_each(bonus, shape[0], "bonus", "attacker")[:, None],
        _for_each(defense, shape[1], "defense", "target"),
        attack_modifier=columns["attack_modifier"],
        defense_modifier=columns["defense_modifier"],
        miss_chance=columns["miss_chance"],
        flat_check=columns.get("flat_check", neutral),
        roll=columns.get("roll", neutral),
    )
    possible = columns["can_attack"] & evaluation.distinct
    parts = {field.name: np.where(possible, getattr(found, field.name), 0.0) for field in dataclasses.fields(found)}
    return Chances(**parts)


def _for_each(values: ArrayLike, n: int, name: str, role: str) -> np.ndarray:
    array = np.asarray(values)
    if array.shape not in {(), (1,), (n,)}:
        raise QuestionError(f"{name}: give one number, or one for each {role} ({n}), not an array of shape {array.shape}")
    return np.broadcast_to(array, (n,))

"""What plain walls do between every two creatures, whatever the edition: the lines they block, line of effect, line of sight."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gridlos.battlemap import BattleMap
from gridlos.facts import Bools, Channel, Ints, Masks
from gridlos.kernels import pairs
from gridlos.questions.choices import AskedPairs, Choices, Order
from gridlos.questions.effect import effect_among_specials, has_lines_of_effect
from gridlos.questions.obstacles import Obstacles, are_channels_equal, blocked_lines, near_unequal, obstacles_of
from gridlos.questions.specials import Specials
from gridlos.scene import Scene

__all__ = ["Plain", "effect_between", "lines_between", "plain_of", "sight_between"]

Indices = NDArray[np.int64]
Lines = NDArray[np.uint16]

_MOST_KEPT = 500_000
"""The most choices of a scene that are kept with it, about 30 bytes each."""


@dataclass(frozen=True, slots=True, eq=False)
class Plain:
    """What was found for every two creatures, whatever the edition; arrays pair by pair.

    Attributes
    ----------
    walls
        The walls that it was found for.
    choices, order
        Their choices, and where those of the ordered pairs stand among them.
    blocked
        The lines that plain walls block.
    answers
        ``(2, 2, n)``: line of effect and line of sight, if the first of the two attacks, and if the second does.
    ends
        The result of :func:`gridlos.kernels.pairs.ends_either_way`, for the corners that plain walls do not cut off; these
        ``(C, 2)``, all of them for a creature against itself.
    more
        What only some editions ask for.
    """

    walls: tuple[Obstacles, Specials | None]
    choices: Choices
    order: Order
    blocked: Lines
    answers: Bools
    ends: tuple[Ints, Ints, Masks]
    more: dict[Hashable, Any]


def effect_between(
    battle_map: BattleMap, walls: tuple[Obstacles, Specials | None], spaces: Ints, pairs: Indices
) -> Bools:
    """Return ``(2, n)``: is there a line of effect between the two of each pair, forth and back?"""
    plain = has_lines_of_effect(walls[0], spaces, pairs)
    return _past_specials(battle_map, walls[1], Channel.EFFECT, pairs, plain)


def lines_between(scene: Scene, obstacles: Obstacles, pairs: Indices) -> tuple[Choices, Lines, Bools]:
    """Return the choices of pairs ``(P, 2)``, their lines that plain walls block, and ``(P,)`` the lines of effect that these leave."""
    spaces = scene.spaces
    choices = Choices.of(spaces, pairs, scene.battle_map.cols)
    joined = obstacles.are_joined(spaces, pairs)
    blocked = blocked_lines(obstacles, choices.squares, (choices.starts, joined))
    return choices, blocked, has_lines_of_effect(obstacles, spaces, pairs, (choices.starts, choices.squares), blocked, joined)


def sight_between(battle_map: BattleMap, spaces: Ints, pairs: Indices, effect: Bools) -> Bools:
    """Return ``(P,)`` the lines of sight of pairs that plain walls leave: ``effect``, but where one of these stops only one of the two."""
    unequal = near_unequal(battle_map, spaces, pairs)
    if not len(unequal):
        return effect
    sight = effect.copy()
    sight[unequal] = has_lines_of_effect(obstacles_of(battle_map, Channel.SIGHT), spaces, pairs[unequal])
    return sight


def _past_specials(
    battle_map: BattleMap, specials: Specials | None, channel: Channel, pairs: Indices, plain: Bools
) -> Bools:
    """Return the same of a channel, ``plain (n,)`` being what the plain walls leave."""
    both = (plain, plain)
    if specials is not None:
        both = effect_among_specials(battle_map, specials, channel, pairs, plain)
    return np.stack(both)


def plain_of(scene: Scene, walls: tuple[Obstacles, Specials | None], asked: AskedPairs) -> Plain:
    """Return what the kernels find for the pairs; that of everybody is kept for the next edition, attack or question."""
    if not asked.is_everybody:
        return _find_plain(scene, walls, asked)
    known: Plain | None = scene.kept.get("pairs")
    if known is None or known.walls[0] is not walls[0] or known.walls[1] is not walls[1]:
        known = _find_plain(scene, walls, asked)
        if len(known.choices.squares) <= _MOST_KEPT:
            scene.kept["pairs"] = known
    return known


def _find_plain(scene: Scene, walls: tuple[Obstacles, Specials | None], asked: AskedPairs) -> Plain:
    battle_map, spaces, both = scene.battle_map, scene.spaces, asked.pairs
    obstacles, specials = walls
    choices, blocked, plain = lines_between(scene, obstacles, both)
    has_effect = has_sight = _past_specials(battle_map, specials, Channel.EFFECT, both, plain)
    if not are_channels_equal(battle_map) or (specials is not None and not specials.are_channels_equal):
        plain = sight_between(battle_map, spaces, both, plain)
        has_sight = _past_specials(battle_map, specials, Channel.SIGHT, both, plain)
    order = Order.of(asked, spaces, choices)
    of_pairs = spaces, asked.attackers, asked.targets, obstacles.uncut_at(choices.squares)
    starts, ends, corners = pairs.ends_either_way(*of_pairs, len(order.rows), battle_map.cols)
    return Plain(walls, choices, order, blocked, np.stack((has_effect, has_sight)), (starts, ends, corners.T), {})

"""What lies on the one line between the centres of two spaces, for editions that find cover on it.

The line is free exactly when a tube around it, however thin, has a way through; there are no corners and no legs. A
centre that lies on a wall counts as standing on both sides of it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gridlos.creature import STEPS_BY_SIZE
from gridlos.facts import Bools, Hidden, Ints, Masks
from gridlos.kernels import centre, index, special_cost
from gridlos.kernels.jit import interpreted
from gridlos.kernels.walk import EAST, NORTH, SOUTH, WEST
from gridlos.questions.creatures import Bodies
from gridlos.questions.hiding import ALL_BLOCKED, EveryWall, Terms, choices_near
from gridlos.questions.obstacles import Obstacles
from gridlos.questions.specials import Specials
from gridlos.scene import Scene

__all__ = ["centre_facts", "hidden_on", "lines_between"]

Indices = NDArray[np.int64]


def centre_facts(
    scene: Scene,
    walls: tuple[Obstacles, Specials | None],
    bodies: Bodies,
    pairs: Indices,
    shape: tuple[int, int],
    terms: Terms,
) -> dict[str, Any]:
    """Return ``centre_hidden``, ``centre_soft`` and ``centre_tagged`` of :class:`gridlos.facts.PairFacts`.

    ``walls``: the plain ones that stop effect, and the special ones. The ``pairs (P, 2)``, told in that ``shape``, are asked
    about each way for itself; for a creature against itself all is zero.
    """
    obstacles, specials = walls
    apart = np.flatnonzero(pairs[:, 0] != pairs[:, 1])
    asked, lines = pairs[apart], lines_between(bodies.centres, pairs[apart])
    codes = np.where(blocked_by_plain(obstacles, lines), np.uint8(Hidden.ALL), np.uint8(Hidden.NONE))
    found = {"centre_hidden": codes}
    words: Bools | None = None
    if specials is not None:
        codes, words = hidden_on(scene, obstacles, specials, asked, lines, codes, terms)
        found["centre_hidden"] = codes
    found["centre_soft"] = _soft(scene, bodies, asked, lines)

    def whole(column: NDArray[Any]) -> NDArray[Any]:
        spread = np.zeros(len(pairs), column.dtype)
        spread[apart] = column
        return spread.reshape(shape)

    facts: dict[str, Any] = {name: whole(column) for name, column in found.items()}
    if specials is not None and words is not None:
        facts["centre_tagged"] = tuple((word, whole(words[:, k])) for k, word in enumerate(specials.words)) or None
    return facts


def lines_between(centres: Indices, pairs: Indices) -> Indices:
    """Return ``(n, 4)``: the lines between ``centres (m, 2)`` for each of the ``pairs (n, 2)``, in half squares."""
    return np.ascontiguousarray(centres[pairs].reshape(-1, 4))


def blocked_by_plain(obstacles: Obstacles, lines: Indices) -> Bools:
    """Return which lines plain walls block, ``(n,)``."""
    fine = _Fine.of(obstacles)
    blocked: Bools = centre.blocked_centre_lines(fine.arms, fine.bins, fine.walls, lines, obstacles.size)
    return blocked


@dataclass(frozen=True, slots=True, eq=False)
class _Fine:
    """Plain walls in the grid of half squares: ``arms``, ``bins`` and ``walls`` as :mod:`gridlos.kernels` has them."""

    arms: Masks
    bins: Ints
    walls: Ints

    @classmethod
    def of(cls, obstacles: Obstacles) -> _Fine:
        """Return the same walls; where an edge was, there are two of half its length, and no centre has any.

        One more row and column hold the points on the far sides of the map.
        """
        coarse = obstacles.arms
        rows, cols = coarse.shape[0] - 1, coarse.shape[1] - 1
        arms = np.zeros((2 * rows + 2, 2 * cols + 2), np.uint8)
        arms[:-1:2, :-1:2] = coarse
        arms[:-1:2, 1:-1:2] = np.where(coarse[:, :-1] & EAST, EAST | WEST, 0)
        arms[1:-1:2, :-1:2] = np.where(coarse[:-1] & SOUTH, NORTH | SOUTH, 0)
        walls = 2 * obstacles.walls
        return cls(arms, index.index_walls(walls, 2 * rows + 1, 2 * cols + 1, obstacles.size), walls)


def hidden_on(
    scene: Scene,
    obstacles: Obstacles | None,
    specials: Specials,
    pairs: Indices,
    lines: Indices,
    codes: Masks,
    terms: Terms,
) -> tuple[Masks, Bools]:
    """Return what all walls hide on each line, ``(n,)`` of Hidden, and with which cover words, ``(n, m)``.

    Parameters
    ----------
    obstacles
        The plain walls; None: there are none.
    pairs, lines
        ``(n, 2)`` attackers and targets, and the lines between their centres.
    codes
        ``(n,)``: what plain walls hide: nothing or all.
    """
    battle_map = scene.battle_map
    every = EveryWall.of(battle_map, specials, obstacles)
    codes, words = codes.copy(), np.zeros((len(lines), len(specials.words)), np.bool_)
    # One more row and column hold the points on the far sides of the map; walls there touch the last squares.
    rows, cols = every.shape
    ends = np.minimum(lines.reshape(-1, 2, 2) // 2, (cols - 1, rows - 1))
    squares = ends[:, :, 1] * cols + ends[:, :, 0]
    wider = replace(every, shape=(rows + 1, cols + 1), traits=every.traits.copy())
    own = wider.traits[:, special_cost.SQUARE]
    own[:] = np.where(own < 0, own, own + own // cols)
    near = choices_near(battle_map, specials, squares, np.where(codes == Hidden.ALL, np.uint16(ALL_BLOCKED), np.uint16(0)))
    if len(near):
        fine = index.index_walls((2 * every.walls).astype(np.int32), 2 * rows + 2, 2 * cols + 2, every.size)
        arrays: list[NDArray[Any]] = [
            wider.walls, wider.traits, fine.astype(np.int64), every.bodies,
            np.concatenate((pairs[near], lines[near]), axis=1), wider.numbers(terms),
        ]  # fmt: skip
        if every.fits:
            codes[near], words[near] = centre.hidden_centre_lines(*(np.ascontiguousarray(array) for array in arrays))
        else:
            slow: Any = interpreted(centre.hidden_centre_lines)
            codes[near], words[near] = slow(*(array.astype(object) for array in arrays))
    return codes, words


def _soft(scene: Scene, bodies: Bodies, pairs: Indices, lines: Indices) -> Masks:
    """Return which creatures stand on the lines, ``(n,)``, as :func:`gridlos.kernels.centre.soft_centre_lines`."""
    battle_map = scene.battle_map
    if len(bodies.spaces) < 3 or not bodies.gives_cover.any():
        return np.zeros(len(lines), np.uint8)
    ranks = np.array([STEPS_BY_SIZE[one.size] for one in scene.creatures], np.int64)
    asks = np.column_stack((pairs, bodies.group[pairs[:, 0]], lines))
    found: Masks = centre.soft_centre_lines(
        bodies.spaces, ranks, bodies.gives_cover, bodies.sharers, asks, battle_map.rows + 1, battle_map.cols + 1
    )
    return found

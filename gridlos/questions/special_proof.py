"""The part of a proof that special walls have: by name, what hides on a line, and what else it passes that gives cover."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from gridlos.battlemap import BattleMap
from gridlos.facts import Contact, Hidden, Stops
from gridlos.questions.hiding import EveryWall, Terms
from gridlos.questions.proof import boxes_meet, meets
from gridlos.questions.specials import Specials
from gridlos.verdict import ProofLine

__all__ = ["name_of", "past_specials"]

Indices = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class _Past:
    """Of the four lines from a corner: the names of what hides on each, of what gives cover by its own word, of all it meets."""

    hiding: list[list[str]]
    worded: list[list[str]]
    met: list[list[str]]


def past_specials(
    battle_map: BattleMap,
    specials: Specials,
    lines: tuple[ProofLine, ...],
    pair: tuple[int, int],
    squares: tuple[int, int],
    corner: int,
    hidden: NDArray[np.uint8],
    worded: Mapping[str, int],
    counted: int,
    terms: Terms,
) -> tuple[ProofLine, ...]:
    """Return the lines of a proof with what special walls do to them.

    Parameters
    ----------
    lines
        From the corner to the four corners of the target's square, past plain walls only.
    pair, squares
        Attacker and target; their squares, ``row * cols + column``.
    hidden
        ``(4,)`` uint8 of Hidden: what all walls hide on each line, 0 below what counts.
    worded
        The cover words that give cover, with the nibble of lines on which they do.
    counted
        Nibble of the corners of the target's square that no wall cuts off.
    """
    past = _names(battle_map, specials, pair, squares, corner, terms)
    through: list[list[str]] = [[] for _ in range(4)]
    for word, nibble in worded.items():
        owners = specials.only(specials.word == specials.words.index(word))
        alone, met = _names(battle_map, owners, pair, squares, corner, terms).worded, _met(battle_map, owners, squares, corner)
        for c in range(4):
            if nibble >> c & 1:
                through[c] += alone[c] or met[c]
    found = []
    for c, line in enumerate(lines):
        by = tuple(past.hiding[c])
        if hidden[c] and line.contact is not Contact.BLOCKED:
            line = replace(line, contact=Contact.BLOCKED, by=by or tuple(past.met[c]))  # noqa: PLW2901 - a record, not a counter
        elif hidden[c] and by:
            line = replace(line, by=(*line.by, *by))  # noqa: PLW2901
        found.append(replace(line, counted=bool(counted >> c & 1), through=tuple(dict.fromkeys(through[c]))))
    return tuple(found)


def _names(
    battle_map: BattleMap,
    specials: Specials,
    pair: tuple[int, int],
    squares: tuple[int, int],
    corner: int,
    terms: Terms,
) -> _Past:
    """Return which special walls alone hide on the four lines; where none does so alone, those that hide a part."""
    size, cols = battle_map.subdivisions, battle_map.cols
    y, x = np.divmod(np.array(squares), cols)
    low, high = np.array([x.min(), y.min()]) * size, (np.array([x.max(), y.max()]) + 1) * size
    walls = specials.walls
    near = boxes_meet(walls, *low.tolist(), *high.tolist())
    past = _Past([[] for _ in range(4)], [[] for _ in range(4)], [])
    parts: list[list[str]] = [[] for _ in range(4)]
    for owner in dict.fromkeys(specials.owners[near].tolist()):
        codes, words = _alone(battle_map, specials, specials.owners == owner, pair, squares, terms)
        name = name_of(battle_map, owner)
        for c in range(4):
            place = 4 * corner + c
            if words[place]:
                past.worded[c].append(name)
            if codes[place] >= terms.least:
                past.hiding[c].append(name)
            elif codes[place]:
                parts[c].append(name)
    met = _met(battle_map, specials.only((specials.stops & Stops.EFFECT) != 0), squares, corner)
    return _Past([alone or part for alone, part in zip(past.hiding, parts, strict=True)], past.worded, met)


def _met(battle_map: BattleMap, specials: Specials, squares: tuple[int, int], corner: int) -> list[list[str]]:
    """Return the special walls that each of the four lines meets: only together with others they hide something."""
    size = battle_map.subdivisions
    start, *ends = (
        (2 * size * (square % battle_map.cols + (c & 1)), 2 * size * (square // battle_map.cols + (c >> 1)))
        for square, c in ((squares[0], corner), *((squares[1], c) for c in range(4)))
    )
    found = []
    for end in ends:
        owners = specials.owners[meets(2 * specials.walls, start, end)]
        found.append([name_of(battle_map, owner) for owner in dict.fromkeys(owners.tolist())])
    return found


def _alone(
    battle_map: BattleMap,
    specials: Specials,
    own: NDArray[np.bool_],
    pair: tuple[int, int],
    squares: tuple[int, int],
    terms: Terms,
) -> tuple[NDArray[np.uint8], NDArray[np.bool_]]:
    """Return what some special walls do to the 16 lines if there are no others: codes, and whether a word is met."""
    alone = EveryWall.of(battle_map, specials.only(own), None)
    least = replace(terms, least=int(Hidden.QUARTER))
    codes, _, words, _ = alone.lines(np.array([[*pair, *squares]], np.int64), np.zeros(1, np.uint16), least)
    met = (words[0][:, None] >> np.arange(16) & 1).any(axis=0) if specials.words else np.zeros(16, np.bool_)
    return codes[0], met


def name_of(battle_map: BattleMap, owner: int) -> str:
    """Return the words for a special wall, a special square or a raised floor."""
    if owner >= 0:
        return battle_map.wall_name(owner)
    y, x = divmod(-1 - owner, battle_map.cols)
    kind = battle_map.kind_of(x, y).kind
    if battle_map.special_squares[y, x]:
        return f"square ({x}, {y})" if kind == "open" else f"{kind} in square ({x}, {y})"
    return f"floor of square ({x}, {y})"

"""The proof where cover is found on one line: from centre to centre, with the names of what touches, stops or hides on it."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from fractions import Fraction

import numpy as np

from gridlos import grid
from gridlos.battlemap import BattleMap
from gridlos.facts import Contact, Hidden, Stops
from gridlos.kernels.centre import is_blocked_among
from gridlos.questions.centre import Indices, blocked_by_plain, hidden_on, lines_between
from gridlos.questions.creatures import Bodies
from gridlos.questions.hiding import Terms
from gridlos.questions.obstacles import Obstacles
from gridlos.questions.proof import Point, Suspects, meets, place_on, suspects_on
from gridlos.questions.special_proof import name_of
from gridlos.questions.specials import Specials
from gridlos.scene import Scene
from gridlos.verdict import ProofLine

__all__ = ["centre_line", "point_of"]


def centre_line(
    scene: Scene,
    walls: tuple[Obstacles, Specials | None],
    bodies: Bodies,
    pair: tuple[int, int],
    hidden: int,
    words: Collection[str],
    terms: Terms,
) -> ProofLine:
    """Return the line between the centres of two spaces, past walls.

    ``by`` names, from the attacker on, what alone stops or hides so much that it counts; where nothing does so alone, all
    that it meets; and what a line that is not blocked touches.

    Parameters
    ----------
    pair
        Attacker and target.
    hidden
        Code of Hidden: what all walls hide on the line, 0 below what counts.
    words
        The cover words that give cover on it.
    """
    obstacles, specials = walls
    asked = np.array([pair], np.int64)
    line = lines_between(bodies.centres, asked)
    plain = bool(blocked_by_plain(obstacles, line)[0])
    contact, by = _by_plain(scene.battle_map, obstacles.size, line[0], is_blocked=plain)
    through: tuple[str, ...] = ()
    if specials is not None:
        if hidden and not plain:
            contact, by = Contact.BLOCKED, ()
        if hidden:
            hiding = specials.only((specials.stops & Stops.EFFECT != 0) & (specials.word < 0))
            by = (*by, *_by_specials(scene, hiding, asked, line, terms, or_met=not plain))
        worded = specials.only(np.isin(specials.word, [specials.words.index(word) for word in words]))
        through = _by_specials(scene, worded, asked, line, terms, or_met=True) if len(worded.walls) else ()
    return ProofLine(point_of(bodies.centres[pair[1]].tolist()), contact, by, through=through)


def point_of(half: Sequence[int]) -> tuple[float, float]:
    """Return a point that is told in half squares in squares: whole numbers where they are.

    >>> point_of((8, 3))
    (4, 1.5)
    """
    x, y = (value // 2 if value % 2 == 0 else value / 2 for value in half)
    return x, y


def _by_plain(battle_map: BattleMap, size: int, line: Indices, *, is_blocked: bool) -> tuple[Contact, tuple[str, ...]]:
    """Return how plain walls meet a line, and the names of those that do."""
    p, q = _ends(line, size)
    (x0, y0), (x1, y1) = ((x // 2, y // 2) for x, y in line.reshape(2, 2).tolist())
    suspects = suspects_on(battle_map, (x0, y0), (x1, y1))
    places: dict[int, Fraction] = {}
    for k in np.flatnonzero(meets(2 * suspects.walls, p, q)).tolist():
        wall = (2 * suspects.walls[k]).tolist()
        place, owner = place_on(wall, p, q), int(suspects.owner[k])
        # What a blocked line meets only at an end is not in its way.
        if not is_blocked or 0 < place < 1 or _runs_along(wall, p, q):
            places[owner] = min(place, places.get(owner, place))
    owners = sorted(places, key=lambda owner: (places[owner], owner))
    if is_blocked:
        owners = [one for one in owners if _stops_alone(suspects, one, line, size)] or owners
    contact = Contact.BLOCKED if is_blocked else Contact.TOUCHES if owners else Contact.CLEAR
    return contact, tuple(dict.fromkeys(suspects.name(owner, battle_map) for owner in owners))


def _ends(line: Indices, size: int) -> tuple[Point, Point]:
    """Return the ends of a line in doubled lattice units."""
    x0, y0, x1, y1 = (line * size).tolist()
    return (x0, y0), (x1, y1)


def _runs_along(wall: list[int], p: Point, q: Point) -> bool:
    dx, dy = q[0] - p[0], q[1] - p[1]
    return all(dx * (y - p[1]) == dy * (x - p[0]) for x, y in (wall[:2], wall[2:]))


def _stops_alone(suspects: Suspects, owner: int, line: Indices, size: int) -> bool:
    """Would it stop the line if nothing else were there?"""
    place = owner - suspects.n_walls
    if 0 <= place < len(suspects.squares):
        start, end = (point_of((x, y)) for x, y in line.reshape(2, 2).tolist())
        return grid.passes_inside(start, end, [*suspects.squares[place].tolist(), 1, 1])
    return bool(is_blocked_among((2 * suspects.walls[suspects.owner == owner]).astype(np.int32), line, size))


def _by_specials(
    scene: Scene, specials: Specials, asked: Indices, line: Indices, terms: Terms, *, or_met: bool
) -> tuple[str, ...]:
    """Return the names of those special walls that alone hide enough; where none does, of all that the line meets, if wanted.

    With their words taken off, walls that have one hide as others do.
    """
    battle_map = scene.battle_map
    plain = replace(
        specials, word=np.full_like(specials.word, -1), stops=specials.stops | np.uint8(Stops.EFFECT)
    )
    met = meets(2 * plain.walls, *_ends(line[0], battle_map.subdivisions))
    owners = dict.fromkeys(plain.owners[met].tolist())
    alone = []
    for owner in owners:
        own = plain.only(plain.owners == owner)
        codes, _ = hidden_on(scene, None, own, asked, line, np.zeros(1, np.uint8), terms)
        if codes[0] != Hidden.NONE:
            alone.append(owner)
    return tuple(dict.fromkeys(name_of(battle_map, owner) for owner in alone or (owners if or_met else ())))

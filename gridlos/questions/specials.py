"""The walls and squares of a scene that stop, hide or cover in part, and the heights of its creatures, as the kernels read them.

Heights are whole numbers of a unit, the largest that makes every height of the scene exact; heights themselves are told
to a thousandth of a foot.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gridlos.battlemap import BattleMap
from gridlos.facts import Bools, Channel, Ints, Stops
from gridlos.kernels import near, special_cost
from gridlos.questions.keeping import kept
from gridlos.scene import Scene
from gridlos.walls import Behaviour, behaviour_of

__all__ = ["BODIES", "Specials", "bodies_in_thousandths", "floors_of", "floors_under", "specials_among", "specials_of"]

Numbers = NDArray[np.int64]

BODIES = "bodies in thousandths"
"""Where those of a scene are kept with it."""

_THOUSANDTHS = 1000
_FOR_EVER = 2**40


def floors_of(scene: Scene) -> list[float]:
    """Return the highest floor under each creature of a scene, in feet."""
    return kept(scene, "floors", lambda: floors_under(scene.battle_map, scene.spaces))


def floors_under(battle_map: BattleMap, spaces: Ints) -> list[float]:
    """Return the highest floor under each space, in feet."""
    floors = _elevations(battle_map)
    if len(floors) == 1:
        return floors * len(spaces)
    return [float(battle_map.elevation[y : y + h, x : x + w].max()) for x, y, w, h in spaces.tolist()]


def _elevations(battle_map: BattleMap) -> list[float]:
    """Return the heights of all floors of a map, ascending."""

    def found() -> list[float]:
        low, high = float(battle_map.elevation.min()), float(battle_map.elevation.max())
        heights: list[float] = [low] if low == high else np.unique(battle_map.elevation).tolist()
        return heights

    return kept(battle_map, "elevations", found)


@dataclass(frozen=True, slots=True, eq=False)
class _Pieces:
    """Segments that behave alike: special walls, or sides of squares with one letter, or of floors of one height.

    ``walls (k, 4)``, ``squares (k,)`` and ``owners (k,)`` as in :class:`Specials`, bottom and top in thousandths of a foot.
    """

    behaviour: Behaviour
    bottom: int
    top: int
    walls: Numbers
    squares: Numbers
    owners: Numbers


@dataclass(frozen=True, slots=True, eq=False)
class Specials:
    """Special walls, and the bodies that look past them.

    Attributes
    ----------
    walls
        ``(m, 4)`` int64 lattice units: special walls of the map, sides of special squares and of raised floors.
    stops, limited
        ``(m,)`` uint8 of Stops: what each stops alone, and what it stops only as the second.
    side
        ``(m,)`` int64: 0 stops from both sides, else a bit of :mod:`gridlos.kernels.special_cost`.
    bands
        ``(m, 2)`` int64 height units: bottom and top; those without end lie beyond all bodies.
    words
        The cover words on the map. ``word (m,)`` int64 is a place in it; -1: none.
    is_slit
        ``(m,)`` bool.
    squares
        ``(m,)`` int64: ``row * cols + column`` of the square whose side it is; -1: none.
    owners
        ``(m,)`` int64: index of the wall on the map; ``-1 - square`` for a square's side.
    bodies
        ``(n, 6)`` int64: space, feet and head of every creature.
    """

    walls: Numbers
    stops: NDArray[np.uint8]
    limited: NDArray[np.uint8]
    side: Numbers
    bands: Numbers
    words: tuple[str, ...]
    word: Numbers
    is_slit: Bools
    squares: Numbers
    owners: Numbers
    bodies: Numbers

    @property
    def are_channels_equal(self) -> bool:
        """Whether whatever stops effect stops sight, and the other way round."""
        return all(
            np.array_equal(array & Stops.EFFECT, (array & Stops.SIGHT) >> 1)
            for array in (self.stops, self.limited)
        )

    def are_walls_of(self, other: Specials) -> bool:
        """Whether the walls that stop are the same, and as high and low to the bodies."""
        names = ("walls", "bands", "stops", "limited", "side")
        return all(np.array_equal(getattr(self, name), getattr(other, name)) for name in names)

    def are_near(self, battle_map: BattleMap, channel: Channel | None, pairs: Numbers, spaces: Numbers) -> Bools:
        """Return ``(n,)`` bool: may those that stop something in a channel (None: any) touch the hull of two spaces? False is certain."""
        walls = self.walls
        if channel is not None:
            walls = walls[((self.stops | self.limited) & channel.bit) != 0]
        size = battle_map.subdivisions
        before = near.count_touched(np.ascontiguousarray(walls, np.int32), battle_map.rows, battle_map.cols, size)
        return np.asarray(near.are_near(before, spaces, pairs), np.bool_)

    def only(self, kept: Bools) -> Specials:
        """Return some of the walls, ``kept (m,)``, among the same bodies and words."""
        arrays = {
            name: getattr(self, name)[kept]
            for name in ("walls", "stops", "limited", "side", "bands", "word", "is_slit", "squares", "owners")
        }
        return replace(self, **arrays)

    def traits(self, channel: Channel, n_plain: int) -> Numbers:
        """Return the kernels' ``traits`` of ``n_plain`` plain walls and of these, in one channel."""
        bit = channel.bit
        found = np.full((n_plain + len(self.walls), special_cost.N_TRAITS), -1, np.int64)
        found[:, special_cost.BOTTOM], found[:, special_cost.TOP] = -_FOR_EVER, _FOR_EVER
        found[:, special_cost.BITS] = special_cost.HARD
        own = found[n_plain:]
        own[:, [special_cost.BOTTOM, special_cost.TOP]] = self.bands
        own[:, special_cost.BITS] = (
            np.where(self.stops & bit, special_cost.HARD, 0)
            | np.where(self.limited & bit, special_cost.LIMITED, 0)
            | np.where(self.is_slit, special_cost.SLIT, 0)
            | self.side
            | special_cost.SPECIAL
        )
        own[:, special_cost.WORD] = self.word
        own[:, special_cost.SQUARE] = self.squares
        return found


def specials_of(scene: Scene) -> Specials | None:
    """Return what of a scene stops, hides or covers in part; None if nothing does."""
    return kept(scene, "specials", lambda: _specials_of(scene))


def _specials_of(scene: Scene) -> Specials | None:
    battle_map = scene.battle_map
    floors = _elevations(battle_map)
    is_flat = len(floors) == 1 and len(scene.creatures) > 0 and not _has_specials(battle_map)
    # The sides of a floor matter to whoever stands below it.
    if is_flat and all(one.elevation is None or one.elevation >= floors[0] for one in scene.creatures):
        return None
    return specials_among(battle_map, bodies_in_thousandths(scene))


def _has_specials(battle_map: BattleMap) -> bool:
    return len(battle_map.special) > 0 or kept(
        battle_map, "special squares", lambda: bool(battle_map.special_squares.any())
    )


def specials_among(battle_map: BattleMap, bodies: Numbers) -> Specials | None:
    """Return what of a map stops, hides or covers in part for any bodies; None if nothing does.

    ``bodies (n, 6)`` are space, feet and head of each, heights in thousandths of a foot.
    """
    bodies = bodies.copy()
    low, high = (int(bodies[:, 4].min()), int(bodies[:, 5].max())) if len(bodies) else (0, 0)
    of_map = kept(battle_map, "special pieces", lambda: [*_of_walls(battle_map), *_of_squares(battle_map)])
    pieces = [*of_map, *_of_floors(battle_map, low)]
    if not pieces:
        return None
    # A band that ends beyond all bodies might as well end one unit beyond them.
    bands = np.array([(one.bottom, one.top) for one in pieces], np.int64)
    heights = np.concatenate((np.clip(bands, low, high).ravel(), bodies[:, 4:].ravel())) - low
    unit = int(np.gcd.reduce(heights)) or 1
    bands = (np.clip(bands, low - unit, high + unit) - low) // unit + 1
    bodies[:, 4:] = (bodies[:, 4:] - low) // unit + 1
    words = tuple(dict.fromkeys(one.behaviour.cover for one in pieces if one.behaviour.cover is not None))
    sides = {None: 0, "left": special_cost.FROM_LEFT, "right": special_cost.FROM_RIGHT}
    counts = [len(one.walls) for one in pieces]

    def column(values: list[int], dtype: type = np.int64) -> NDArray[Any]:
        return np.repeat(np.array(values, dtype), counts)

    return Specials(
        walls=np.concatenate([one.walls for one in pieces]),
        stops=column([one.behaviour.stops for one in pieces], np.uint8),
        limited=column([one.behaviour.limited for one in pieces], np.uint8),
        side=column([sides[one.behaviour.blocks_from] for one in pieces]),
        bands=np.repeat(bands, counts, axis=0),
        words=words,
        word=column([-1 if (word := one.behaviour.cover) is None else words.index(word) for one in pieces]),
        is_slit=column([one.behaviour.is_slit for one in pieces], np.bool_),
        squares=np.concatenate([one.squares for one in pieces]),
        owners=np.concatenate([one.owners for one in pieces]),
        bodies=bodies,
    )


def _thousandths(feet: float) -> int:
    return round(min(max(feet, -1e9), 1e9) * _THOUSANDTHS)


def bodies_in_thousandths(scene: Scene) -> Numbers:
    """Return ``(n, 6)``: space, feet and head of every creature of a scene, heights in thousandths of a foot."""
    return kept(scene, BODIES, lambda: _bodies_in_thousandths(scene))


def _bodies_in_thousandths(scene: Scene) -> Numbers:
    found = np.empty((len(scene.creatures), special_cost.N_BODY), np.int64)
    found[:, :4] = scene.spaces
    feet = [
        floor if creature.elevation is None else creature.elevation
        for creature, floor in zip(scene.creatures, floors_of(scene), strict=True)
    ]
    known = {height: _thousandths(height) for height in set(feet)}
    found[:, 4] = [known[height] for height in feet]
    heights = [creature.standing_height for creature in scene.creatures]
    known = {height: max(_thousandths(height), 1) for height in set(heights)}
    found[:, 5] = found[:, 4] + np.array([known[height] for height in heights], np.int64)
    return found


def _band(ends: tuple[float | None, float | None]) -> tuple[int, int]:
    """Return bottom and top in thousandths of a world foot."""
    bottom, top = ends
    return -_FOR_EVER if bottom is None else _thousandths(bottom), _FOR_EVER if top is None else _thousandths(top)


def _of_walls(battle_map: BattleMap) -> list[_Pieces]:
    """Return the special walls in their order, those in a row that behave alike together."""
    found: list[tuple[Behaviour, tuple[float | None, float | None]]] = []
    starts = []
    for place, (k, behaviour) in enumerate(zip(battle_map.special.tolist(), battle_map.behaviours, strict=True)):
        ends = behaviour.bottom, behaviour.top
        if ends != (None, None) and any(behaviour.above_floor):
            ends = battle_map.band_of(k)
        # What behaves alike has one record.
        if not found or found[-1][0] is not behaviour or found[-1][1] != ends:
            found.append((behaviour, ends))
            starts.append(place)
    walls = battle_map.segments[battle_map.special].astype(np.int64)
    owners = battle_map.special.astype(np.int64)
    pieces = []
    for (behaviour, ends), start, stop in zip(found, starts, [*starts, len(walls)][1:], strict=True):
        none = np.full(stop - start, -1, np.int64)
        pieces.append(_Pieces(behaviour, *_band(ends), walls[start:stop], none, owners[start:stop]))
    return pieces


def _of_squares(battle_map: BattleMap) -> list[_Pieces]:
    pieces: list[_Pieces] = []
    if not battle_map.special_squares.any():
        return pieces
    letters = np.where(battle_map.special_squares, battle_map.squares.astype(np.int64), -1)
    kinds = list(battle_map.legend.values())
    for letter in np.unique(letters[letters >= 0]).tolist():
        behaviour = behaviour_of(kinds[letter])
        bottom, top = _band(behaviour.band_above(kinds[letter].elevation or 0.0))
        pieces.append(_sides(battle_map, letters == letter, behaviour, bottom, top))
    return pieces


def _of_floors(battle_map: BattleMap, lowest_feet: int) -> list[_Pieces]:
    """Return the sides of all floors that are higher than somebody's feet."""
    stone = Behaviour(Stops.EFFECT | Stops.SIGHT)
    pieces = []
    for elevation in _elevations(battle_map):
        top = _thousandths(elevation)
        if top > lowest_feet:
            squares = (battle_map.elevation == elevation) & (battle_map.terrain != stone.stops)
            pieces.append(_sides(battle_map, squares, stone, -_FOR_EVER, top))
    return pieces


def _sides(battle_map: BattleMap, chosen: Bools, behaviour: Behaviour, bottom: int, top: int) -> _Pieces:
    """Return the four sides of every chosen square, ``chosen (rows, cols)``."""
    size = battle_map.subdivisions
    y, x = np.nonzero(chosen)
    left, up = x * size, y * size
    right, down = left + size, up + size
    sides = ((left, up, right, up), (right, up, right, down), (right, down, left, down), (left, down, left, up))
    squares = np.tile(y * battle_map.cols + x, 4)
    walls = np.concatenate([np.stack(side, axis=1) for side in sides])
    return _Pieces(behaviour, bottom, top, walls, squares, -1 - squares)

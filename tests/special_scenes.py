"""Random scenes with all that hides or stops in part, and the same for ``oracle_heights.py``, read as the scene file is defined."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import product

import numpy as np
from hypothesis import strategies as st
from oracle import Walls, squares_of
from oracle_heights import Banded, Body, Heights, square_sides
from strategies import SUBDIVISIONS, free_wall

from gridlos.battlemap import BattleMap
from gridlos.creature import Creature
from gridlos.scene import Scene
from gridlos.walls import SquareKind, Wall

EFFECT, SIGHT = 0, 1
STOPS, LIMITED = 2, 1

KINDS = {  # the table of kinds: what stops effect, what stops sight, band above the floor, cover
    "wall": (STOPS, STOPS, None, None),
    "void": (STOPS, STOPS, None, None),
    "door": (STOPS, STOPS, None, None),
    "secret door": (STOPS, STOPS, None, None),
    "window": (STOPS, 0, None, None),
    "curtain": (0, STOPS, None, None),
    "low wall": (STOPS, STOPS, (0, 3), None),
    "obstacle": (STOPS, STOPS, (0, 4), None),
    "arrow slit": (0, 0, None, "improved"),
    "fence": (0, 0, None, "standard"),
    "portcullis": (0, 0, None, "standard"),
    "terrain": (0, LIMITED, None, None),
    "open": (0, 0, None, None),
}
HEIGHTS = {"tiny": 2, "small": 3, "medium": 6, "large": 10, "huge": 15}
SPACES = {"tiny": 1, "small": 1, "medium": 1, "large": 2, "huge": 3}
BUILT_IN = {".": {"kind": "open"}, "#": {"kind": "wall"}, "w": {"kind": "low wall"}, "c": {"kind": "obstacle"}}
BUILT_IN |= {"s": {"kind": "arrow slit"}}
OWN = {
    "h": {"kind": "open", "elevation": 5},
    "H": {"kind": "open", "elevation": 10},
    "d": {"kind": "open", "elevation": -4},
    "B": {"kind": "low wall", "elevation": 5, "top": 2.5},
    "o": {"kind": "wall", "bottom": 4},
    "g": {"kind": "fence", "top": 6},
    "v": {"kind": "window"},
    "t": {"kind": "terrain"},
    "q": {"kind": "obstacle", "cover": "1/4"},
}
LETTERS = "..............##wwccshHdBogvtq"


@dataclass(frozen=True)
class Drawn:
    """A scene, and what the oracle is asked about it: walls by channel, those for cover words, bodies."""

    scene: Scene
    channels: tuple
    tags: Heights
    bodies: tuple

    @property
    def effect(self):
        return self.channels[EFFECT]

    @property
    def words(self):
        return sorted({wall.word for wall in self.tags.banded} - {None})


# ---- the scene file, read again


def tolls_of(record):
    """What a record stops of effect and of sight: 2, 1 (limited) or 0."""
    if record.get("state") == "open":
        return 0, 0
    found = list(KINDS[record["kind"]][:2])
    for channel, key in ((EFFECT, "effect"), (SIGHT, "sight")):
        if record.get(key) is not None:
            found[channel] = LIMITED if record[key] == "limited" else STOPS * record[key]
    return tuple(found)


def word_of(record):
    return None if record.get("state") == "open" else record.get("cover") or KINDS[record["kind"]][3]


def band_of(record, floor, *, is_square):
    """Bottom and top in world feet."""
    kind, found = KINDS[record["kind"]][2], []
    for end, key in enumerate(("bottom", "top")):
        own = record.get(key)
        if own is not None:
            found.append(Fraction(own) + (floor if is_square else 0))
        else:
            found.append(None if kind is None else floor + kind[end])
    return tuple(found)


def floor_at(floors, x, y):
    """The highest floor of the squares that touch a point."""
    near = [e for (c, r), e in floors.items() if c <= x <= c + 1 and r <= y <= r + 1]
    return max(near, default=Fraction(0))


def sided(toll, blocks_from):
    return {None: (toll, toll), "left": (toll, 0), "right": (0, toll)}[blocks_from]


def read(rows, legend, walls, s, creatures):
    """Channels, tags and bodies of a scene whose walls are ``(x0, y0, x1, y1), keys`` in lattice units."""
    kinds = BUILT_IN | legend
    squares = {(x, y): kinds[letter] for y, row in enumerate(rows) for x, letter in enumerate(row)}
    floors = {square: Fraction(kind.get("elevation", 0)) for square, kind in squares.items()}
    bodies = tuple(body_of(creature, floors) for creature in creatures)
    lowest = min((body.feet for body in bodies), default=0)
    solid, banded, tags = (set(), set()), ([], []), []
    for square, kind in squares.items():
        tolls, word, band = tolls_of(kind), word_of(kind), band_of(kind, floors[square], is_square=True)
        is_slit = kind["kind"] == "arrow slit"
        is_plain = word is None and band == (None, None) and LIMITED not in tolls
        for channel, toll in enumerate(tolls):
            if toll and is_plain:
                solid[channel].add(square)
            elif toll:
                sides = square_sides(square, s, *band, word=word, slit=is_slit, tolls=(toll, toll))
                banded[channel].extend(sides)
        if word is not None:
            tags += square_sides(square, s, *band, word=word, slit=is_slit)
        if floors[square] > lowest and not (is_plain and tolls == (STOPS, STOPS)):
            for channel in (EFFECT, SIGHT):
                banded[channel].extend(square_sides(square, s, None, floors[square]))
    segments = ([], [])
    for (x0, y0, x1, y1), keys in walls:
        tolls, word = tolls_of(keys), word_of(keys)
        middle = Fraction(x0 + x1, 2 * s), Fraction(y0 + y1, 2 * s)
        bottom, top = band_of(keys, floor_at(floors, *middle), is_square=False)
        one = Banded(((x0, y0), (x1, y1)), bottom, top, word=word, slit=keys["kind"] == "arrow slit")
        side = keys.get("blocks_from")
        for channel, toll in enumerate(tolls):
            if toll == STOPS and side is None and (bottom, top, word) == (None, None, None) and LIMITED not in tolls:
                segments[channel].append((x0, y0, x1, y1))
            elif toll:
                banded[channel].append(replace(one, tolls=sided(toll, side)))
        if word is not None:
            tags.append(replace(one, tolls=sided(STOPS, side)))
    bases = [
        Walls(len(rows), len(rows[0]), s, frozenset(solid[k]), frozenset(), tuple(segments[k])) for k in (EFFECT, SIGHT)
    ]
    channels = tuple(Heights(base, tuple(walls)) for base, walls in zip(bases, banded, strict=True))
    tags += [wall for wall in banded[EFFECT] if wall.word is None]
    return channels, Heights(bases[EFFECT], tuple(tags)), bodies


def body_of(creature, floors):
    side = SPACES[creature["size"]]
    space = (*creature["at"], *creature.get("space", (side, side)))
    feet = creature.get("elevation")
    feet = max(floors[square] for square in squares_of(space)) if feet is None else Fraction(feet)
    return Body(space, feet, feet + Fraction(creature.get("height") or HEIGHTS[creature["size"]]))


# ---- random ones


def build_keys(below, *, one_way=True):
    """The keys of a wall."""
    kind = ("wall", "wall", "low wall", "obstacle", "door", "window", "curtain", "arrow slit", "fence", "terrain")
    keys = {"kind": kind[below(len(kind))]}
    if keys["kind"] == "door":
        keys["state"] = (None, "open", "locked")[below(3)]
    if below(2):
        keys["top"] = (2, 3, 4, 5.5, 6, 8, 12)[below(7)]
    if below(5) == 0:
        keys["bottom"] = (-4, 0, 1, 1.5)[below(4)]
    if one_way and below(5) == 0:
        keys["blocks_from"] = ("left", "right")[below(2)]
    for channel in ("effect", "sight"):
        if below(8) == 0:
            keys[channel] = (True, False, "limited")[below(3)]
    if below(12) == 0:
        keys["cover"] = ("none", "light", "1/2", "improved")[below(4)]
    return {key: value for key, value in keys.items() if value is not None}


def build_creature(below, k, kinds, rows):
    """A creature on squares that are not solid; None if it finds no place."""
    size = ("medium", "medium", "medium", "small", "tiny", "large", "huge")[below(7)]
    side = SPACES[size]
    places = [
        (x, y)
        for y, x in product(range(len(rows) - side + 1), range(len(rows[0]) - side + 1))
        if all(kinds[rows[r][c]].get("kind") not in ("wall", "window") for c, r in squares_of((x, y, side, side)))
    ]
    if not places:
        return None
    keys = {"id": f"c{k}", "at": places[below(len(places))], "size": size}
    if below(4) == 0:
        keys["elevation"] = (-5, 3, 5, 10, 20)[below(5)]
    if below(4) == 0:
        keys["height"] = (2, 4.5, 8)[below(3)]
    return keys


def build(below, *, most_walls=5, n_creatures=3, one_way=True, letters=LETTERS):
    """A scene of a few squares."""
    n_rows, n_cols = 2 + below(4), 3 + below(5)
    rows = ["".join(letters[below(len(letters))] for _ in range(n_cols)) for _ in range(n_rows)]
    s = SUBDIVISIONS[below(len(SUBDIVISIONS))]
    kinds = BUILT_IN | OWN
    creatures = [one for k in range(n_creatures) if (one := build_creature(below, k, kinds, rows))]
    ends, walls = [], []
    for _ in range(below(most_walls + 1)):
        ends.append(free_wall(below, n_rows, n_cols, s, ends))
        walls.append((ends[-1], build_keys(below, one_way=one_way)))
    return drawn(rows, walls, s, creatures)


def drawn(rows, walls, s, creatures, legend=OWN):
    """What a drawing with these walls and creatures is."""
    found = [Wall(start=(x0 / s, y0 / s), end=(x1 / s, y1 / s), **keys) for (x0, y0, x1, y1), keys in walls]
    own = {letter: SquareKind(**keys) for letter, keys in legend.items()}
    battle_map = BattleMap.from_rows(rows, legend=own, walls=found, subdivisions=s)
    assert battle_map.segments.tolist() == [list(one) for one, _ in walls]
    scene = Scene(battle_map, tuple(Creature(**keys) for keys in creatures))
    return Drawn(scene, *read(rows, legend, walls, s, creatures))


def parts_of(found):
    """What :func:`drawn` was given."""
    battle_map = found.scene.battle_map
    walls = []
    for segment, wall in zip(battle_map.segments.tolist(), battle_map.walls, strict=True):
        names = ("kind", "state", "effect", "sight", "cover", "blocks_from", "bottom", "top")
        keys = {name: value for name in names if (value := getattr(wall, name)) is not None}
        walls.append((tuple(segment), keys))
    creatures = []
    for one in found.scene.creatures:
        keys = {"id": one.id, "at": one.at, "size": one.size, "elevation": one.elevation, "height": one.height}
        creatures.append({name: value for name, value in keys.items() if value is not None})
    return battle_map.to_rows(), walls, battle_map.subdivisions, creatures


def seeded(seed, **how):
    rng = np.random.default_rng(seed)
    return build(lambda bound: int(rng.integers(bound)), **how)


@st.composite
def special_scenes(draw, **how):
    return build(lambda bound: draw(st.integers(0, bound - 1)), **how)

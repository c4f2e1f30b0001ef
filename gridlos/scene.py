"""Scene: a battle map, its creatures and lights, and what the game master said."""

from __future__ import annotations

import dataclasses
from collections import Counter
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Self

import msgspec
import numpy as np

from gridlos.battlemap import BattleMap
from gridlos.drawing import parse_drawing, text_of
from gridlos.errors import SceneError
from gridlos.facts import Stops
from gridlos.lattice import smallest_subdivisions
from gridlos.records import SCHEMA, SceneRecord, record_from
from gridlos.walls import BUILT_IN, SquareKind, Wall
from gridlos.words import hint_for

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
    from collections.abc import Set as AbstractSet

    from gridlos.creature import Creature
    from gridlos.facts import Ints
    from gridlos.records import AmbientLight, Light, Override

__all__ = ["Scene"]

_NOTHING: Mapping[Any, Any] = MappingProxyType({})


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class Scene:
    """A battle map, its creatures and lights; it never changes, edits return a copy.

    Two scenes are equal if all that is given is equal (``load_warnings`` apart).

    Attributes
    ----------
    battle_map
        Terrain and walls.
    creatures
        In file order.
    lights
        In file order.
    light
        What no light reaches: ``bright``, ``dim`` or ``dark``.
    options
        Options of an edition by name.
    overrides
        The game master's words on pairs.
    name
        What people call the scene.
    extra
        Anything; carried through.
    load_warnings
        What a loader had to repair or leave out, one sentence each.
    ids
        Ids of the creatures.
    spaces
        ``(n, 4)`` int32, read-only: ``x, y, width, height`` of the squares of each creature.
    warnings
        ``load_warnings``, the map's warnings, and one sentence for each key of creatures that nothing uses yet.
    kept
        What was found out about this very scene, for whoever asks again; edited copies start with nothing, but share the map's.

    Raises
    ------
    SceneError
        For equal ids, a creature off the map or in a solid square, an override or a mount that names nobody.

    Examples
    --------
    >>> scene = Scene.from_drawing("..A#T.")
    >>> scene.ids, scene.spaces.tolist()
    (('A', 'T'), [[2, 0, 1, 1], [4, 0, 1, 1]])
    >>> scene.battle_map.terrain.tolist()
    [[0, 0, 0, 3, 0, 0]]
    """

    battle_map: BattleMap
    creatures: tuple[Creature, ...] = ()
    lights: tuple[Light, ...] = ()
    light: AmbientLight = "bright"
    options: Mapping[str, Any] = field(default_factory=dict)
    overrides: tuple[Override, ...] = ()
    name: str = ""
    extra: Any = None
    load_warnings: tuple[str, ...] = ()
    ids: tuple[str, ...] = field(init=False, repr=False)
    spaces: Ints = field(init=False, repr=False)
    warnings: tuple[str, ...] = field(init=False)
    kept: dict[Hashable, Any] = field(default_factory=dict, init=False, repr=False)

    def __post_init__(self) -> None:
        """Check what is given and derive the rest."""
        creatures, lights = tuple(self.creatures), tuple(self.lights)
        spaces = np.array([creature.occupied for creature in creatures], dtype=np.int32).reshape(-1, 4)
        spaces.flags.writeable = False
        self._set(creatures=creatures, lights=lights, overrides=tuple(self.overrides), spaces=spaces)
        self._set(options=MappingProxyType(dict(self.options)), load_warnings=tuple(self.load_warnings))
        self._set(ids=tuple(creature.id for creature in creatures))
        self._check_names()
        for index, creature in enumerate(() if self._stand_on_open_squares() else creatures):
            self._check_place(index, creature)
        self._set(warnings=(*self.load_warnings, *self.battle_map.warnings))

    def _set(self, **values: object) -> None:
        for name, value in values.items():
            object.__setattr__(self, name, value)

    def _check_names(self) -> None:
        """Raise SceneError for equal ids and for names of nobody."""
        for noun, names in (("creatures", self.ids), ("lights", tuple(light.id for light in self.lights))):
            counts = Counter(names)
            for index, name in enumerate(names):
                if name is not None and counts[name] > 1:
                    problem = f"{counts[name]} {noun} have the id {name!r}"
                    raise SceneError(problem, f"$.{noun}[{index}].id", "ids are unique")
        known = set(self.ids)
        for index, creature in enumerate(self.creatures):
            self._check_mount(index, creature, known)
        for index, override in enumerate(self.overrides):
            for key, name in (("target", override.target), ("attacker", override.attacker)):
                if name is not None and name not in known:
                    raise SceneError(
                        f"no creature has the id {name!r}", f"$.overrides[{index}].{key}", hint_for(name, known)
                    )

    def _check_mount(self, index: int, creature: Creature, known: AbstractSet[str]) -> None:
        """Raise SceneError for a creature that rides nobody of the ``known`` ones."""
        if creature.mount is not None and creature.mount not in known - {creature.id}:
            problem = f"creature {creature.id!r} rides {creature.mount!r}, which is no other creature"
            raise SceneError(problem, f"$.creatures[{index}].mount", hint_for(creature.mount, known))

    def _check_place(self, index: int, creature: Creature) -> None:
        """Raise SceneError for a creature that is off the map or in a solid square."""
        battle_map, place = self.battle_map, f"$.creatures[{index}].at"
        x, y, width, height = creature.occupied
        if not (battle_map.has_square(x, y) and battle_map.has_square(x + width - 1, y + height - 1)):
            size = f", {width} by {height} squares," if (width, height) != (1, 1) else ""
            raise SceneError(
                f"creature {creature.id!r} at ({x}, {y}){size} is off the map",
                place,
                f"the squares of the map go from (0, 0) to ({battle_map.cols - 1}, {battle_map.rows - 1})",
            )
        solid = battle_map.terrain[y : y + height, x : x + width] & int(Stops.EFFECT)
        if solid.any():
            first = np.argwhere(solid)[0]
            row, column = y + int(first[0]), x + int(first[1])
            raise SceneError(
                f"creature {creature.id!r} stands on the solid square ({column}, {row}), "
                f"which is {battle_map.kind_of(column, row).kind}",
                place,
                "move the creature or open the square",
            )

    def _stand_on_open_squares(self) -> bool:
        """Return whether all creatures stand on the map, in no solid square."""
        x, y, width, height = self.spaces.T
        battle_map = self.battle_map
        if not ((x >= 0) & (y >= 0) & (x + width <= battle_map.cols) & (y + height <= battle_map.rows)).all():
            return False
        solid = (battle_map.terrain & Stops.EFFECT) != 0
        many = self.spaces[(width > 1) | (height > 1)].tolist()
        return not (solid[y, x].any() or any(solid[v : v + h, u : u + w].any() for u, v, w, h in many))

    def creature(self, creature_id: str) -> Creature:
        """Return the creature of that id; SceneError if there is none."""
        return self.creatures[self.index(creature_id)]

    def index(self, creature_id: str) -> int:
        """Return the place of that creature in ``creatures``, ``ids`` and ``spaces``; SceneError if there is none."""
        try:
            return self.ids.index(creature_id)
        except ValueError:
            raise SceneError(f"no creature has the id {creature_id!r}", "", hint_for(creature_id, self.ids)) from None

    def with_creatures(self, creatures: Iterable[Creature]) -> Self:
        """Return the scene with other creatures."""
        return dataclasses.replace(self, creatures=tuple(creatures))

    def with_creature(self, creature: Creature) -> Self:
        """Return the scene with that creature in place of the one of its id; it alone is checked.

        >>> scene = Scene.from_drawing("A.T")
        >>> scene.with_creature(msgspec.structs.replace(scene.creature("A"), at=(1, 0))).spaces.tolist()
        [[1, 0, 1, 1], [2, 0, 1, 1]]
        """
        index = self.index(creature.id)
        if creature.mount != self.creatures[index].mount:
            self._check_mount(index, creature, set(self.ids))
        self._check_place(index, creature)
        spaces = self.spaces.copy()
        spaces[index] = creature.occupied
        return self.with_known((*self.creatures[:index], creature, *self.creatures[index + 1 :]), spaces)

    def with_known(self, creatures: tuple[Creature, ...], spaces: Ints) -> Self:
        """Return the scene with creatures in ``spaces (n, 4)`` that need no check; ``ids`` stay as they are."""
        spaces.flags.writeable = False
        copied = object.__new__(type(self))
        for name in _COPIED:
            object.__setattr__(copied, name, getattr(self, name))
        copied._set(creatures=creatures, spaces=spaces, kept={})
        return copied

    def seen_by(self, side: str) -> Self:
        """Return the scene without the creatures that are hidden from a side, and without words about these.

        >>> scene = Scene.from_drawing("AB", creatures={"B": {"side": "raiders", "hidden": True}})
        >>> scene.seen_by("party").ids, scene.seen_by("raiders").ids
        (('A',), ('A', 'B'))
        """
        hidden = {one.id for one in self.creatures if one.hidden and one.side != side}
        if not hidden:
            return self
        seen = [one for one in self.creatures if one.id not in hidden]
        creatures = [msgspec.structs.replace(one, mount=None) if one.mount in hidden else one for one in seen]
        overrides = [one for one in self.overrides if hidden.isdisjoint((one.target, one.attacker))]
        return dataclasses.replace(self, creatures=tuple(creatures), overrides=tuple(overrides))

    def with_map(self, battle_map: BattleMap) -> Self:
        """Return the scene on another map.

        >>> shut = Scene.from_drawing("A.T", walls=[Wall(start=(1, 0), end=(1, 1), kind="door", id="gate")])
        >>> shut.with_map(shut.battle_map.with_wall_state("gate", "open")).battle_map.stops.tolist()
        [0]
        """
        return dataclasses.replace(self, battle_map=battle_map)

    @classmethod
    def from_record(cls, record: SceneRecord, *, load_warnings: Sequence[str] = ()) -> Self:
        """Return the scene that a record describes."""
        battle_map = BattleMap.from_rows(
            record.squares,
            legend=record.legend,
            walls=record.walls,
            subdivisions=record.subdivisions,
            feet_per_square=record.feet_per_square,
        )
        return cls(
            battle_map=battle_map,
            creatures=record.creatures,
            lights=record.lights,
            light=record.light,
            options=record.options,
            overrides=record.overrides,
            name=record.name,
            extra=record.extra,
            load_warnings=tuple(load_warnings),
        )

    def to_record(self) -> SceneRecord:
        """Return the scene as the record that describes it; :meth:`from_record` gives the same scene again."""
        battle_map = self.battle_map
        ends = np.array([(*wall.start, *wall.end) for wall in battle_map.walls], dtype=np.float64)
        implied = smallest_subdivisions(ends)
        return SceneRecord(
            schema=SCHEMA,
            name=self.name,
            feet_per_square=battle_map.feet_per_square,
            subdivisions=None if implied == battle_map.subdivisions else battle_map.subdivisions,
            squares=tuple(battle_map.to_rows()),
            legend={letter: kind for letter, kind in battle_map.legend.items() if BUILT_IN.get(letter) != kind},
            walls=battle_map.walls,
            light=self.light,
            lights=self.lights,
            creatures=self.creatures,
            options=dict(self.options),
            overrides=self.overrides,
            extra=self.extra,
        )

    @classmethod
    def from_drawing(
        cls,
        text: str,
        *,
        walls: Iterable[Wall | tuple[float, float, float, float]] = (),
        legend: Mapping[str, SquareKind | str] = _NOTHING,
        creatures: Mapping[str, Mapping[str, Any]] = _NOTHING,
        options: Mapping[str, Any] = _NOTHING,
    ) -> Self:
        """Return the scene that a drawing shows; :mod:`gridlos.drawing` says how one is drawn.

        Parameters
        ----------
        text
            The drawing.
        walls
            More walls, after those of the drawing: a :class:`~gridlos.walls.Wall`, or ``(x0, y0, x1, y1)`` for a plain
            one.
        legend
            More letters: their kind as a word or a :class:`~gridlos.walls.SquareKind`.
        creatures
            More about creatures, by id: the keys of a scene file.
        options
            Options of an edition.

        Raises
        ------
        SceneError
            With the line that is wrong.

        Examples
        --------
        >>> scene = Scene.from_drawing('''
        ...     .....
        ...     .A.OO
        ...     ...OO
        ...
        ...     A archer party
        ...     O ogre large monsters
        ...     wall gate (2, 0)-(2, 1) door closed
        ... ''')
        >>> scene.creature("ogre").occupied, scene.battle_map.wall_name(0)
        ((3, 1, 2, 2), 'wall gate')
        >>> Scene.from_drawing(scene.to_drawing()) == scene
        True
        """
        kinds = {
            letter: record_from({"kind": kind}, SquareKind, f'$.legend["{letter}"]') if isinstance(kind, str) else kind
            for letter, kind in legend.items()
        }
        parsed = parse_drawing(text, kinds)
        drawn = parsed.data["creatures"]
        unknown = set(creatures) - {creature.get("id") for creature in drawn}
        if unknown:
            raise SceneError(f"no creature has the id {min(unknown)!r}")
        parsed.data["creatures"] = [{**creature, **creatures.get(str(creature.get("id")), {})} for creature in drawn]
        more = [wall if isinstance(wall, Wall) else Wall(start=wall[:2], end=wall[2:]) for wall in walls]
        try:
            record = record_from(parsed.data, SceneRecord)
            record = msgspec.structs.replace(
                record,
                walls=(*record.walls, *more),
                legend={**kinds, **record.legend},
                options={**record.options, **options},
            )
            return cls.from_record(record)
        except SceneError as error:
            raise SceneError(error.problem, parsed.place(error.place), error.hint) from error

    def to_drawing(self, *, marks: Mapping[tuple[int, int], str] = _NOTHING) -> str:
        """Return the scene as a drawing; ``Scene.from_drawing`` gives the same scene again.

        Parameters
        ----------
        marks
            Letters to put into squares, for people: such a drawing cannot be read again.

        Examples
        --------
        >>> print(Scene.from_drawing("A.#.T").to_drawing(marks={(2, 0): "x"}), end="")
        A.x.T
        """
        for x, y in marks:
            if not self.battle_map.has_square(x, y):
                raise SceneError(f"mark at ({x}, {y}) is off the map")
        return text_of(self.to_record(), marks)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Scene):
            return NotImplemented
        return self.battle_map == other.battle_map and self._given() == other._given()

    __hash__ = None  # type: ignore[assignment]

    def _given(self) -> tuple[Any, ...]:
        return self.creatures, self.lights, self.light, dict(self.options), self.overrides, self.name, self.extra

    def __reduce__(self) -> tuple[Callable[..., Scene], tuple[Any, ...]]:
        options = dict(self.options)
        given = (self.battle_map, self.creatures, self.lights, self.light, options, self.overrides, self.name)
        return type(self), (*given, self.extra, self.load_warnings)


_COPIED = tuple(one.name for one in dataclasses.fields(Scene) if one.name not in {"creatures", "spaces", "kept"})

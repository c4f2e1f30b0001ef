"""BattleMap: the squares and walls of a map, frozen, with the arrays that the kernels read."""

from __future__ import annotations

import dataclasses
from collections import Counter
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Self, TypeVar

import msgspec
import numpy as np

from gridlos.errors import SceneError
from gridlos.facts import Stops
from gridlos.lattice import LATTICE_LIMIT, edges_of, is_on_map, place_on_lattice, smallest_subdivisions
from gridlos.walls import (
    BUILT_IN,
    KINDS,
    Behaviour,
    SquareKind,
    Wall,
    WallState,
    behaviour_of,
    concealment_of,
    is_fog,
    warnings_for,
)
from gridlos.words import hint_for

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence

    from numpy.typing import NDArray

    from gridlos.facts import Bools, Ints, Masks

__all__ = ["BattleMap"]

_Scalar = TypeVar("_Scalar", bound=np.generic)
_NO_LEGEND: Mapping[str, SquareKind] = MappingProxyType({})


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class BattleMap:
    """The terrain and the walls of a map; it never changes, edits return a copy.

    Build it with :meth:`from_rows`. The attributes down to ``repairs`` are what is given, the others follow from them.
    All arrays are C-contiguous and read-only. Two maps are equal if what is given is equal (``repairs`` apart).

    Attributes
    ----------
    squares
        ``(rows, cols)`` uint8: for each square the place of its letter in ``legend``.
    legend
        Letter to :class:`~gridlos.walls.SquareKind`: the built-in letters, then the map's own, sorted.
    walls
        All :class:`~gridlos.walls.Wall` in file order, their ends on the lattice.
    subdivisions
        Lattice units in a square.
    feet_per_square
        Feet.
    repairs
        What was changed in reading, one sentence each.
    rows, cols
        Squares.
    terrain
        ``(rows, cols)`` uint8 of :class:`~gridlos.facts.Stops`: what the square stops over its full height, special ones apart.
    special_squares
        ``(rows, cols)`` bool: squares that stop in part only, or whose cover has a word of its own
        (:attr:`gridlos.walls.Behaviour.is_special`).
    elevation
        ``(rows, cols)`` float64 feet: the height of the floor.
    concealment
        ``(rows, cols)`` uint8 of :class:`~gridlos.facts.Concealment`: how much each square conceals.
    fog
        ``(rows, cols)`` bool: squares of fog, more of which on a line hides more.
    segments
        ``(n, 4)`` int32 lattice units: ``x0, y0, x1, y1`` of each of ``walls``.
    stops
        ``(n,)`` uint8 of Stops: what each of ``walls`` alone stops as it stands now (an open door nothing).
    special
        ``(m,)`` int32: indices of the special walls (:attr:`gridlos.walls.Behaviour.is_special`) that have a length and reach
        the map.
    behaviours
        What each of ``special`` does; walls that do the same share one record.
    west_edges, north_edges
        ``(rows, cols + 1)`` and ``(rows + 1, cols)`` uint8 of Stops: what those walls stop that lie along a grid line
        from corner to corner and are not special, each cut into edges of squares. ``west_edges[y, x]`` is the edge between ``(x - 1, y)``
        and ``(x, y)``, ``north_edges[y, x]`` the one between ``(x, y - 1)`` and ``(x, y)``. The sides of solid squares
        are not in them.
    free
        ``(m,)`` int32: indices of the walls that stop something, reach the map and are neither special nor in the edge
        arrays. Such a wall may stick out of the map. A wall without length stops nothing and is in neither.
    warnings
        ``repairs``, then one sentence for each kind or key that nothing uses yet, with a count, and for each wall that has
        no height.
    kept
        What was found out about this very map, for whoever asks again; edited copies start with nothing.

    Examples
    --------
    >>> walls = [Wall(start=(2, 0), end=(2, 2)), Wall(start=(0, 0.5), end=(1, 1))]
    >>> battle_map = BattleMap.from_rows(["....", ".#.."], walls=walls)
    >>> battle_map.terrain[1].tolist(), battle_map.west_edges[1].tolist()
    ([0, 3, 0, 0], [0, 0, 3, 0, 0])
    >>> battle_map.subdivisions, battle_map.segments.tolist(), battle_map.free.tolist()
    (2, [[4, 0, 4, 4], [0, 1, 2, 2]], [1])
    """

    squares: Masks
    legend: Mapping[str, SquareKind]
    walls: tuple[Wall, ...] = ()
    subdivisions: int = 1
    feet_per_square: float = 5.0
    repairs: tuple[str, ...] = ()
    rows: int = field(init=False)
    cols: int = field(init=False)
    terrain: Masks = field(init=False, repr=False)
    special_squares: Bools = field(init=False, repr=False)
    elevation: NDArray[np.float64] = field(init=False, repr=False)
    concealment: Masks = field(init=False, repr=False)
    fog: Bools = field(init=False, repr=False)
    segments: Ints = field(init=False, repr=False)
    stops: Masks = field(init=False, repr=False)
    special: Ints = field(init=False, repr=False)
    behaviours: tuple[Behaviour, ...] = field(init=False, repr=False)
    west_edges: Masks = field(init=False, repr=False)
    north_edges: Masks = field(init=False, repr=False)
    free: Ints = field(init=False, repr=False)
    warnings: tuple[str, ...] = field(init=False)
    kept: dict[Hashable, Any] = field(default_factory=dict, init=False, repr=False)

    def __post_init__(self) -> None:
        """Check what is given and derive the rest."""
        given = np.asarray(self.squares)
        legend = _whole_legend(self.legend)
        _check(given, len(self.legend), tuple(self.walls), self.subdivisions, self.feet_per_square)
        places = np.array([list(legend).index(letter) for letter in self.legend], dtype=np.uint8)
        squares = places[given]
        rows, cols = squares.shape
        walls, segments, repairs = _placed(tuple(self.walls), self.subdivisions)
        behaviours = [behaviour_of(wall) for wall in walls]
        stops, is_special, has_ends = _what_they_do(behaviours)
        reaching = is_on_map(segments, (rows, cols), self.subdivisions)
        plain = np.where(is_special, np.uint8(0), stops)
        west, north, free = edges_of(segments, plain, reaching, (rows, cols), self.subdivisions)
        counts = np.bincount(squares.ravel(), minlength=len(legend)).tolist()
        unused = (
            *warnings_for(zip(legend.values(), counts, strict=True), "square"),
            *warnings_for(((wall, 1) for wall in walls), "wall"),
        )
        self._set(legend=MappingProxyType(legend), walls=walls, repairs=(*self.repairs, *repairs), rows=rows, cols=cols)
        self._set(subdivisions=int(self.subdivisions), feet_per_square=float(self.feet_per_square))
        self._set(warnings=self.repairs + unused)
        kinds = list(legend.values())
        of_kinds = [behaviour_of(kind) for kind in kinds]
        by_square: dict[str, tuple[list[Any], Any]] = {
            "terrain": ([0 if one.is_special else one.stops for one in of_kinds], np.uint8),
            "special_squares": ([one.is_special for one in of_kinds], np.bool_),
            "elevation": ([kind.elevation or 0 for kind in kinds], np.float64),
            "concealment": ([concealment_of(kind) for kind in kinds], np.uint8),
            "fog": ([is_fog(kind) for kind in kinds], np.bool_),
        }
        for name, (values, dtype) in by_square.items():
            self._set(**{name: _frozen(np.array(values, dtype=dtype)[squares])})
        special = np.flatnonzero(is_special & reaching).astype(np.int32)
        for name, array in (("squares", squares), ("segments", segments), ("stops", stops), ("special", special),
                            ("west_edges", west), ("north_edges", north), ("free", free)):  # fmt: skip
            self._set(**{name: _frozen(array)})
        self._set(behaviours=tuple(behaviours[k] for k in special.tolist()))
        self._set(warnings=(*self.warnings, *self._warnings_of_bands(special[has_ends[special]])))

    def _set(self, **values: object) -> None:
        for name, value in values.items():
            object.__setattr__(self, name, value)

    @classmethod
    def from_rows(
        cls,
        rows: Sequence[str],
        *,
        legend: Mapping[str, SquareKind] = _NO_LEGEND,
        walls: Iterable[Wall] = (),
        subdivisions: int | None = None,
        feet_per_square: float = 5.0,
    ) -> Self:
        """Return the map that rows of letters and a list of walls describe.

        Parameters
        ----------
        rows
            One string for each row, all of one length.
        legend
            Letters beyond the built-in ones, or in their place.
        walls
            Their ends are rounded to the lattice; if that moves any of them, ``repairs`` says so.
        subdivisions
            The lattice; by default the smallest that makes every wall exact, at most 5,040.
        feet_per_square
            Feet.

        Raises
        ------
        SceneError
            For rows of unequal length, unknown letters, too large coordinates, equal ids.
        """
        letters = _whole_legend(legend)
        walls = tuple(walls)
        if subdivisions is None:
            subdivisions = smallest_subdivisions(_coordinates(walls))
        return cls(_squares_from(rows, tuple(letters)), letters, walls, subdivisions, feet_per_square)

    def to_rows(self) -> list[str]:
        """Return the letters of the squares, one string for each row."""
        letters = np.array([ord(letter) for letter in self.legend], dtype="<u4")
        return [letters[row].tobytes().decode("utf-32-le") for row in self.squares]

    def with_walls(self, walls: Iterable[Wall]) -> Self:
        """Return the map with other walls, on the same lattice."""
        return dataclasses.replace(self, walls=tuple(walls))

    def with_wall_state(self, wall_id: str, state: WallState) -> Self:
        """Return the map with one door opened, closed or locked.

        >>> gate = Wall(start=(1, 0), end=(1, 1), kind="door", id="gate")
        >>> shut = BattleMap.from_rows([".."], walls=[gate])
        >>> shut.west_edges.tolist(), shut.with_wall_state("gate", "open").west_edges.tolist()
        ([[0, 3, 0]], [[0, 0, 0]])
        """
        names = [wall.id for wall in self.walls]
        if wall_id not in names:
            raise SceneError(f"no wall has the id {wall_id!r}", "", hint_for(wall_id, [name for name in names if name]))
        index = names.index(wall_id)
        wall = self.walls[index]
        if not KINDS[wall.kind].is_door:
            raise SceneError(f"wall {wall_id!r} is a {wall.kind}", "", "only doors have a state")
        door = msgspec.structs.replace(wall, state=state)
        return dataclasses.replace(self, walls=(*self.walls[:index], door, *self.walls[index + 1 :]))

    def with_squares(self, letters: Mapping[tuple[int, int], str]) -> Self:
        """Return the map with other letters in some squares.

        >>> BattleMap.from_rows(["...", "..."]).with_squares({(2, 1): "#"}).to_rows()
        ['...', '..#']
        """
        squares = self.squares.copy()
        known = list(self.legend)
        for (x, y), letter in letters.items():
            if not self.has_square(x, y):
                raise SceneError(f"square {(x, y)} is off the map of {self.cols} by {self.rows} squares")
            if letter not in known:
                raise SceneError(f"unknown letter {letter!r}", "", _known_letters(known))
            squares[y, x] = known.index(letter)
        return dataclasses.replace(self, squares=squares)

    def has_square(self, x: int, y: int) -> bool:
        """Return whether the square lies on the map."""
        return 0 <= x < self.cols and 0 <= y < self.rows

    def is_solid(self, x: int, y: int) -> bool:
        """Return whether the square stops effect over its full height, as everything outside of the map does."""
        return not self.has_square(x, y) or bool(self.terrain[y, x] & Stops.EFFECT)

    def kind_of(self, x: int, y: int) -> SquareKind:
        """Return what the letter of a square on the map stands for."""
        return list(self.legend.values())[int(self.squares[y, x])]

    def wall_name(self, index: int) -> str:
        """Return the words for a wall in a proof: ``wall`` and its id; without an id its kind and its number.

        >>> ends = {"start": (0, 0), "end": (1, 1)}
        >>> walls = [Wall(**ends), Wall(**ends, kind="door", id="gate"), Wall(**ends, kind="door")]
        >>> [BattleMap.from_rows(["."], walls=walls).wall_name(index) for index in range(3)]
        ['wall 1', 'wall gate', 'door 2']
        """
        wall = self.walls[index]
        if wall.id is not None:
            return f"wall {wall.id}"
        number = sum(other.kind == wall.kind for other in self.walls[: index + 1])
        return f"{wall.kind} {number}"

    def band_of(self, index: int) -> tuple[float | None, float | None]:
        """Return bottom and top of a wall in world feet; None: without end.

        A kind that stands on the floor stands on the highest floor of the squares that the middle of the wall touches.

        >>> wall = Wall(start=(1, 0), end=(1, 1), kind="low wall")
        >>> BattleMap.from_rows([".t"], legend={"t": SquareKind(elevation=20)}, walls=[wall]).band_of(0)
        (20.0, 23.0)
        """
        behaviour = behaviour_of(self.walls[index])
        x0, y0, x1, y1 = self.segments[index].tolist()
        size = 2 * self.subdivisions
        rows, columns = (
            [place for place in range(-(-middle // size) - 1, middle // size + 1) if 0 <= place < n]
            for middle, n in ((y0 + y1, self.rows), (x0 + x1, self.cols))
        )
        return behaviour.band_above(max((float(self.elevation[y, x]) for y in rows for x in columns), default=0.0))

    def _warnings_of_bands(self, banded: Ints) -> list[str]:
        """Return one sentence for each of these walls with a band that is empty."""
        found = []
        for index in banded.tolist():
            bottom, top = self.band_of(index)
            if bottom is not None and top is not None and not bottom < top:
                problem = f"its top, {top:g} ft, is not above its bottom, {bottom:g} ft: it does nothing"
                found.append(f"{self.wall_name(index)}: {problem} (heights of walls are above the ground, not above the floor)")
        return found

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, BattleMap):
            return NotImplemented
        return (
            dict(self.legend) == dict(other.legend)
            and (self.subdivisions, self.feet_per_square) == (other.subdivisions, other.feet_per_square)
            and np.array_equal(self.squares, other.squares)
            and self.walls == other.walls
        )

    __hash__ = None  # type: ignore[assignment]

    def __reduce__(self) -> tuple[Callable[..., BattleMap], tuple[Any, ...]]:
        legend = dict(self.legend)
        return type(self), (self.squares, legend, self.walls, self.subdivisions, self.feet_per_square, self.repairs)


def _frozen(array: NDArray[_Scalar]) -> NDArray[_Scalar]:
    array = np.ascontiguousarray(array)
    array.flags.writeable = False
    return array


def _check(squares: NDArray[Any], n_letters: int, walls: tuple[Wall, ...], subdivisions: int, feet: float) -> None:
    """Raise SceneError for what no map can be."""
    if squares.ndim != 2 or squares.size == 0:
        raise SceneError("a map without squares", "$.squares", "give at least one row with one letter")
    if int(subdivisions) != subdivisions or subdivisions < 1:
        raise SceneError(f"{subdivisions} lattice units in a square", "$.subdivisions", "give a whole number from 1 up")
    if max(squares.shape) * subdivisions >= LATTICE_LIMIT:
        rows, cols = squares.shape
        raise SceneError(
            f"{cols} by {rows} squares of {subdivisions} lattice units are too large",
            "$.squares",
            f"at most {(LATTICE_LIMIT - 1) // subdivisions} squares a side, or {(LATTICE_LIMIT - 1) // max(rows, cols)} subdivisions",
        )
    if not 0.001 <= feet <= 1_000_000:
        raise SceneError(f"{feet} feet in a square", "$.feet_per_square", "give a number from 0.001 to 1,000,000")
    if not 0 <= int(squares.min()) <= int(squares.max()) < n_letters:
        raise SceneError("a square's letter is not in the legend", "$.squares")
    names = Counter(wall.id for wall in walls)
    for index, wall in enumerate(walls):
        if wall.id is not None and names[wall.id] > 1:
            problem = f"{names[wall.id]} walls have the id {wall.id!r}"
            raise SceneError(problem, f"$.walls[{index}].id", "ids are unique")


def _known_letters(letters: Iterable[str]) -> str:
    return "known are " + " ".join(map(repr, letters))


def _whole_legend(own: Mapping[str, SquareKind]) -> dict[str, SquareKind]:
    """Return the built-in letters and the map's own, checked and in order."""
    for letter in own:
        if len(letter) != 1 or not letter.isprintable():
            raise SceneError(
                f"{letter!r} is not one printable letter", f'$.legend["{letter}"]', "a square is drawn by one letter"
            )
    legend = {**BUILT_IN, **{letter: own[letter] for letter in sorted(own)}}
    if len(legend) > 256:
        raise SceneError(f"{len(legend)} letters in the legend", "$.legend", "at most 256")
    return legend


def _squares_from(rows: Sequence[str], letters: tuple[str, ...]) -> Masks:
    """Return the place of each square's letter among the letters."""
    if not rows or not rows[0]:
        raise SceneError("a map without squares", "$.squares", "give at least one row with one letter")
    for y, row in enumerate(rows):
        if len(row) != len(rows[0]):
            problem = f"the row has {len(row)} letters, the first row has {len(rows[0])}"
            raise SceneError(problem, f"$.squares[{y}]", "make all rows of equal length")
    codes = np.frombuffer("".join(rows).encode("utf-32-le", "surrogatepass"), dtype="<u4").reshape(len(rows), -1)
    present, inverse = np.unique(codes, return_inverse=True)
    place_of = {ord(letter): place for place, letter in enumerate(letters)}
    for code in present.tolist():
        if code not in place_of:
            y, x = (int(place) for place in np.argwhere(codes == code)[0])
            hint = f"add it to the legend; {_known_letters(letters)}"
            raise SceneError(f"unknown letter {chr(code)!r} in square ({x}, {y})", f"$.squares[{y}]", hint)
    table = np.array([place_of[code] for code in present.tolist()], dtype=np.uint8)
    return table[inverse.reshape(codes.shape)]


def _coordinates(walls: Sequence[Wall]) -> NDArray[np.float64]:
    return np.array([(*wall.start, *wall.end) for wall in walls], dtype=np.float64).reshape(-1, 4)


def _placed(walls: tuple[Wall, ...], subdivisions: int) -> tuple[tuple[Wall, ...], Ints, tuple[str, ...]]:
    """Return the walls with their ends on the lattice, their segments, and what was moved."""
    given = _coordinates(walls)
    placed = place_on_lattice(given, subdivisions)
    exact = placed.units / subdivisions
    if np.any(exact != given):
        whole = list(walls)
        for index in np.flatnonzero(np.any(exact != given, axis=1)).tolist():
            x0, y0, x1, y1 = exact[index].tolist()
            whole[index] = msgspec.structs.replace(walls[index], start=(x0, y0), end=(x1, y1))
        walls = tuple(whole)
    if not placed.n_moved:
        return walls, placed.units, ()
    repair = (
        f"{placed.n_moved} of {given.size} wall coordinates rounded to {subdivisions} lattice units in a square, "
        f"largest shift {placed.largest_shift:.3g} squares"
    )
    return walls, placed.units, (repair,)


def _what_they_do(behaviours: Sequence[Behaviour]) -> tuple[Masks, Bools, Bools]:
    """Return what each wall alone stops, whether it is special, and whether it has both a bottom and a top."""
    places: dict[int, int] = {}
    which = np.array([places.setdefault(id(one), len(places)) for one in behaviours], dtype=np.intp)
    distinct = list({id(one): one for one in behaviours}.values())
    stops = np.array([one.stops for one in distinct], dtype=np.uint8)
    is_special = np.array([one.is_special for one in distinct], dtype=np.bool_)
    has_ends = np.array([one.bottom is not None and one.top is not None for one in distinct], dtype=np.bool_)
    return stops[which], is_special[which], has_ends[which]

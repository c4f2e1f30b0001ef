"""The question about all squares: what cover would a creature have that stood there?"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gridlos.creature import SQUARES_BY_SIZE, Creature, SizeWord
from gridlos.errors import QuestionError
from gridlos.facts import Attack, Bools, Channel, Masks, PairFacts, Stops
from gridlos.kernels import line
from gridlos.questions.bystander import judged_standing, standing_facts
from gridlos.questions.obstacles import Obstacles, blocked_lines, obstacles_of
from gridlos.questions.pairs import evaluate
from gridlos.questions.sweep import Sweep, SweptLines, least_of
from gridlos.questions.table import MEMORY_BOUND, LineTable, OneToAll
from gridlos.rules import Edition, Judgement, Question, judge
from gridlos.scene import Scene
from gridlos.verdict import Verdict
from gridlos.words import hint_for

__all__ = ["Field", "FieldSquare", "SquarePairs", "all_pairs", "field"]

Indices = NDArray[np.int64]
Column = NDArray[Any]
Lines = NDArray[np.uint16]

_AT_ONCE = 1024


@dataclass(frozen=True, slots=True)
class FieldSquare:
    """What holds for a creature in one square, an entry for each attacker.

    Attributes
    ----------
    at
        ``(x, y)``.
    is_open
        Whether a creature can stand there at all; else the answers have no meaning.
    attackers
        Their ids, in the order of all that follows.
    cover, concealment
        In the edition's words.
    blocked_lines, line_of_effect, line_of_sight, soft, can_attack
        As in an evaluation.
    distance
        Feet.
    """

    at: tuple[int, int]
    is_open: bool
    attackers: tuple[str, ...]
    cover: tuple[str, ...]
    concealment: tuple[str, ...]
    blocked_lines: tuple[int, ...]
    line_of_effect: tuple[bool, ...]
    line_of_sight: tuple[bool, ...]
    soft: tuple[bool, ...]
    can_attack: tuple[bool, ...]
    distance: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Field:
    """The answers of some attackers for every square of a map, a column an answer.

    ``field.cover`` is ``field.columns["cover"]``; ``field[x, y]`` is the :class:`FieldSquare` of one square.

    Attributes
    ----------
    attackers
        Their ids.
    is_open
        ``(rows, cols)`` bool: where a creature can stand, a big one with its top left square; elsewhere all answers are 0.
    columns
        Name to array ``(attackers, rows, cols)``, read-only: those of an evaluation, see
        :class:`gridlos.verdict.Evaluation`.
    words
        For each coded column its words, in the order of the codes.
    frame
        What holds for all squares, as in an evaluation.
    """

    attackers: tuple[str, ...]
    is_open: Bools
    columns: Mapping[str, Column]
    words: Mapping[str, tuple[str, ...]]
    frame: Mapping[str, Any]

    def __post_init__(self) -> None:
        """Freeze the columns."""
        for array in (self.is_open, *self.columns.values()):
            array.flags.writeable = False
        object.__setattr__(self, "columns", MappingProxyType(dict(self.columns)))

    @property
    def degrees(self) -> tuple[str, ...]:
        """The edition's words for the codes of ``cover``, mildest first."""
        return self.words["cover"]

    def __getattr__(self, name: str) -> Column:
        """Return the column of that name."""
        if name.startswith("__"):
            raise AttributeError(name)
        try:
            return self.columns[name]
        except KeyError:
            raise AttributeError(name) from None

    def __getitem__(self, square: tuple[int, int]) -> FieldSquare:
        """Return what holds in the square ``(x, y)``.

        Raises
        ------
        KeyError
            For a square that is none of the map.
        """
        x, y = square
        rows, cols = self.is_open.shape
        if not (0 <= x < cols and 0 <= y < rows):
            raise KeyError(square)
        values: dict[str, Any] = {}
        for name in FieldSquare.__dataclass_fields__.keys() & self.columns.keys():
            found = self.columns[name][:, y, x].tolist()
            values[name] = tuple(self.words[name][code] for code in found) if name in self.words else tuple(found)
        return FieldSquare((x, y), bool(self.is_open[y, x]), self.attackers, **values)

    def __iter__(self) -> Iterator[FieldSquare]:
        """Yield the squares where a creature can stand, in reading order."""
        return (self[x, y] for y, x in np.argwhere(self.is_open).tolist())


def field(
    scene: Scene,
    *,
    edition: str | Path | Edition,
    attackers: Sequence[str] | None = None,
    attack: Attack | str = Attack.RANGED,
    options: Mapping[str, str] | None = None,
    weapon: str | None = None,
    observer: str | None = None,
    size: SizeWord = "medium",
) -> Field:
    """Return for every square what cover one more creature would have there from some attackers.

    It stands on the floor, on nobody's side; the others stand where they stand and give soft cover as they do. Where one of
    them would stand best is asked of a scene without it (:meth:`gridlos.Scene.with_creatures`): it is in nobody's way then.

    Parameters
    ----------
    scene, edition, options, weapon, observer
        As for :func:`gridlos.evaluate`.
    attackers
        Ids of creatures; None: all of the scene.
    attack
        ``"ranged"`` or ``"melee"``.
    size
        Of the creature that would stand there. Of a big one each square tells what holds with its top left square there;
        squares where its space does not fit are closed.

    Notes
    -----
    1. The answers are those of :func:`gridlos.evaluate` for the scene with such a creature on that square.

    Examples
    --------
    >>> found = field(Scene.from_drawing('''
    ... A...
    ... .##.
    ... ....
    ... '''), edition="pathfinder1")
    >>> [[found.degrees[code][:2] for code in row] for row in found.cover[0].tolist()]
    [['no', 'no', 'no', 'no'], ['no', 'no', 'no', 'co'], ['no', 'pa', 'to', 'to']]
    >>> found[3, 1].cover, found[3, 1].blocked_lines, found[1, 1].is_open
    (('cover',), (2,), False)
    """
    if size not in SQUARES_BY_SIZE:
        raise QuestionError(f"there is no size {size!r}; {hint_for(size, SQUARES_BY_SIZE)}")
    try:
        kind = Attack(attack)
    except ValueError:
        kind = Attack.AREA
    if kind is Attack.AREA:
        raise QuestionError(f'a field is for attack="ranged" or "melee", not for {str(attack)!r}')
    scene = scene if observer is None else scene.seen_by(observer)
    # An evaluation without targets checks all words, and says what holds for all pairs.
    nobody = evaluate(
        scene, edition=edition, attack=kind, attackers=attackers, targets=[], options=options, weapon=weapon
    )
    ids, frame = nobody.attackers, nobody.frame
    is_open = _standing_room(scene, SQUARES_BY_SIZE[size])
    found = standing_facts(scene, edition, kind, ids, is_open, options=options, weapon=weapon, size=size)
    parts: Iterable[tuple[PairFacts, Judgement]]
    if found is not None:
        table, facts = found
        parts = [(facts, judge(table, facts, Question(kind)))]
    else:
        squares = np.argwhere(is_open)[:, ::-1]
        some = [squares[start : start + _AT_ONCE] for start in range(0, max(len(squares), 1), _AT_ONCE)]
        asked = partial(judged_standing, scene, edition, kind, ids, options=options, weapon=weapon, size=size)
        parts = map(asked, some)
    told = [
        ({"distance": facts.distance * frame["feet_per_square"], **judged.columns}, judged.words) for facts, judged in parts
    ]
    columns, words = [part for part, _ in told], told[0][1]
    shape = (len(ids), *is_open.shape)
    joined = {name: np.concatenate([part[name] for part in columns], axis=1) for name in columns[0]}
    return Field(ids, is_open, {name: _spread(one, is_open, shape) for name, one in joined.items()}, words, frame)


def _standing_room(scene: Scene, n: int) -> Bools:
    """Return ``(rows, cols)`` bool: where the top left one of ``n`` by ``n`` squares lets all of them be on the map and not solid."""
    is_free = (scene.battle_map.terrain & Stops.EFFECT) == 0
    fits: Bools = np.zeros(is_free.shape, np.bool_)
    if n <= min(is_free.shape):
        windows = np.lib.stride_tricks.sliding_window_view(is_free, (n, n))
        fits[: windows.shape[0], : windows.shape[1]] = windows.all(axis=(2, 3))
    return fits


def _spread(column: Column, is_open: Bools, shape: tuple[int, ...]) -> Column:
    """Return a column ``(A, open squares)`` as ``(A, rows, cols)``, zero elsewhere."""
    found = np.zeros(shape, column.dtype)
    found[:, is_open] = column
    return found


@dataclass(frozen=True, slots=True, eq=False)
class SquarePairs:
    """Every square of a map against every square, as far as walls matter: two Medium creatures alone on it.

    ``pairs[(x, y), (u, v)]`` is the :class:`gridlos.verdict.Verdict` of an attacker in the first square against a target in
    the second, with its proof.

    Attributes
    ----------
    scene
        The map, without creatures.
    given
        Arguments of :func:`gridlos.evaluate`.
    along
        Whether lines that run along a wall over some length are told among those that walls block.
    """

    scene: Scene
    given: Mapping[str, Any]
    along: bool
    _obstacles: Obstacles
    _table: LineTable | None
    _sweep: Sweep | None
    _swept: SweptLines | None

    @property
    def reach(self) -> int | None:
        """How far apart along an axis squares may be whose lines are kept; None: all are, -1: none."""
        if self._swept is not None:
            return None
        return -1 if self._table is None else self._table.reach

    def __getitem__(self, pair: tuple[tuple[int, int], tuple[int, int]]) -> Verdict:
        """Return the verdict of a square against another."""
        ids = ("attacker", "target")
        both = [Creature(id=name, at=at) for name, at in zip(ids, pair, strict=True)]
        return evaluate(self.scene.with_creatures(both), **self.given)[ids]

    def field_from(self, x: int, y: int) -> Field:
        """Return the field of an attacker in a square."""
        return field(self.scene.with_creatures([Creature(id="attacker", at=(x, y))]), **self.given)

    def blocked_lines(self, squares: Indices) -> Lines:
        """Return ``(n,)`` uint16: which of the 16 lines plain walls block; bit ``4 i + j`` is from corner ``i`` to corner ``j``.

        ``squares (n, 4)`` are ``x, y`` of the attacker's and the target's square.

        Raises
        ------
        QuestionError
            For what is no square of the map.
        """
        numbers = self._numbers(squares)
        served = self._served(numbers)
        found = np.empty(len(numbers), np.uint16)
        if self._table is not None and served.any():
            found[served] = self._table.blocked_lines(numbers[served])
        rest = np.ascontiguousarray(numbers[~served])
        lines = blocked_lines(self._obstacles, rest) if self._swept is None else self._swept.blocked_lines(rest)
        if self.along:
            lines = line.lines_along(*self._obstacles.lines, rest, lines, self._obstacles.size)
        found[~served] = lines
        return found

    def least_blocked(self, squares: Indices) -> Masks:
        """Return ``(n,)`` uint8: the least number of lines that plain walls block from any corner of the attacker's square, 0 … 4.

        Corners that a free wall cuts off from their square are taken like the others: all their lines are blocked.
        """
        numbers = self._numbers(squares)
        if self._table is not None and self._served(numbers).all():
            return self._table.least_blocked(numbers)
        return least_of(self.blocked_lines(squares))

    def least_blocked_from(self, x: int, y: int, *, back: bool = False) -> Masks:
        """Return this number for one square against every square, ``(rows, cols)`` uint8, or (``back``) of every square against it."""
        rows, cols = self.scene.battle_map.rows, self.scene.battle_map.cols
        if not self.scene.battle_map.has_square(x, y):
            raise QuestionError(f"({x}, {y}) is no square of the map; it has {cols} columns, {rows} rows")
        if self._table is not None and self._table.reach is None:
            return self._table.least_from(y * cols + x, back=back)
        if self.along:
            v, u = np.divmod(np.arange(rows * cols), cols)
            squares = np.stack((np.full_like(u, x), np.full_like(v, y), u, v), axis=1)
            return least_of(self.blocked_lines(squares), back=back).reshape(rows, cols)
        if self._sweep is None:
            return OneToAll.of(self._obstacles.arms).least_blocked(y * cols + x, back=back)
        return least_of(self._sweep.blocked_lines(y * cols + x), back=back).reshape(rows, cols)

    def _numbers(self, squares: Indices) -> Indices:
        rows, cols = self.scene.battle_map.rows, self.scene.battle_map.cols
        asked: Indices = np.asarray(squares)
        if asked.ndim != 2 or asked.shape[1] != 4 or asked.dtype.kind not in "iu":
            raise QuestionError(f"pairs of squares are whole numbers (n, 4), not {asked.dtype} {asked.shape}")
        asked = asked.astype(np.int64)
        is_off = ((asked < 0) | (asked >= (cols, rows, cols, rows))).any(axis=1)
        if is_off.any():
            x, y, u, v = asked[is_off][0].tolist()
            raise QuestionError(f"({x}, {y}) or ({u}, {v}) is no square of the map; it has {cols} columns, {rows} rows")
        return np.stack((asked[:, 1] * cols + asked[:, 0], asked[:, 3] * cols + asked[:, 2]), axis=1)

    def _served(self, numbers: Indices) -> Bools:
        return np.zeros(len(numbers), np.bool_) if self._table is None else self._table.serves(numbers)


def all_pairs(
    scene: Scene,
    *,
    edition: str | Path | Edition,
    attack: Attack | str = Attack.RANGED,
    options: Mapping[str, str] | None = None,
    memory: int = MEMORY_BOUND,
    along: bool = False,
) -> SquarePairs:
    """Return every square of a scene's map against every square, its creatures left out.

    All lines are found at once. If they take more bytes than ``memory``, those of squares far apart (on a map with walls
    off the grid: all of them) are found when they are asked for. With ``along``, lines that run along a wall over some length
    are told among those that walls block, as the option ``edge_contact`` of some editions has it.

    Examples
    --------
    >>> pairs = all_pairs(Scene.from_drawing('''
    ... ....
    ... .##.
    ... ....
    ... '''), edition="pathfinder1")
    >>> pairs[(0, 0), (3, 1)].cover, pairs.least_blocked(np.array([[0, 0, 3, 1], [0, 0, 3, 2]])).tolist()
    ('cover', [2, 4])
    """
    alone = dataclasses.replace(scene, creatures=(), overrides=())
    given: dict[str, Any] = {"edition": edition, "attack": attack, "options": options}
    evaluate(alone, **given)
    obstacles = obstacles_of(scene.battle_map, Channel.EFFECT)
    frozen = MappingProxyType(given)
    if len(obstacles.walls):
        swept = SweptLines.of(obstacles, memory=memory)
        return SquarePairs(alone, frozen, along, obstacles, None, Sweep.of(obstacles), swept)
    table = LineTable.of(obstacles.arms, memory=memory, along=along)
    return SquarePairs(alone, frozen, along, obstacles, table, None, None)

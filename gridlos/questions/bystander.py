"""Some creatures against one more, for every square on which it could stand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gridlos import grid
from gridlos.creature import SQUARES_BY_SIZE, Creature, SizeWord
from gridlos.facts import Attack, Bools, Channel, Ints, Masks, PairFacts, Relation
from gridlos.kernels import line
from gridlos.questions.asked import Asked, asks_for, bodies_by, edition_in_use, measures_of
from gridlos.questions.choices import nibbles_of
from gridlos.questions.concealment import concealing_lines
from gridlos.questions.creatures import Bodies, soft_lines
from gridlos.questions.effect import has_lines_of_effect
from gridlos.questions.facts import Measures
from gridlos.questions.hiding import ALL_BLOCKED
from gridlos.questions.keeping import once
from gridlos.questions.obstacles import Obstacles, obstacles_of
from gridlos.questions.pairs import reaches_adjacent
from gridlos.questions.plain import sight_between
from gridlos.questions.specials import BODIES, bodies_in_thousandths, floors_of, floors_under, specials_among
from gridlos.questions.sweep import Sweep
from gridlos.questions.table import OneToAll
from gridlos.questions.traits import crowded, traits_of
from gridlos.rules import Edition, Judgement, Question, is_sight_mutual, judge
from gridlos.scene import Scene

__all__ = ["judged_standing", "standing_facts"]

Indices = NDArray[np.int64]
Lines = NDArray[np.uint16]


def standing_facts(
    scene: Scene,
    edition: str | Path | Edition,
    attack: Attack,
    attackers: Sequence[str],
    is_open: Bools,
    *,
    options: Mapping[str, str] | None,
    weapon: str | None,
    size: SizeWord,
) -> tuple[Edition, PairFacts] | None:
    """Return the edition and the facts ``(A, T)``, T open squares in reading order.

    ``is_open`` says where the top left square of a creature of that size can be.

    None where more has to be known of the one who stands there than its squares: for melee, light, walls and floors of all
    heights, hidden areas, lines between centres, and where it matters how it sees the attackers.
    """
    table, _ = edition_in_use(edition, scene.options, options or {})
    battle_map, measures = scene.battle_map, measures_of(table, attack)
    if attack is not Attack.RANGED or measures.hidden_area or measures.centre or scene.light != "bright" or not attackers:
        return None
    y, x = np.nonzero(is_open)
    if not len(x) or np.ptp(battle_map.elevation) > 0:
        return None
    asked = _Asked.of(scene, table, measures, np.column_stack((x, y)), size)
    if specials_among(battle_map, bodies_in_thousandths(asked.crowd)) is not None:
        return None
    facts = asked.facts(attackers, weapon)
    return None if table.asks_who_sees_the_attacker and not is_sight_mutual(facts) else (table, facts)


def judged_standing(
    scene: Scene,
    edition: str | Path | Edition,
    attack: Attack,
    attackers: Sequence[str],
    squares: Indices,
    *,
    options: Mapping[str, str] | None,
    weapon: str | None,
    size: SizeWord,
) -> tuple[PairFacts, Judgement]:
    """Return the facts, and what the edition makes of them, whatever has to be known of the one who stands there.

    ``squares (T, 2)`` are those of its top left square. All that :func:`gridlos.evaluate` asks of a pair is asked here.
    """
    table, _ = edition_in_use(edition, scene.options, options or {})
    many = _Asked.of(scene, table, measures_of(table, attack), squares, size)
    asked = many.everybody(attack, weapon)
    rows = np.array([scene.ids.index(name) for name in attackers], np.int64)
    columns = np.arange(len(scene.ids), len(asked.scene.creatures))
    facts = asked.facts(rows, columns)
    back = asked.facts(columns, rows) if asked.needs_back(facts, rows, columns) else None
    is_adjacent = reaches_adjacent(asked.scene)
    question = Question(attack, is_adjacent[rows], targets_use_ranged_when_adjacent=is_adjacent[columns])
    return facts, judge(table, facts, question, back=back)


def _strangers(scene: Scene, squares: Indices, size: SizeWord) -> list[Creature]:
    """Return creatures of a size in these squares that do nothing to anybody else."""
    name = "stranger"
    while any(one.startswith(name) for one in scene.ids):
        name += "'"
    return [
        Creature(id=f"{name} {k}", at=(x, y), size=size, gives_cover=False, reach=0, armed=False)
        for k, (x, y) in enumerate(squares.tolist())
    ]


@dataclass(frozen=True, slots=True, eq=False)
class _Asked:
    """A scene, and where the top left square of one more creature could be.

    ``squares (T, 2)`` int32 are these; ``crowd`` is the scene with a stranger on a floor of each height behind the others,
    ``which (T,)`` says who of these is like the one on each square.
    """

    scene: Scene
    crowd: Scene
    edition: Edition
    measures: Measures
    squares: Ints
    which: Indices

    @classmethod
    def of(cls, scene: Scene, edition: Edition, measures: Measures, squares: Indices, size: SizeWord) -> _Asked:
        """Return a creature of that size on each of some squares."""
        spaces = np.full((len(squares), 4), SQUARES_BY_SIZE[size], np.int32)
        spaces[:, :2] = squares
        _, first, which = np.unique(floors_under(scene.battle_map, spaces), return_index=True, return_inverse=True)
        crowd = scene.with_creatures([*scene.creatures, *_strangers(scene, squares[first], size)])
        return cls(scene, crowd, edition, measures, squares.astype(np.int32), len(scene.ids) + which)

    @property
    def everyone(self) -> Indices:
        """Who of the crowd is like each creature of the scene, and each stranger behind them."""
        return np.concatenate((np.arange(len(self.scene.ids)), self.which))

    def everybody(self, attack: Attack, weapon: str | None) -> Asked:
        """Return a scene with a stranger on every square at once, as the edition sees it."""
        battle_map, who, (bodies, _) = self.scene.battle_map, self.everyone, self._bodies()
        creatures = [self.crowd.creatures[k] for k in who.tolist()]
        scene = self.scene.with_known(tuple(creatures), bodies.spaces.copy())
        heights = bodies_in_thousandths(self.crowd)[who]
        heights[:, :4] = bodies.spaces
        once(scene.kept, BODIES, lambda: heights)
        walls = obstacles_of(battle_map, Channel.EFFECT), specials_among(battle_map, heights)
        traits = traits_of(self.crowd.creatures, floors_of(self.crowd), weapon).of(who)
        return Asked(scene, self.edition, attack, walls, bodies, traits, self.measures)

    def facts(self, attackers: Sequence[str], weapon: str | None) -> PairFacts:
        """Return the facts of some attackers."""
        battle_map, measures = self.scene.battle_map, self.measures
        bodies, own = self._bodies()
        n, n_squares = len(self.scene.creatures), len(self.squares)
        rows = np.array([self.scene.ids.index(name) for name in attackers], np.int64)
        columns = np.arange(n, n + n_squares)
        obstacles = obstacles_of(battle_map, Channel.EFFECT)
        choices = self._choices(rows)
        blocked = self._blocked(obstacles, rows, choices)
        pairs = np.column_stack((np.repeat(rows, n_squares), np.tile(columns, len(rows))))
        effect = has_lines_of_effect(obstacles, bodies.spaces, pairs, choices, blocked)
        sight = sight_between(battle_map, bodies.spaces, pairs, effect)
        shape = len(rows), n_squares
        levels = bodies.levels_of(rows, columns)
        standing = bodies.standing[rows], bodies.standing[columns]
        places = choices[1]
        usable = obstacles.uncut
        traits = traits_of(self.crowd.creatures, floors_of(self.crowd), weapon)
        any_free = np.logical_or.reduceat(blocked != ALL_BLOCKED, choices[0][:-1])
        square = np.stack((places % battle_map.cols, places // battle_map.cols), axis=2).astype(np.int32)
        more = self._more(obstacles, bodies, pairs, choices, blocked, usable)
        return PairFacts(
            distinct=np.ones(shape, np.bool_),
            distance=grid.distance(*standing, measures.diagonals, levels=levels),
            adjacent=grid.adjacent(*standing, levels=levels),
            line_of_effect=effect.reshape(shape),
            line_of_sight=sight.reshape(shape),
            any_free=any_free.reshape(shape),
            choice_start=choices[0],
            attacker_square=square[:, 0],
            target_square=square[:, 1],
            hard=nibbles_of(blocked),
            usable=usable[places[:, 0]],
            counted=usable[places[:, 1]],
            attackers=traits.of(rows),
            targets=traits.of(self.which),
            **self._reach(bodies, own, rows, columns, effect.reshape(shape)),
            **more,
        )

    def _bodies(self) -> tuple[Bodies, Bodies]:
        """Return the creatures of the scene and behind them the stranger on every square, and the former alone."""
        creatures, feet = self.crowd.creatures, self.scene.battle_map.feet_per_square
        n, floors, who = len(self.scene.ids), floors_of(self.crowd), self.everyone
        found = bodies_by(self.edition, creatures, feet, floors)
        own = bodies_by(self.edition, creatures[:n], feet, floors[:n])
        spaces = found.spaces[who]
        spaces[n:, :2] = self.squares
        standing = found.standing[who]
        standing[n:, :2] = self.squares
        everybody = Bodies(
            spaces=spaces,
            centres=2 * spaces[:, :2].astype(np.int64) + spaces[:, 2:],
            standing=standing,
            levels=None if found.levels is None else found.levels[who],
            sides=found.sides[who],
            reach=found.reach[who],
            reach_min=found.reach_min[who],
            is_armed=found.is_armed[who],
            is_able=found.is_able[who],
            can_be_flanked=found.can_be_flanked[who],
            gives_cover=np.ascontiguousarray(found.gives_cover[:, who]),
            group=found.group[who],
            sharers=_sharers(own.sharers, spaces[:n], spaces[n:]),
        )
        return everybody, own

    def _choices(self, rows: Indices) -> tuple[Indices, Indices]:
        """Return starts and squares of the choices, pair by pair, as the facts have them."""
        spaces, targets = self.scene.spaces, self._target_squares()
        parts, counts = [], []
        for row in rows.tolist():
            x, y = grid.squares_of(spaces[row]).astype(np.int64).T
            own = y * self.scene.battle_map.cols + x
            shape = len(targets), len(own), targets.shape[1]
            both = np.broadcast_to(own[:, None], shape), np.broadcast_to(targets[:, None, :], shape)
            parts.append(np.stack(both, axis=3).reshape(-1, 2))
            counts.append(np.full(len(targets), shape[1] * shape[2]))
        starts = np.concatenate(([0], np.cumsum(np.concatenate(counts)))).astype(np.int64)
        return starts, np.concatenate(parts)

    def _target_squares(self) -> Indices:
        """Return ``(T, squares of a space)``: the numbers of the squares of the stranger, wherever it stands."""
        cols, (width, height) = self.scene.battle_map.cols, self.crowd.spaces[-1, 2:].tolist()
        first = self.squares[:, 1].astype(np.int64) * cols + self.squares[:, 0]
        offsets = np.arange(height)[:, None] * cols + np.arange(width)
        found: Indices = first[:, None] + offsets.ravel()
        return found

    def _blocked(self, obstacles: Obstacles, rows: Indices, choices: tuple[Indices, Indices]) -> Lines:
        """Return the blocked lines of the choices: from each square of an attacker to all squares at once."""
        everywhere = Sweep.of(obstacles) if len(obstacles.walls) else OneToAll.of(obstacles.arms)
        targets = self._target_squares()
        found = np.empty(len(choices[1]), np.uint16)
        start = 0
        for space in self.scene.spaces[rows]:
            own = grid.squares_of(space).tolist()
            stop = start + len(own) * targets.size
            part = found[start:stop].reshape(len(targets), len(own), targets.shape[1])
            for k, (x, y) in enumerate(own):
                part[:, k] = everywhere.blocked_lines(y * self.scene.battle_map.cols + x)[targets]
            start = stop
        return found

    def _more(
        self,
        obstacles: Obstacles,
        bodies: Bodies,
        pairs: Indices,
        choices: tuple[Indices, Indices],
        blocked: Lines,
        usable: Masks,
    ) -> dict[str, Any]:
        """Return the facts that not every scene and edition has."""
        battle_map, found = self.scene.battle_map, dict[str, Any]()
        soft = soft_lines(bodies, pairs, *choices, (battle_map.rows, battle_map.cols))
        if soft is not None:
            found["soft"] = nibbles_of(soft[0])
        concealing = concealing_lines(battle_map, bodies.spaces, pairs, *choices, counted=usable)
        if concealing is not None:
            for name in ("concealed", "concealed_at_border", "fog_depth"):
                found[name] = np.ascontiguousarray(getattr(concealing, name)[:, 0])
            squares = self._target_squares()
            found["target_concealed"] = battle_map.concealment.ravel()[squares].min(axis=1)
            found["target_in_fog"] = (battle_map.fog.ravel()[squares] != 0).all(axis=1)
        if self.measures.lines_along:
            found["along"] = nibbles_of(line.lines_along(*obstacles.lines, choices[1], blocked, obstacles.size))
        return found

    def _reach(self, bodies: Bodies, own: Bodies, rows: Indices, columns: Indices, effect: Bools) -> dict[str, Any]:
        """Return sides, reach and what depends on who fights whom; ``own`` are the creatures of the scene."""
        measures, reach = self.measures, own.reach[rows]
        reaches = effect & grid.are_in_reach(
            bodies.standing[rows],
            bodies.standing[columns],
            reach,
            own.reach_min[rows] if measures.dead_zone else np.zeros_like(reach),
            measures.diagonals,
            second_diagonal=measures.second_diagonal,
            levels=bodies.levels_of(rows, columns),
        )
        threatening = own.is_able & (own.is_armed | measures.unarmed_threatens)
        found: dict[str, Any] = {
            "relation": np.full(effect.shape, Relation.NEUTRAL, np.uint8),
            "in_reach": reaches,
            "threatens": reaches & threatening[rows][:, None],
        }
        if asks_for(self.edition, Attack.RANGED, "engaged"):  # nobody fights a stranger
            found["engaged"] = np.full(effect.shape, -1, np.int8)
        if asks_for(self.edition, Attack.RANGED, "crowded"):
            found["crowded"] = crowded(own, rows)
        return found


def _sharers(own: Ints, spaces: Ints, strangers: Ints) -> Ints:
    """Return the sharers of the creatures and of strangers in the given spaces, who share with those that stand there.

    Whom a stranger shares a square with needs no word about that: strangers never give cover.
    """
    n = len(spaces)
    x, y, width, height = spaces.T[:, :, None]
    columns, rows, wide, high = strangers.T
    is_there = (x < columns + wide) & (columns < x + width) & (y < rows + high) & (rows < y + height)
    both = np.concatenate((is_there, np.ones((1, len(strangers)), np.bool_))).T
    square, who = np.nonzero(both)
    mine = np.where(who == n, n + square, who)
    starts = (
        n + len(strangers) + 1 + np.concatenate((own[: n + 1] - (n + 1), len(own) - (n + 1) + both.sum(axis=1).cumsum()))
    )
    return np.concatenate((starts, own[n + 1 :], mine)).astype(np.int32)

"""A board: a scene that changes step by step, and the answers on all of its pairs, of which only some are asked anew.

What a change can touch
-----------------------
The answer on attacker ``a`` and target ``t`` depends on the rest of the scene in these ways only; so all pairs are asked
again for which one of them can have changed. Whatever holds of a creature that carries riders holds of these as well:
they fight from its space.

1. *The pair itself.* All pairs of the creature that has changed, and of those that ride with it, both ways.
2. *Creatures on the lines.* The lines that are counted run from corner to corner, or from centre to centre, of squares
   of the two spaces, so in the convex hull of both. A creature blocks one only where it meets the inside of that hull, or
   (two creatures that share a side close a line along it) touches a side of the hull that such a line runs along: one
   along a row or a column. One that shares squares with the two has its squares in the hull, too. So: the pairs whose
   hull meets the squares where the creature stood or stands, unless neither its squares nor whom it gives cover have
   changed. Where the lines run from corner to corner, it is kept which of them creatures block; these pairs are asked
   that first, and left out if it is the same lines as before: nothing else on these has changed.
3. *Partners.* Who flanks a target depends on who threatens it. Another pair's threat does not change with this creature;
   the creature itself threatens only what is within its reach. So: the pairs of those targets that it reaches, before or
   after, at any distance rule (diagonal steps counted as one), with those who threaten them. It is kept who reaches whom.
4. *Melees.* Whether friends of the attacker fight the target, and whether an enemy stands beside the attacker, depends
   on the creatures that stand adjacent. So: where the edition asks for it, this is kept, and found anew for the creature
   and those who stand beside it, before or after, as targets and as attackers; the pairs are asked for which it differs.
5. *Light.* Creatures stop no light; they carry it. So: the pairs of all whom a light that it carries reaches, before or
   after, seen with low-light eyes, walls left out.
6. *Walls.* Lines of effect and sight, and what of a line or a square walls hide, run in the hull of the two spaces, and
   what a wall parts from its square's centre lies in that square. So for a door: the pairs whose hull meets it, border
   included, and the pairs whose target it parts from a partner. Where lights burn in the dark all pairs: light comes from
   anywhere.
7. *Floors.* The sides of a raised floor matter to those who stand below it. If the lowest feet of the scene come to
   another side of some floor, or a scene begins or ceases to have anything that hides in part, all pairs are asked.
8. *How the target sees the attacker.* Where the edition asks for it: with every pair the one the other way round.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from gridlos.creature import Creature
from gridlos.errors import SceneError
from gridlos.facts import Attack, Bools, Channel
from gridlos.questions.asked import Asked, edition_in_use
from gridlos.questions.board_answers import Answers, ChangedPairs
from gridlos.questions.board_touched import Asks, Changed, Place, group_of, touched_by_creature, touched_by_wall
from gridlos.questions.keeping import once
from gridlos.questions.obstacles import obstacles_of
from gridlos.questions.pairs import evaluate, reaches_adjacent
from gridlos.questions.recall import Memory
from gridlos.questions.specials import floors_under, specials_of
from gridlos.questions.traits import unknown_conditions
from gridlos.rules import Edition
from gridlos.scene import Scene
from gridlos.verdict import Evaluation, Verdict
from gridlos.walls import KINDS, WallState

__all__ = ["Board"]

Indices = NDArray[np.int64]

_NOTHING: Mapping[str, str] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class _Verdicts:
    """The verdicts of a scene's pairs: all pairs are asked afresh when the first one is wanted."""

    scene: Scene
    question: Mapping[str, Any]
    _kept: dict[str, Evaluation] = field(default_factory=dict, init=False, repr=False)

    def __call__(self, i: int, j: int) -> Verdict:
        """Return the verdict of attacker ``i`` against target ``j``."""
        return once(self._kept, "whole", lambda: evaluate(self.scene, **self.question)).verdict_of(i, j)


class Board:
    """A scene that changes, and the answers on all of its pairs.

    Every change returns the pairs whose answers it has changed, a :class:`ChangedPairs`. After any changes, ``evaluation``
    is what ``gridlos.evaluate(board.scene, …)`` gives. A change that is refused leaves the board as it was. Not to be
    changed from several threads at once.

    Parameters
    ----------
    scene
        The scene to begin with; it stays as it is.
    edition, attack, options, weapon, observer
        As for :func:`gridlos.evaluate`; ``"area"`` is none of a board.

    Raises
    ------
    EditionError, QuestionError
        As from :func:`gridlos.evaluate`.

    Examples
    --------
    >>> board = Board(Scene.from_drawing('''
    ... .....
    ... A.#.T
    ... B....
    ... '''), edition="pathfinder1")
    >>> changed = board.move("T", (4, 0))
    >>> ("A", "T") in changed, ("A", "B") in changed, board.evaluation["A", "T"].cover
    (True, False, 'none')
    """

    def __init__(
        self,
        scene: Scene,
        *,
        edition: str | Path | Edition,
        attack: Attack | str = Attack.RANGED,
        options: Mapping[str, str] = _NOTHING,
        weapon: str | None = None,
        observer: str | None = None,
    ) -> None:
        seen = scene if observer is None else scene.seen_by(observer)
        found = evaluate(seen, edition=edition, options=options, attack=attack, weapon=weapon)
        table, unused = edition_in_use(edition, scene.options, options)
        self._edition, self._attack, self._weapon, self._observer = table, Attack(attack), weapon, observer
        self._scene, self._seen, self._unused = scene, seen, unused
        self._asked = Asked.of(self._seen, table, self._attack, weapon)
        self._asks = Asks.of(self._asked)
        self._reaches, self._mounts = reaches_adjacent(self._seen), _mounts(self._seen)
        self._words, self._frame = found.words, found.frame
        self._answers = Answers.of(found.columns)
        self._memory = Memory(self._asked, self._answers.kind)
        self._evaluation: Evaluation | None = None

    @property
    def scene(self) -> Scene:
        """The scene as it is now."""
        return self._scene

    @property
    def evaluation(self) -> Evaluation:
        """The answers on all pairs as they are now; later changes leave it as it is."""
        if self._evaluation is None:
            seen = self._seen
            warnings = *seen.warnings, *self._unused, *unknown_conditions(self._edition, seen.creatures)
            self._evaluation = Evaluation(
                attackers=seen.ids,
                targets=seen.ids,
                columns=self._answers.columns,
                words=self._words,
                frame={**self._frame, "warnings": warnings},
                distinct=~np.eye(len(seen.ids), dtype=np.bool_),
                verdict_of=_Verdicts(seen, {"edition": self._edition, "attack": self._attack, "weapon": self._weapon}),
            )
        return self._evaluation

    def move(self, creature_id: str, at: tuple[float, float]) -> ChangedPairs:
        """Move a creature to a place, and return the pairs whose answer has changed.

        Raises
        ------
        SceneError
            For an id that no creature has, a place off the map or in a solid square.
        """
        x, y = at
        return self._replace(msgspec.structs.replace(self._scene.creature(creature_id), at=(x, y)))

    def set_condition(self, creature_id: str, word: str, *, on: bool = True) -> ChangedPairs:
        """Give a creature a condition or (``on`` False) take it, and return the pairs whose answer has changed.

        Raises
        ------
        SceneError
            For an id that no creature has.
        QuestionError
            For a condition that no edition knows.
        """
        creature = self._scene.creature(creature_id)
        others = tuple(one for one in creature.conditions if one != word)
        if on and word in creature.conditions:
            others = creature.conditions
        elif on:
            others = (*others, word)
        return self._replace(msgspec.structs.replace(creature, conditions=others))

    def set_light(self, creature_id: str, *, on: bool) -> ChangedPairs:
        """Kindle or put out the light that a creature carries, and return the pairs whose answer has changed.

        Raises
        ------
        SceneError
            For an id that no creature has, and for a creature without a light.
        """
        creature = self._scene.creature(creature_id)
        if creature.light is None:
            raise SceneError(f"creature {creature_id!r} carries no light", "", "give it one, and add it anew")
        return self._replace(msgspec.structs.replace(creature, light=msgspec.structs.replace(creature.light, on=on)))

    def add(self, creature: Creature) -> ChangedPairs:
        """Add a creature after all others, and return the pairs whose answer has changed: its own among them.

        Raises
        ------
        SceneError
            As for a scene with it.
        QuestionError
            For a condition that no edition knows.
        """
        scene = self._scene.with_creatures((*self._scene.creatures, creature))
        seen = self._seen_of(scene)
        unknown_conditions(self._edition, seen.creatures)
        if creature.id not in seen.ids:
            return self._take(scene, seen, self._asked_of(seen), self._answers, _none(len(seen.ids)))
        asked, who = self._asked_of(seen), len(seen.ids) - 1
        group = np.array([who], np.int64)
        changed = Changed(self._asked, (Place.of(asked, who, group, np.arange(who + 1)),), group)
        answers = self._answers.with_one_more(who)
        touched = self._touched_by(asked, changed, answers)
        own = np.zeros(touched.shape, np.bool_)
        own[who] = own[:, who] = True
        return self._take(scene, seen, asked, answers, touched, own)

    def remove(self, creature_id: str) -> ChangedPairs:
        """Remove a creature, and return the pairs of those who are left whose answer has changed.

        Raises
        ------
        SceneError
            For an id that no creature has; where another creature rides it, or a word of the game master's is about it.
        """
        place = self._scene.index(creature_id)
        creatures = self._scene.creatures
        scene = self._scene.with_creatures((*creatures[:place], *creatures[place + 1 :]))
        if creature_id not in self._seen.ids:
            seen = self._seen_of(scene)
            return self._take(scene, seen, self._asked_of(seen), self._answers, _none(len(seen.ids)))
        who = self._seen.index(creature_id)
        rest = np.delete(np.arange(len(self._seen.ids)), who)
        before = Place.of(self._asked, who, np.array([who], np.int64), rest)
        seen = self._seen_of(scene)
        asked = self._asked_of(seen)
        answers = self._answers.only(rest)
        changed = Changed(self._asked, (before,), np.zeros(0, np.int64), who)
        return self._take(scene, seen, asked, answers, self._touched_by(asked, changed, answers))

    def open_door(self, door: str | int, state: WallState = "open") -> ChangedPairs:
        """Set a door to ``open``, ``closed`` or ``locked``, and return the pairs whose answer has changed.

        ``door`` is the wall's id, or its place among the walls of the map.

        Raises
        ------
        SceneError
            For a wall that is not there or no door; for an unknown state.
        """
        battle_map = self._scene.battle_map
        if isinstance(door, str):
            changed = battle_map.with_wall_state(door, state)
            index = next(k for k, wall in enumerate(battle_map.walls) if wall.id == door)
        else:
            index, walls = door, battle_map.walls
            if not 0 <= index < len(walls):
                raise SceneError(f"the map has no wall {index}", "", f"it has {len(walls)}, the first one is 0")
            if not KINDS[walls[index].kind].is_door:
                raise SceneError(f"{battle_map.wall_name(index)} is a {walls[index].kind}", "", "only doors have a state")
            new = msgspec.structs.replace(walls[index], state=state)
            changed = battle_map.with_walls((*walls[:index], new, *walls[index + 1 :]))
        scene = self._scene.with_map(changed)
        seen = self._seen_of(scene)
        # Who stands where, and what lines creatures block, is as it was; who reaches whom is not, and others may have these bodies.
        bodies = self._asked.bodies.apart(self._asked.measures.reach_key)
        asked = replace(self._asked, scene=seen, bodies=bodies, walls=(obstacles_of(changed, Channel.EFFECT), specials_of(seen)))
        segment, threatens = battle_map.segments[index], self._threatens(self._answers)
        touched = self._or_all(asked, touched_by_wall(asked, self._asks, segment, threatens))
        return self._take(scene, seen, asked, self._answers, touched)

    def close_door(self, door: str | int) -> ChangedPairs:
        """Close a door, and return the pairs whose answer has changed; as :meth:`open_door` with ``closed``."""
        return self.open_door(door, "closed")

    def _seen_of(self, scene: Scene) -> Scene:
        return scene if self._observer is None else scene.seen_by(self._observer)

    def _asked_of(self, seen: Scene) -> Asked:
        return Asked.of(seen, self._edition, self._attack, self._weapon)

    def _replace(self, creature: Creature) -> ChangedPairs:
        """Put a creature in the place of the one of its id."""
        old, scene = self._scene.creature(creature.id), self._scene.with_creature(creature)
        seen = scene if self._observer is None else self._seen_of(scene)
        if creature.id not in seen.ids:
            return self._take(scene, seen, replace(self._asked, scene=seen), self._answers, _none(len(seen.ids)))
        if creature.conditions != old.conditions:
            unknown_conditions(self._edition, seen.creatures)
        who = seen.index(creature.id)
        asked = self._moved(seen, who) if creature.conditions == old.conditions else None
        asked = self._asked_of(seen) if asked is None else asked
        group = group_of(self._mounts, seen.ids, who)
        everybody = np.arange(len(seen.ids))
        places = tuple(Place.of(one, who, group, everybody) for one in (self._asked, asked))
        touched = self._touched_by(asked, Changed(self._asked, places, group), self._answers)
        return self._take(scene, seen, asked, self._answers, touched)

    def _moved(self, seen: Scene, who: int) -> Asked | None:
        """Return the scene as the edition sees it, made of what it was before; None where more than a place has changed."""
        old, asked = self._asked.scene, self._asked
        floors = [floors_under(seen.battle_map, one.spaces[who : who + 1]) for one in (old, seen)]
        if floors[0] != floors[1] or any(self._mounts):
            return None
        spaces = seen.spaces.copy()
        bodies = asked.bodies.with_place(who, spaces)
        obstacles, specials = asked.walls
        if specials is not None:
            among = specials.bodies.copy()
            among[who, :4] = spaces[who]
            specials = replace(specials, bodies=among)
        return Asked(seen, asked.edition, asked.attack, (obstacles, specials), bodies, asked.traits, asked.measures)

    def _threatens(self, answers: Answers) -> Bools | None:
        return answers.column("threatens") if self._asks.partners else None

    def _touched_by(self, asked: Asked, changed: Changed, answers: Answers) -> Bools:
        return self._or_all(asked, touched_by_creature(asked, self._asks, changed, self._threatens(answers)))

    def _or_all(self, asked: Asked, touched: Bools) -> Bools:
        """Return all pairs if more or less of the map stops or hides in part than before; else those that are touched."""
        before, after = (0 if one.walls[1] is None else len(one.walls[1].walls) for one in (self._asked, asked))
        return touched if before == after else np.ones_like(touched)

    def _take(
        self, scene: Scene, seen: Scene, asked: Asked, answers: Answers, touched: Bools, new: Bools | None = None
    ) -> ChangedPairs:
        """Ask the touched pairs anew, take over all, and return what has changed; ``new`` pairs have in any case."""
        reaches, mounts = self._reaches, self._mounts
        if seen.ids is not self._seen.ids:
            reaches, mounts = reaches_adjacent(seen), _mounts(seen)
        touched.reshape(-1)[:: len(touched) + 1] = False
        flat, told = self._memory.answers(asked, reaches, touched)
        # Nothing can fail from here on.
        places, columns = answers.patched(flat, told, None if new is None else new.ravel()[flat])
        self._scene, self._seen, self._asked, self._answers = scene, seen, asked, answers
        self._reaches, self._mounts, self._evaluation = reaches, mounts, None
        return ChangedPairs(*np.divmod(places, max(len(seen.ids), 1)), seen.ids, columns)


def _none(n: int) -> Bools:
    return np.zeros((n, n), np.bool_)


def _mounts(scene: Scene) -> list[str | None]:
    return [one.mount for one in scene.creatures]

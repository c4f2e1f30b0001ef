"""The question about all pairs: who can attack whom, through what cover, with what numbers?"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gridlos.errors import QuestionError
from gridlos.facts import Attack, Channel, Contact, Ints, PairFacts, Traits
from gridlos.questions.centre_proof import centre_line, point_of
from gridlos.questions.concealment import concealing_squares
from gridlos.questions.creatures import Bodies, blocking_creatures, bodies_of
from gridlos.questions.facts import Measures, pair_facts
from gridlos.questions.obstacles import Obstacles, obstacles_of
from gridlos.questions.origin import ORIGIN, at_point, from_point, with_origin
from gridlos.questions.proof import corner_of, proof_lines
from gridlos.questions.special_proof import past_specials
from gridlos.questions.specials import Specials, floors_under, specials_of
from gridlos.questions.traits import able_creatures, crowded, engaged, traits_of, unknown_conditions
from gridlos.records import Override as SceneOverride
from gridlos.rules import (
    Edition,
    Judgement,
    Override,
    Question,
    is_sight_mutual,
    judge,
    load_edition,
    modifiers_of,
    notes_of,
    own_options,
)
from gridlos.scene import Scene
from gridlos.verdict import Evaluation, Modifier, Proof, ProofLine, Verdict
from gridlos.version import __version__
from gridlos.words import hint_for

__all__ = ["edition_in_use", "evaluate", "measures_of"]

Rows = NDArray[np.int64]

CREATURE = "creature "
"""How the name of a creature begins in a proof."""

LARGE_SIZES = frozenset({"large", "huge", "gargantuan", "colossal"})


def evaluate(
    scene: Scene,
    *,
    edition: str | Path | Edition,
    attack: Attack | str = Attack.RANGED,
    attackers: Sequence[str] | None = None,
    targets: Sequence[str] | None = None,
    options: Mapping[str, str] | None = None,
    overrides: Iterable[SceneOverride] = (),
    weapon: str | None = None,
    observer: str | None = None,
    origin: tuple[float, float] | None = None,
    spread: bool = False,
) -> Evaluation:
    """Return the answers for every attacker-target pair of a scene, by the rules of an edition.

    Parameters
    ----------
    scene
        The map and its creatures.
    edition
        An edition's id (``"pathfinder1"``), the path of a house-rule table, or a loaded edition.
    attack
        ``"ranged"``, ``"melee"`` or ``"area"``: an effect on an area, against which one saves.
    attackers, targets
        Ids of the creatures asked about, in the order of the rows and columns; None: all, in the scene's order.
    options
        Values of the edition's options; they win over the scene's own. An option of the scene that only other editions
        have is left out with a warning.
    overrides
        The game master's words, after the scene's own; the last one on a pair wins.
    weapon
        The weapon of all attackers; None: that of each.
    observer
        A side: creatures that are hidden from it are left out, as attackers, targets and all else; None: nobody is.
    origin, spread
        For ``"area"``: the point ``(x, y)`` from which the effect comes, the only attacker; whether it spreads round
        corners.

    Returns
    -------
    Evaluation
        Columns of shape ``(attackers, targets)``; ``evaluation["archer", "ogre"]`` is one pair's verdict with its
        proof.

    Raises
    ------
    EditionError
        For an edition's table with problems.
    QuestionError
        For an unknown edition, option, attack, creature, degree or condition; for a point that is none of the map.

    Examples
    --------
    >>> scene = Scene.from_drawing('''
    ... .....
    ... A.#.T
    ... .....
    ... ....B
    ... ''')
    >>> result = evaluate(scene, edition="dnd5e", attackers=["A"])
    >>> [result.degrees[code] for code in result.cover[0].tolist()][1:]
    ['total', 'none']
    >>> result["A", "T"].proof.lines[1]
    ProofLine(to=(5, 1), contact=<Contact.TOUCHES: 1>, by=('edge of the map', 'square (2, 1)'), counted=True, through=())
    """
    kind = _attack(attack)
    scene = scene if observer is None else scene.seen_by(observer)
    table, unused = edition_in_use(edition, scene.options, options or {})
    unused = (*unused, *unknown_conditions(table, scene.creatures))
    rows, columns = (_indices(scene, ids, role) for ids, role in ((attackers, "attacker"), (targets, "target")))
    words = _overrides(scene, (*scene.overrides, *overrides), rows, columns)
    if kind is Attack.AREA:
        scene, rows = _from_origin(scene, origin, attackers)
    elif origin is not None:
        raise QuestionError(f'an origin goes with attack="area", not with {str(kind)!r}')
    asked = _Asked.of(scene, table, kind, weapon)
    if origin is not None:
        asked = replace(asked, bodies=at_point(asked.bodies, rows, origin))
    facts = asked.facts(rows, columns)
    back = asked.facts(columns, rows) if asked.needs_back(facts, rows, columns) else None
    names = tuple(scene.ids[k] for k in rows.tolist())
    if kind is Attack.AREA and origin is not None:
        facts, names = from_point(facts, origin), (ORIGIN,)
    creatures = [scene.creatures[k] for k in rows.tolist()]
    reaches_adjacent = np.array([c.size in LARGE_SIZES and not c.reach_min for c in creatures], np.bool_)
    question = Question(kind, None if kind is Attack.AREA else reaches_adjacent, words, is_spread=spread)
    judgement = judge(table, facts, question, back=back)
    frame = _frame(scene, judgement, unused)
    answers = {"distance": facts.distance * frame["feet_per_square"], **judgement.columns}
    return Evaluation(
        attackers=names,
        targets=tuple(scene.ids[k] for k in columns.tolist()),
        columns=answers,
        words=judgement.words,
        frame=frame,
        distinct=facts.distinct,
        verdict_of=_Explainer(asked, facts, judgement, (rows, columns), names, answers),
    )


def _from_origin(scene: Scene, origin: tuple[float, float] | None, attackers: Sequence[str] | None) -> tuple[Scene, Rows]:
    """Return the scene in which the point of an effect stands, and where it does among the creatures."""
    if origin is None:
        raise QuestionError('attack="area" needs an origin: the point (x, y) from which the effect comes')
    if attackers is not None:
        raise QuestionError('attack="area" comes from its origin; leave out the attackers')
    return with_origin(scene, origin)


@dataclass(frozen=True, slots=True)
class _Asked:
    """A scene as an edition sees it: what its walls, creatures and measures are."""

    scene: Scene
    edition: Edition
    attack: Attack
    walls: tuple[Obstacles, Specials | None]
    bodies: Bodies
    traits: Traits
    measures: Measures

    @classmethod
    def of(cls, scene: Scene, edition: Edition, attack: Attack, weapon: str | None) -> _Asked:
        battle_map, creatures = scene.battle_map, scene.creatures
        floors = floors_under(battle_map, scene.spaces)
        able, soft = able_creatures(edition, creatures), edition.table.soft_cover
        only_enemies = soft is not None and soft.creatures == "enemies"
        return cls(
            scene=scene,
            edition=edition,
            attack=attack,
            walls=(obstacles_of(battle_map, Channel.EFFECT), specials_of(scene)),
            bodies=bodies_of(creatures, battle_map.feet_per_square, floors, able, only_enemies=only_enemies),
            traits=traits_of(creatures, floors, weapon),
            measures=measures_of(edition, attack),
        )

    def facts(self, attackers: Rows, targets: Rows) -> PairFacts:
        """Return the facts of some creatures against others."""
        facts = pair_facts(self.scene, self.walls, self.bodies, attackers, targets, self.measures)
        keys = [one for one in self.edition.table.circumstances.values() if one.attack in (None, self.attack)]
        more: dict[str, Any] = {}
        if any(one.engaged is not None for one in keys):
            more["engaged"] = engaged(self.bodies, self.traits.size, attackers, targets)
        if any(one.crowded is not None for one in keys):
            more["crowded"] = crowded(self.bodies, attackers)
        return replace(facts, attackers=self.traits.of(attackers), targets=self.traits.of(targets), **more)

    def needs_back(self, facts: PairFacts, attackers: Rows, targets: Rows) -> bool:
        """Return whether the edition asks how the targets see the attackers, and these facts do not tell."""
        asks = self.edition.asks_who_sees_the_attacker and self.attack is not Attack.AREA
        return asks and not np.array_equal(attackers, targets) and not is_sight_mutual(facts)


def _frame(scene: Scene, judgement: Judgement, unused: tuple[str, ...]) -> dict[str, Any]:
    """Return what holds for all pairs; ``unused`` are warnings beyond the scene's own."""
    edition, feet = judgement.edition, scene.battle_map.feet_per_square
    defaults = {name: option.default for name, option in edition.table.options.items()}
    return {
        "engine": f"gridlos {__version__}",
        "edition": edition.id,
        "attack": str(judgement.question.attack),
        "options": dict(edition.options),
        "changed_options": {name: value for name, value in edition.options.items() if value != defaults[name]},
        "scene": scene.name,
        "feet_per_square": int(feet) if feet == int(feet) else feet,
        "save": str(edition.table.save),
        "warnings": (*scene.warnings, *unused),
    }


def edition_in_use(
    edition: str | Path | Edition, of_scene: Mapping[str, str], asked: Mapping[str, str]
) -> tuple[Edition, tuple[str, ...]]:
    """Return the edition with the options in use, and a warning for each of the scene's that only other editions have."""
    if isinstance(edition, Edition):
        return edition, ()
    kept, warnings = own_options(edition, of_scene)
    return load_edition(edition, options={**kept, **asked}), warnings


def measures_of(edition: Edition, attack: Attack) -> Measures:
    """Return what the edition's table says of distances, reach and flanking."""
    table = edition.table
    flanking = table.flanking
    return Measures(
        diagonals=table.diagonals,
        second_diagonal=table.reach.second_diagonal,
        dead_zone=table.reach.dead_zone,
        unarmed_threatens=table.reach.unarmed_threatens,
        flanking=attack is Attack.MELEE,
        partner=flanking.partner,
        anchor=flanking.anchor,
        corners=flanking.corners,
        requires_adjacent=flanking.requires_adjacent,
        lines_along=table.edge_contact != "clear",
        least_hidden=int(edition.least_hidden),
        low_obstacles=edition.low_obstacles,
        hidden_area=table.by_area is not None,
        low_light_doubles=table.senses.low_light == "doubles",
        darkvision_unlimited=table.senses.darkvision_range == "unlimited",
        centre=table.centre is not None,
    )


def _attack(word: Attack | str) -> Attack:
    try:
        return Attack(word)
    except ValueError:
        raise QuestionError(f"unknown attack {word!r}; {hint_for(str(word), [str(one) for one in Attack])}") from None


def _indices(scene: Scene, ids: Sequence[str] | None, role: str) -> NDArray[np.int64]:
    if ids is None:
        return np.arange(len(scene.ids))
    unknown = [name for name in ids if name not in scene.ids]
    if unknown:
        raise QuestionError(f"{role} {unknown[0]!r}: no creature has that id; {hint_for(unknown[0], scene.ids)}")
    if len(set(ids)) < len(ids):
        raise QuestionError(f"{role}s: a creature is named twice; name each once")
    return np.array([scene.ids.index(name) for name in ids], np.int64)


def _overrides(
    scene: Scene, words: Iterable[SceneOverride], rows: NDArray[np.int64], columns: NDArray[np.int64]
) -> tuple[Override, ...]:
    """Return the game master's words by row and column; those on creatures that are not asked about are left out."""
    row_of = {scene.ids[k]: place for place, k in enumerate(rows.tolist())}
    column_of = {scene.ids[k]: place for place, k in enumerate(columns.tolist())}
    found = []
    for word in words:
        for name in (word.target, word.attacker):
            if name is not None and name not in scene.ids:
                raise QuestionError(f"override: no creature has the id {name!r}; {hint_for(name, scene.ids)}")
        if word.target in column_of and (word.attacker is None or word.attacker in row_of):
            attacker = None if word.attacker is None else row_of[word.attacker]
            found.append(
                Override(column_of[word.target], attacker, word.degree, word.veto, word.force, word.note or "")
            )
    return tuple(found)


@dataclass(frozen=True, slots=True)
class _Explainer:
    """Makes the verdict of one pair from what was found for all of them."""

    asked: _Asked
    facts: PairFacts
    judgement: Judgement
    indices: tuple[Rows, Rows]
    names: tuple[str, ...]
    answers: Mapping[str, NDArray[Any]]

    def __call__(self, i: int, j: int) -> Verdict:
        judgement = self.judgement
        values: dict[str, Any] = {name: column[i, j].item() for name, column in self.answers.items()}
        values |= {name: words[values[name]] for name, words in judgement.words.items() if name in values}
        values["save"] = str(judgement.edition.table.save)
        proof = self._proof(i, j)
        table = judgement.edition.table
        cover_rules = {name for degree in table.degree.values() for name in degree.rules}
        soft = "soft" if table.centre is None else table.centre.creature
        soft_rules = frozenset(table.degree[soft].rules) if soft in table.degrees else frozenset()
        return Verdict(
            attacker=self.names[i],
            target=self.asked.scene.ids[self.indices[1][j]],
            edition=judgement.edition.id,
            attack=str(judgement.question.attack),
            values=values,
            modifiers=tuple(_named(one, proof, cover_rules, soft_rules) for one in modifiers_of(judgement, i, j)),
            notes=notes_of(judgement, i, j),
            proof=proof,
        )

    def _proof(self, i: int, j: int) -> Proof:
        if self.asked.measures.centre:
            return self._centre_proof(i, j)
        attacker, corner, target = self._chosen(self.judgement.choice[i, j], self.judgement.corner[i, j])
        obstacles, specials = self.asked.walls
        battle_map = self.asked.scene.battle_map
        pair = self._pair(i, j, attacker)
        lines = proof_lines(battle_map, obstacles, attacker, corner, target)
        if specials is not None and self.facts.hidden is not None:
            choice = self.judgement.choice[i, j]
            squares = (attacker[1] * battle_map.cols + attacker[0], target[1] * battle_map.cols + target[0])
            hidden, counted = self.facts.hidden[choice, corner], int(self.facts.counted[choice])
            edition = self.judgement.edition
            worded = {
                word: int(nibbles[choice, corner])
                for word, nibbles in self.facts.tagged or ()
                if edition.degree_code(word) > 0
            }
            terms = self.asked.measures.terms
            lines = past_specials(battle_map, specials, lines, pair, squares, corner, hidden, worded, counted, terms)
        if self.facts.soft is not None and self.judgement.soft[i, j]:
            blocked = int(self.facts.soft[self.judgement.choice[i, j], corner])
            start = corner_of(attacker, corner)
            lines = tuple(
                replace(
                    line,
                    contact=Contact.BLOCKED,
                    by=(*self._walls_in_the_way(line), *self._creatures(pair, start, line)),
                )
                if blocked >> c & 1
                else line
                for c, line in enumerate(lines)
            )
        return Proof(attacker, corner_of(attacker, corner), target, lines, self._concealing(i, j))

    def _pair(self, i: int, j: int, square: tuple[int, int]) -> tuple[int, int]:
        """Return the two creatures; of the squares in which a point stands the one that was chosen."""
        rows = self.indices[0].tolist()
        standing = [row for row in rows if tuple(self.asked.scene.spaces[row, :2].tolist()) == square]
        return (standing[0] if self.judgement.question.attack is Attack.AREA else rows[i]), int(self.indices[1][j])

    def _centre_proof(self, i: int, j: int) -> Proof:
        facts, edition = self.facts, self.judgement.edition
        attacker, _, target = self._chosen(self.judgement.choice[i, j], self.judgement.corner[i, j])
        pair = self._pair(i, j, attacker)
        start = point_of(self.asked.bodies.centres[pair[0]].tolist())
        hidden = 0 if facts.centre_hidden is None else int(facts.centre_hidden[i, j])
        words = [word for word, met in facts.centre_tagged or () if met[i, j] and edition.degree_code(word) > 0]
        asked = self.asked
        line = centre_line(asked.scene, asked.walls, asked.bodies, pair, hidden, words, asked.measures.terms)
        if self.judgement.soft[i, j]:
            by = (*self._walls_in_the_way(line), *self._creatures(pair, start, line))
            line = replace(line, contact=Contact.BLOCKED, by=by)
        return Proof(attacker, start, target, (line,), self._concealing(i, j), is_centre=True)

    def _chosen(self, choice: np.int64, corner: np.uint8) -> tuple[tuple[int, int], int, tuple[int, int]]:
        attacker, target = (_square(of[choice]) for of in (self.facts.attacker_square, self.facts.target_square))
        return attacker, int(corner), target

    @staticmethod
    def _walls_in_the_way(line: ProofLine) -> tuple[str, ...]:
        return line.by if line.contact is Contact.BLOCKED else ()

    def _creatures(self, pair: tuple[int, int], start: tuple[float, float], line: ProofLine) -> tuple[str, ...]:
        blocking = blocking_creatures(self.asked.bodies, *pair, start, line.to)
        return tuple(f"{CREATURE}{self.asked.scene.ids[k]}" for k in blocking)

    def _concealing(self, i: int, j: int) -> tuple[str, ...]:
        """Return what conceals the target on the lines from the corner that the attacker chose for it."""
        judgement, battle_map = self.judgement, self.asked.scene.battle_map
        if self.facts.concealed is None or not judgement.concealment[i, j] or not self.facts.line_of_sight[i, j]:
            return ()
        attacker, corner, target = self._chosen(judgement.concealment_choice[i, j], judgement.concealment_corner[i, j])
        start = corner_of(attacker, corner)
        found = {xy for c in range(4) for xy in concealing_squares(battle_map, start, corner_of(target, c))}
        return tuple(f"{battle_map.kind_of(x, y).kind} in square ({x}, {y})" for x, y in sorted(found - {attacker}))


def _square(xy: Ints) -> tuple[int, int]:
    x, y = xy.tolist()
    return x, y


def _named(modifier: Modifier, proof: Proof, cover_rules: AbstractSet[str], soft_rules: AbstractSet[str]) -> Modifier:
    """Return the modifier with the names of what gives the cover or conceals: creatures for rules of soft cover."""
    names: list[str] = []
    if modifier.type == "cover" or modifier.rule in cover_rules:
        lines = [line for line in proof.lines if line.counted]
        blocking = [name for line in lines if line.contact is Contact.BLOCKED for name in line.by]
        names = list(dict.fromkeys([*blocking, *(name for line in lines for name in line.through)]))
        if soft_rules:
            is_soft = modifier.rule in soft_rules
            names = [name for name in names if name.startswith(CREATURE) is is_soft] or names
    elif modifier.type == "concealment":
        names = list(proof.concealed_by)
    named = ", ".join(names)
    return replace(modifier, text=f"{modifier.text}: {named}") if named else modifier

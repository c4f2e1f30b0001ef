"""The question about all pairs: who can attack whom, through what cover, with what numbers?"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gridlos.errors import QuestionError
from gridlos.facts import Attack, Bools
from gridlos.questions.asked import Asked, edition_in_use
from gridlos.questions.explainer import Explainer
from gridlos.questions.keeping import kept
from gridlos.questions.origin import ORIGIN, at_point, from_point, with_origin
from gridlos.questions.traits import unknown_conditions
from gridlos.records import Override as SceneOverride
from gridlos.rules import Edition, Judgement, Override, Question, judge
from gridlos.scene import Scene
from gridlos.verdict import Evaluation
from gridlos.version import __version__
from gridlos.words import hint_for

__all__ = ["evaluate"]

Rows = NDArray[np.int64]

_LARGE_SIZES = frozenset({"large", "huge", "gargantuan", "colossal"})


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
    elif spread:
        raise QuestionError(f'spread goes with attack="area", not with {str(kind)!r}')
    asked = Asked.of(scene, table, kind, weapon)
    if origin is not None:
        asked = replace(asked, bodies=at_point(asked.bodies, rows, origin))
    facts = asked.facts(rows, columns)
    back = asked.facts(columns, rows) if asked.needs_back(facts, rows, columns) else None
    names = tuple(scene.ids[k] for k in rows.tolist())
    if kind is Attack.AREA and origin is not None:
        facts, names = from_point(facts, origin), (ORIGIN,)
    both = (None, None) if kind is Attack.AREA else (reaches_adjacent(scene)[rows], reaches_adjacent(scene)[columns])
    question = Question(kind, both[0], words, is_spread=spread, targets_use_ranged_when_adjacent=both[1])
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
        verdict_of=Explainer(asked, facts, judgement, (rows, columns), names, answers),
    )


def reaches_adjacent(scene: Scene) -> Bools:
    """Return which creatures of a scene are Large or larger and reach what is adjacent, ``(n,)``."""

    def found() -> Bools:
        return np.array([one.size in _LARGE_SIZES and not one.reach_min for one in scene.creatures], np.bool_)

    return kept(scene, "reaches adjacent", found)


def _from_origin(scene: Scene, origin: tuple[float, float] | None, attackers: Sequence[str] | None) -> tuple[Scene, Rows]:
    """Return the scene in which the point of an effect stands, and where it does among the creatures."""
    if origin is None:
        raise QuestionError('attack="area" needs an origin: the point (x, y) from which the effect comes')
    if attackers is not None:
        raise QuestionError('attack="area" comes from its origin; leave out the attackers')
    return with_origin(scene, origin)


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
    words = tuple(words)
    if not words:
        return ()
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

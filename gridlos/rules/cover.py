"""Cover: the corner that each attacker takes, what walls and creatures block from there, and the degrees they give."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from gridlos.errors import QuestionError
from gridlos.facts import Attack, Bools, Masks, PairFacts
from gridlos.rules.corners import (
    ALL_BLOCKED,
    N_CLASSES,
    Choosing,
    Chosen,
    Indices,
    Keys,
    by_choice,
    choices_of,
    class_of,
    class_parts,
    keys_of,
    ranks_of,
    worst_keys,
)
from gridlos.rules.grades import Classes, grades_by_area, grades_of, is_graded, limits_of, partly_hidden
from gridlos.rules.kinds import DegreeByLines, Statistic
from gridlos.rules.model import Edition
from gridlos.rules.plain import LineTables, chosen_plainly, packed_lines
from gridlos.rules.procedures import Centre
from gridlos.rules.stacking import modifier_sum
from gridlos.rules.ties import taken, tie_costs, tied_costs
from gridlos.verdict import Modifier

__all__ = ["FORBIDDEN", "Cover", "choosing_of", "cover_of", "line_tables", "modifiers_by"]

FORBIDDEN = 10_000
"""The penalty of a degree that forbids the attack: more than modifiers can add up to."""

_NOWHERE = np.zeros(0, np.int64)

_CORRIDORS = np.array([[[3, 3, 12, 12]], [[5, 10, 5, 10]]], np.uint8)
"""For squares in one row and in one column: the lines of each attacker corner that run along both walls between."""


@dataclass(frozen=True, slots=True, eq=False)
class Cover:
    """What was found for every pair, ``(A, T)`` each but for ``chosen``.

    Attributes
    ----------
    chosen
        The choice and corner from which the lines run.
    hard, soft
        uint8 codes: the degree by walls and their words, or for want of line of effect, and the degree by creatures.
    by_creatures
        Whether a creature blocks a line from the corner, where that counts.
    lines
        uint8: lines that walls, in part or wholly, or creatures block.
    all_corners
        Whether all corners of the attacker's square count.
    """

    chosen: Chosen
    hard: Masks
    soft: Masks
    by_creatures: Bools
    lines: Masks
    all_corners: Bools


@dataclass(frozen=True, slots=True, eq=False)
class _Scale:
    """What each class of four lines means in an edition, ``(125,)`` each, or ``(125 d,)`` for graded classes.

    Attributes
    ----------
    by_lines
        ``(5,)`` uint8: the degree for 0 … 4 lines that walls block.
    ranks
        What the class costs the attacker.
    hard, soft
        uint8: the degrees by walls and by creatures.
    by_creatures, together
        bool: whether creatures block a line. uint8: the lines that walls or creatures block.
    all_blocked
        The class of a corner whose lines walls block all.
    tables
        The same by the lines themselves; only for classes that are not graded.
    moved
        The scale for attackers so many steps of size larger, where their size changes degrees.
    """

    by_lines: Masks
    ranks: Keys
    hard: Masks
    soft: Masks
    by_creatures: Bools
    together: Masks
    all_blocked: int
    tables: LineTables
    moved: Callable[[int], _Scale]


def cover_of(
    edition: Edition, facts: PairFacts, attack: Attack, effect: Bools, ranged_when_adjacent: Bools | None
) -> Cover:
    """Return the cover of every pair; ``effect (A, T)`` is where there is line of effect.

    ``ranged_when_adjacent``: as in :class:`gridlos.rules.judge.Question`.
    """
    table = edition.table
    if table.centre is not None:
        return _on_centre_line(edition, facts, effect, table.centre)
    shape, do_all_count = facts.shape, table.adjacent_melee.corners == "all"
    all_corners, adjacent_pairs = np.zeros(shape, np.bool_), _NOWHERE
    if attack is Attack.MELEE:
        adjacent_melee = _adjacent_melee(edition, facts, ranged_when_adjacent)
        all_corners = adjacent_melee if do_all_count else all_corners
        adjacent_pairs = np.flatnonzero(adjacent_melee)
    adjacent_rows = choices_of(facts, adjacent_pairs) if len(adjacent_pairs) else None
    worst_pairs, worst_rows = (adjacent_pairs, adjacent_rows) if do_all_count else (_NOWHERE, None)
    choosing = choosing_of(edition, facts, attack)
    if facts.tagged is not None and not (attack is Attack.RANGED and table.target_squares == "all"):
        blind = _blind_corners(edition, facts)
        if worst_rows is not None:
            blind[worst_rows] = 0
        choosing = choosing.without(blind)
    soft = _soft_lines(edition, facts, attack, adjacent_rows)
    graded = is_graded(edition, facts)
    best, worst = _scales(edition, attack, graded=graded)
    steps, ties = _steps_of_size(edition, facts), tie_costs(edition, facts, attack)
    if graded or steps is not None or ties is not None:
        chosen, found = _chosen_by_classes(edition, facts, choosing, soft, (best, worst), (steps, ties), worst_rows)
        is_cut_off = choosing.usable.take(chosen.index) == 0
        found[is_cut_off] = np.where(all_corners.ravel()[is_cut_off], worst.all_blocked, best.all_blocked)
        hard = _hard_degrees(found, (best, worst), None if steps is None else steps.ravel(), worst_pairs)
    else:
        along = _lines_along(edition, facts)
        packed = packed_lines(facts.hard if along is None else facts.hard | along, soft)
        counted = facts.counted if table.cut_corners == "ignore" else np.full_like(facts.counted, 15)
        chosen, found = chosen_plainly(choosing, packed, counted, (best.tables, worst.tables), worst_rows)
        hard = _hard_degrees(found, (best, worst), None, worst_pairs)
    hard = hard.reshape(shape)
    np.copyto(hard, _without_line_of_effect(edition), where=~effect)
    places = found.astype(np.intp).reshape(shape)
    return Cover(
        chosen=chosen,
        hard=hard,
        soft=best.soft.take(places),
        by_creatures=best.by_creatures.take(places),
        lines=best.together.take(places),
        all_corners=all_corners,
    )


@lru_cache(maxsize=128)
def _without_line_of_effect(edition: Edition) -> np.uint8:
    """Return the code of the degree that a target has without line of effect."""
    return np.uint8(edition.table.degrees.index(edition.table.without_line_of_effect))


def _adjacent_melee(edition: Edition, facts: PairFacts, ranged_when_adjacent: Bools | None) -> Bools:
    """Return the pairs for which cover is found as for adjacent melee, ``(A, T)``."""
    if edition.table.adjacent_melee.large_creatures == "ranged" and ranged_when_adjacent is not None:
        return facts.adjacent & ~ranged_when_adjacent[:, None]
    return facts.adjacent


def _hard_degrees(
    found: Masks | Classes, scales: tuple[_Scale, _Scale], steps: NDArray[np.int16] | None, worst_pairs: Indices
) -> Masks:
    """Return the degrees by walls for the classes found, ``(P,)``; ``worst_pairs`` are those where all corners count."""
    if steps is not None:
        degree = np.empty_like(found, np.uint8)
        for value in np.unique(steps).tolist():
            pairs = np.flatnonzero(steps == value)
            moved = scales[0].moved(value), scales[1].moved(value)
            degree[pairs] = _hard_degrees(found[pairs], moved, None, np.flatnonzero(np.isin(pairs, worst_pairs)))
        return degree
    best, worst = scales
    degree = best.hard.take(found)
    if len(worst_pairs):
        degree[worst_pairs] = worst.hard.take(found[worst_pairs])
    return degree


def _chosen_by_classes(
    edition: Edition,
    facts: PairFacts,
    choosing: Choosing,
    soft: Masks | None,
    scales: tuple[_Scale, _Scale],
    more: tuple[NDArray[np.int16] | None, Indices | None],
    worst_rows: Indices | None,
) -> tuple[Chosen, Masks | Classes]:
    """Return what is chosen for every pair and the class of its lines, graded or not, ``(P,)``.

    ``more``: steps of size, and what corners of equal cover cost besides.
    """
    steps, ties = more
    classes, worst_classes = _classes(edition, facts, soft, scales)
    is_worst = np.zeros(len(classes), np.bool_)
    if worst_rows is not None:
        is_worst[worst_rows] = True
        if worst_classes is not classes:
            classes[worst_rows] = worst_classes[worst_rows]
    keys = np.empty_like(classes, np.uint16)
    costs_with_ties = None if ties is None else np.empty_like(ties)
    rows_by_steps: list[tuple[int, Indices | slice]] = [(0, slice(None))]
    if steps is not None:
        of_choices = by_choice(steps, facts)
        rows_by_steps = [(value, np.flatnonzero(of_choices == value)) for value in np.unique(steps).tolist()]
    for value, rows in rows_by_steps:
        costs = scales[0].moved(value).ranks, scales[1].moved(value).ranks
        if ties is not None and costs_with_ties is not None:
            costs_with_ties[rows] = tied_costs(classes[rows], choosing.usable[rows], costs, is_worst[rows], ties[rows])
        else:
            keys[rows] = _keys(classes[rows], choosing.usable[rows], costs, is_worst[rows])
    chosen = choosing.chosen(keys) if costs_with_ties is None else taken(choosing, costs_with_ties)
    return chosen, classes[chosen.index, chosen.corner]


def _steps_of_size(edition: Edition, facts: PairFacts) -> NDArray[np.int16] | None:
    """Return by how many steps of size attackers are larger than what the edition measures them by; None: no matter."""
    shift, attackers, targets = edition.table.size_shift, facts.attackers, facts.targets
    if shift is None or not shift.degrees or attackers is None or targets is None:
        return None
    measure = np.zeros_like(targets.size) if shift.relative_to == "medium" else targets.size
    return attackers.size[:, None] - facts.by_target(measure)


def _keys(classes: Masks | Classes, usable: Masks, costs: tuple[Keys, Keys], is_worst: Bools) -> Keys:
    """Return the keys of corners, ``(C, 4)``; ``costs`` of classes from the best corner, and where all corners count."""
    best, worst = costs
    keys = keys_of(best.take(classes), usable)
    if is_worst.any():
        keys[is_worst] = worst_keys(classes[is_worst], usable[is_worst], worst)
    return keys


def _on_centre_line(edition: Edition, facts: PairFacts, effect: Bools, centre: Centre) -> Cover:
    """Return the cover that is found on the line between the centres; it starts from no corner, so that of a pair's first choice stands."""
    if facts.centre_hidden is None or facts.centre_soft is None:
        raise QuestionError("centre: these facts do not tell what lies on the line between the centres")
    table = edition.table
    blocked = edition.degrees.index(table.blocked_lines[1])
    by_hidden = np.array([min(blocked, limit) if code >= edition.least_hidden else 0 for code, limit in limits_of(edition)])
    hard = by_hidden.astype(np.uint8).take(facts.centre_hidden)
    for word, is_met in facts.centre_tagged or ():
        np.maximum(hard, np.uint8(edition.degree_code(word)), out=hard, where=is_met)
    hard[~effect] = _without_line_of_effect(edition)
    soft = _codes(edition, ("none", centre.creature, centre.larger_creature)).take(facts.centre_soft)
    n_pairs = len(facts.choice_start) - 1
    return Cover(
        chosen=Chosen(facts.choice_start[:-1], np.zeros(n_pairs, np.uint8)),
        hard=hard,
        soft=soft,
        by_creatures=soft > 0,
        lines=((facts.centre_hidden >= edition.least_hidden) | (soft > 0)).astype(np.uint8),
        all_corners=np.zeros(facts.shape, np.bool_),
    )


def _blind_corners(edition: Edition, facts: PairFacts) -> Masks:
    """Return the nibble of attacker corners from which walls hide all on every counted line, ``(C,)``.

    Where a line of a pair crosses something whose word gives cover, nobody looks from there to escape it; of other pairs
    none.
    """
    counted = facts.counted if edition.table.cut_corners == "ignore" else np.full_like(facts.counted, 15)
    crossed = np.zeros(len(counted), np.bool_)
    for word, lines in facts.tagged or ():
        if edition.degree_code(word):
            crossed |= (lines & counted[:, None]).any(axis=1)
    blind = (facts.hard & counted[:, None]) == counted[:, None]
    blind &= by_choice(np.logical_or.reduceat(crossed, facts.choice_start[:-1]), facts)[:, None]
    return np.asarray((blind << np.arange(4)).sum(axis=1), np.uint8)


def choosing_of(edition: Edition, facts: PairFacts, attack: Attack) -> Choosing:
    """Return what the attackers choose among."""
    table, is_ranged = edition.table, attack is Attack.RANGED
    return Choosing.of(
        facts,
        cut_corners="ignore" if attack is Attack.AREA else table.cut_corners,  # a point is one corner of its squares
        outer_corners=is_ranged and table.attacker_corners == "outer",
        all_squares=is_ranged and table.target_squares == "all",
    )


def modifiers_by(edition: Edition, degrees: Iterable[str], attack: Attack) -> list[Modifier]:
    """Return the modifiers that degrees of cover bring in such an attack."""
    table = edition.table
    names = dict.fromkeys(name for degree in degrees for name in table.degree[degree].rules)
    return [
        Modifier(statistic.value, rule.value(statistic, attack), rule.type, name, rule.text)
        for name, rule in ((name, table.rules[name]) for name in names)
        for statistic in rule.modifiers
    ]


def _classes(
    edition: Edition, facts: PairFacts, soft: Masks | None, scales: tuple[_Scale, _Scale]
) -> tuple[Masks | Classes, Masks | Classes]:
    """Return the classes of the lines from every corner, ``(C, 4)``, as each of the two scales has them."""
    cut_corners, counted, along = edition.table.cut_corners, facts.counted[:, None], _lines_along(edition, facts)
    if not is_graded(edition, facts):
        hard = facts.hard if along is None else facts.hard | along
        classes = class_of(cut_corners, counted, hard, soft)
        return classes, classes
    grades = grades_of(edition, facts, along)
    classes = class_of(cut_corners, counted, grades.blocked, soft)
    best, worst = scales
    if edition.table.by_area is not None:
        by_area = grades_by_area(edition, facts, along)
        return by_area.classes(classes, best.by_lines), grades.classes(classes, worst.by_lines)
    return grades.classes(classes, best.by_lines), grades.classes(classes, worst.by_lines)


def _lines_along(edition: Edition, facts: PairFacts) -> Masks | None:
    """Return the lines that count as blocked because they run along walls, ``(C, 4)``; None: no line."""
    table = edition.table
    if table.edge_contact == "clear":
        return None
    if facts.along is None:
        raise QuestionError("edge_contact: these facts do not tell which lines run along walls")
    if table.corridors == "count":
        return facts.along
    apart = facts.attacker_square != facts.target_square
    is_open = ~partly_hidden(edition, facts).any(axis=1)
    is_corridor = np.zeros(len(apart), np.bool_)
    for axis, lines in enumerate(_CORRIDORS):
        along_both = ((facts.along & lines) == lines).all(axis=1)
        is_corridor |= is_open & apart[:, axis] & ~apart[:, 1 - axis] & along_both
    return np.where(is_corridor[:, None], np.uint8(0), facts.along)


def _soft_lines(edition: Edition, facts: PairFacts, attack: Attack, adjacent_rows: Indices | None) -> Masks | None:
    """Return the lines that count as blocked by creatures, ``(C, 4)``; None: no line."""
    table, soft = edition.table, facts.soft
    if soft is None or table.soft_cover is None:
        return None
    if attack is not Attack.MELEE:
        return soft if attack is Attack.RANGED or table.soft_cover.area == "applies" else None
    in_reach = table.soft_cover.reach == "applies"
    adjacent = table.adjacent_melee.creatures == "count"
    if in_reach == adjacent:
        return soft if adjacent else None
    lines = soft.copy() if in_reach else np.zeros_like(soft)
    if adjacent_rows is not None:
        lines[adjacent_rows] = 0 if in_reach else soft[adjacent_rows]
    return lines


@lru_cache(maxsize=512)
def _scales(edition: Edition, attack: Attack, *, graded: bool) -> tuple[_Scale, _Scale]:
    """Return the meaning of the classes from the best corner, and where all corners count."""
    table = edition.table
    best = table.blocked_lines
    worst = table.adjacent_melee.blocked_lines or best
    return _scale(edition, attack, best, graded=graded), _scale(edition, attack, worst, graded=graded)


def line_tables(edition: Edition, attack: Attack) -> tuple[LineTables, LineTables]:
    """Return the tables of blocked lines for the best corner, and where all corners count."""
    best, worst = _scales(edition, attack, graded=False)
    return best.tables, worst.tables


@lru_cache(maxsize=512)
def _scale(edition: Edition, attack: Attack, words: DegreeByLines, *, graded: bool, steps: int = 0) -> _Scale:
    """Return the meaning of the classes where walls that block 0 … 4 lines give these degrees, changed by size."""
    table, n = edition.table, len(edition.degrees) if graded else 1
    walls, creatures, together = (np.tile(part, n) for part in class_parts())
    by_lines = _codes(edition, words)
    degrees = np.arange(n, dtype=np.uint8).repeat(N_CLASSES) if graded else by_lines.take(walls)
    hard = _moved_by(edition, steps).take(degrees)
    soft = np.zeros_like(hard)
    if table.soft_cover is not None:
        soft = np.where(creatures > 0, _codes(edition, table.soft_cover.blocked_lines).take(together), soft)
    pairs = list(zip(hard.tolist(), soft.tolist(), strict=True))
    penalties = {pair: _penalty(edition, [table.degrees[code] for code in pair], attack) for pair in set(pairs)}
    ranks = ranks_of(np.array([penalties[pair] for pair in pairs], np.int64))
    return _Scale(
        by_lines=by_lines,
        ranks=ranks,
        hard=hard,
        soft=soft,
        by_creatures=creatures > 0,
        together=together,
        all_blocked=ALL_BLOCKED + N_CLASSES * int(by_lines[4]) * graded,
        tables=LineTables.of(ranks, table.cut_corners),
        moved=lambda steps: _scale(edition, attack, words, graded=graded, steps=steps),
    )


def _moved_by(edition: Edition, steps: int) -> Masks:
    """Return for each degree by walls what it is to an attacker so many steps of size larger."""
    codes = np.arange(len(edition.degrees), dtype=np.uint8)
    shift = edition.table.size_shift
    if shift is not None and shift.degrees:
        scale = _codes(edition, shift.degrees)
        codes[scale] = scale.take(np.clip(np.arange(len(scale)) - steps, 0, len(scale) - 1))
        codes[0] = 0
    return codes


def _codes(edition: Edition, words: Iterable[str]) -> Masks:
    return np.array([edition.degrees.index(word) for word in words], np.uint8)


def _penalty(edition: Edition, degrees: list[str], attack: Attack) -> int:
    """Return what degrees cost the attacker together: what they add to the defense and take from the attack.

    From an effect on an area one saves: there it is what they add to the save besides.
    """
    if any(edition.table.degree[degree].forbids_attack for degree in degrees):
        return FORBIDDEN
    given, stacking = modifiers_by(edition, degrees, attack), edition.table.stacking
    cost = modifier_sum(given, Statistic.DEFENSE, stacking) - modifier_sum(given, Statistic.ATTACK, stacking)
    return cost + modifier_sum(given, Statistic.SAVE, stacking) if attack is Attack.AREA else cost

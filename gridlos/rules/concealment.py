"""Concealment: what the squares between attacker and target hide, and what line of sight says, for all pairs at once."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from gridlos.facts import Attack, Bools, Concealment, Masks, PairFacts
from gridlos.rules.circumstances import NOBODY, concealed_at_least, seen_light
from gridlos.rules.corners import Chosen, ordered_keys
from gridlos.rules.cover import Cover, choosing_of, cover_of
from gridlos.rules.levels import levels_at_corners
from gridlos.rules.model import Edition

__all__ = ["Concealed", "concealment_of", "is_sight_mutual", "lines_of_effect", "lines_of_sight", "seen_back", "unseen"]


@dataclass(frozen=True, slots=True, eq=False)
class Concealed:
    """What was found for every pair: ``(A, T)`` uint8 codes of the edition's concealments, and where the lines run from."""

    codes: Masks
    chosen: Chosen


def lines_of_effect(edition: Edition, facts: PairFacts) -> Bools:
    """Return where there is line of effect by the edition's option, ``(A, T)``."""
    if edition.table.line_of_effect == "touching":
        return facts.line_of_effect | facts.any_free
    return facts.line_of_effect


def lines_of_sight(edition: Edition, facts: PairFacts) -> Bools:
    """Return where there is line of sight, ``(A, T)``: a line that touches, where it is enough for effect, sees too."""
    if edition.table.line_of_effect == "touching":
        return facts.line_of_sight | (facts.any_free & ~facts.line_of_effect)
    return facts.line_of_sight


def concealment_of(
    edition: Edition, facts: PairFacts, attack: Attack, cover: Cover, lines: tuple[Bools, Bools]
) -> Concealed:
    """Return the concealment of every pair: the most of what squares on the lines, line of sight and circumstances give.

    The corner for it is chosen apart from the corner for cover, unless the edition says otherwise; who has no usable
    corner chooses among all of them. Line of effect without line of sight is total concealment. ``lines`` are the lines of
    effect and of sight.
    """
    levels, chosen = _levels_by_squares(edition, facts, attack, cover)
    effect, sight = lines
    hidden, by_level = effect > sight, _codes(edition)
    if levels is None:
        codes = hidden * by_level[Concealment.TOTAL]
    else:
        codes = by_level.take(np.where(hidden, np.uint8(Concealment.TOTAL), levels))
    least = concealed_at_least(edition, facts, attack)
    return Concealed(codes if least is None else np.maximum(codes, least), chosen)


@lru_cache(maxsize=128)
def _codes(edition: Edition) -> Masks:
    """Return the codes of the edition's concealments for the levels of Concealment."""
    words, names = edition.table.concealment_words, ("light", "concealed", "heavy", "nearly_total", "total")
    degrees = ["none", *(getattr(words, name) for name in names)]
    return np.array([edition.concealments.index(word) for word in degrees], np.uint8)


def unseen(edition: Edition, codes: Masks) -> Bools:
    """Return where a target with the concealment ``codes`` is not seen at all, in a shape that broadcasts to pairs."""
    return _unseen(edition).take(codes) if codes.any() else NOBODY


@lru_cache(maxsize=128)
def _unseen(edition: Edition) -> Bools:
    """Return for every concealment whether a target in it is not seen at all."""
    return np.array([edition.table.concealment[word].unseen for word in edition.concealments], np.bool_)


def seen_back(
    edition: Edition,
    facts: PairFacts,
    attack: Attack,
    codes: Masks,
    back: PairFacts | None,
    ranged_when_adjacent: Bools | None,
) -> tuple[Bools | None, Masks | None]:
    """Return where the target does not see the attacker, and in what light it does, ``(A, T)`` each; None: unknown.

    ``codes`` are the attackers' concealments for ``facts``, ``back`` the facts of the targets against the attackers, of
    listed pairs those of each pair the other way round.
    ``ranged_when_adjacent`` is what :class:`gridlos.rules.judgement.Question` says of the targets.
    Without them the same creatures in the same order answer for each other, and where nothing conceals and no wall is
    special, sight is mutual.
    """
    if back is not None:
        lines = lines_of_effect(edition, back), lines_of_sight(edition, back)
        cover = cover_of(edition, back, attack, lines[0], ranged_when_adjacent)
        codes, light = concealment_of(edition, back, attack, cover, lines).codes, seen_light(edition, back)
    elif facts.shape[0] == facts.shape[1] and not facts.listed and not facts.distinct.diagonal().any():
        light = seen_light(edition, facts)
    elif is_sight_mutual(facts):
        return unseen(edition, codes), None
    else:
        return None, None
    if not facts.listed:
        codes, light = codes.T, None if light is None else np.ascontiguousarray(light.T)
    return unseen(edition, codes), light


def is_sight_mutual(facts: PairFacts) -> bool:
    """Return whether who sees somebody is seen by him: nothing conceals, and no special wall is near their lines or one-way."""
    traits = [one for one in (facts.attackers, facts.targets) if one is not None]
    concealing = (facts.concealed, facts.concealed_at_border, facts.fog_depth, facts.light, facts.hidden)
    return not any(any(one.conditions.known) for one in traits) and all(one is None for one in concealing)


def _levels_by_squares(edition: Edition, facts: PairFacts, attack: Attack, cover: Cover) -> tuple[Masks | None, Chosen]:
    """Return the level of Concealment by squares for every pair, ``(A, T)``, and the choices and corners it is from.

    None: nothing conceals.
    """
    levels = levels_at_corners(edition, facts, attack)
    if levels is None:
        return None, cover.chosen
    chosen, choosing = cover.chosen, choosing_of(edition, facts, attack)
    if edition.table.concealing.corner == "lowest":
        chosen = choosing.chosen(ordered_keys(levels.astype(np.uint16), choosing.usable))
    elif edition.table.concealing.corner == "highest":
        costs = (np.uint8(Concealment.TOTAL) - levels).astype(np.uint16)
        chosen = replace(choosing, group_start=None).chosen(ordered_keys(costs, choosing.usable))
    return levels[chosen.index, chosen.corner].reshape(facts.shape), chosen

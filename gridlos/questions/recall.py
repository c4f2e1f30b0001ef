"""Answers that were given before, found again by what they follow from."""

from __future__ import annotations

from collections.abc import Hashable

import numpy as np
from numpy.typing import NDArray

from gridlos.facts import Attack, Bools, Traits
from gridlos.kernels import recall as kernels
from gridlos.questions.asked import Asked, asks_for
from gridlos.questions.between import NO_SOFT_LINES, all_soft_lines
from gridlos.questions.board_answers import answers_of, packed, unit_of
from gridlos.questions.concealment import conceals
from gridlos.questions.facts import Measures, flanked_by
from gridlos.questions.plain import lines_between, sight_between
from gridlos.questions.traits import NOBODY_CROWDED, NOBODY_ENGAGED, everybody_crowded, everybody_engaged
from gridlos.rules import Read, asks_defenses, kinds_of, read_by

__all__ = ["Memory"]

Indices = NDArray[np.int64]
Lines = NDArray[np.uint16]
Words = NDArray[np.uint64]

_MOST = 1 << 16
"""Answers that are remembered; when there are more it begins anew."""
_NEVER = 1 << 62
_KEY_BITS = 50
"""Bits of the keys that kernels find; above them there is room for 8,191 kinds of Dexterity and shield."""
_MOST_KINDS = min(kernels.MOST_KINDS, 1 << 63 - _KEY_BITS)


class Memory:
    """Answers on pairs by their keys (:mod:`gridlos.kernels.recall`): what has been judged once is looked up from then on.

    Parameters
    ----------
    asked
        A scene as an edition sees it; those to come are seen by the same edition, in the same attack.
    kind
        The dtype of the records of answers.
    """

    def __init__(self, asked: Asked, kind: np.dtype[np.void]) -> None:
        edition, attack = asked.edition, asked.attack
        self._kind, self._read = kind, read_by(edition, attack)
        self._terms = None if self._read is None else _terms_of(asked.measures, attack, self._read)
        self._asks = asks_for(edition, attack, "engaged"), asks_for(edition, attack, "crowded")
        self._kinds: tuple[dict[Hashable, int], ...] = {}, {}, {}
        self._own: tuple[tuple[Traits, Bools, Bools], Indices, Indices] | None = None
        self._forget()

    def _forget(self) -> None:
        self._keys, self._records = np.zeros(0, np.int64), packed({}, self._kind, (0,))
        self._asks_more = np.zeros(1, np.bool_)  # for each key whether Dexterity and shield matter, too; for none, the last one

    def answers(self, asked: Asked, reaches_adjacent: Bools, touched: Bools) -> tuple[Indices, Words]:
        """Return the pairs that are touched, ``row * n + column``, ascending, and the records of the answers on them, as words.

        ``touched (n, n)``, nobody by himself; ``reaches_adjacent`` as for :func:`gridlos.questions.board_answers.answers_of`.
        """
        flat = np.flatnonzero(touched)
        listed, pairs = kernels.list_pairs(flat, touched)
        if len(self._keys) > _MOST:
            self._forget()
        found = self.keys_of(asked, reaches_adjacent, listed, pairs)
        if found is None:
            return flat, packed(answers_of(asked, reaches_adjacent, listed[:, :2])[0], self._kind, flat.shape)
        keys, distances = found
        targets = listed[:, 1]
        places = self._places_of(keys, targets)
        new = np.flatnonzero(places < 0)
        if len(new):
            columns, judgement = answers_of(asked, reaches_adjacent, listed[new, :2])
            records = packed(columns, self._kind, new.shape)
            self._learn(keys[new], self.keys_with_defenses(keys[new], targets[new]), records, asks_defenses(judgement)[:, 0])
            places = self._places_of(keys, targets)
        words: Words = self._records.take(places, axis=0)
        words.view(self._kind)["distance"][:, 0] = distances * unit_of(asked)
        return flat, words

    def _places_of(self, keys: Indices, targets: Indices) -> Indices:
        """Return where the records of some keys are, ``(P,)``; -1: they are not known."""
        places: Indices = kernels.look_up(self._keys, keys)
        more = np.flatnonzero(self._asks_more.take(places))
        if len(more):
            places[more] = kernels.look_up(self._keys, self.keys_with_defenses(keys[more], targets[more]))
        return places

    def keys_with_defenses(self, keys: Indices, targets: Indices) -> Indices:
        """Return keys that tell the targets' Dexterity and shields besides."""
        return keys if self._own is None else keys | self._own[2].take(targets) << _KEY_BITS

    def _learn(self, keys: Indices, with_defenses: Indices, records: Words, asks_more: Bools) -> None:
        """Keep records by their keys; of several with one key, which are the same but for the distance, one.

        Where Dexterity and shield matter (``asks_more``) they are kept by the keys with these, and that it is so by the others.
        """
        new = np.concatenate((np.where(asks_more, with_defenses, keys), keys[asks_more]))
        records = np.concatenate((records, records[asks_more]))
        is_mark = np.arange(len(new)) >= len(keys)
        new, first = np.unique(new, return_index=True)
        unknown = kernels.look_up(self._keys, new) < 0
        new, first = new[unknown], first[unknown]
        places = self._keys.searchsorted(new)
        self._keys = np.insert(self._keys, places, new)
        self._records = np.insert(self._records, places, records[first], axis=0)
        self._asks_more = np.insert(self._asks_more, places, is_mark[first])

    def keys_of(
        self, asked: Asked, reaches_adjacent: Bools, listed: Indices, pairs: Indices
    ) -> tuple[Indices, Indices] | None:
        """Return the keys of listed pairs, and their distances in squares; None where more than keys tell answers apart.

        ``listed`` and ``pairs`` come from :func:`gridlos.kernels.recall.list_pairs`.
        """
        read, terms = self._read, self._terms
        if read is None or terms is None or not _is_told_by_keys(asked):
            return None
        scene, bodies, measures = asked.scene, asked.bodies, asked.measures
        choices, answers = _lines_of(asked, pairs)
        asks_engaged, asks_crowded = self._asks
        creatures = (
            bodies.numbers,
            self._own_of(asked, read, reaches_adjacent),
            everybody_engaged(bodies, asked.traits.size) if asks_engaged else NOBODY_ENGAGED,
            everybody_crowded(bodies) if asks_crowded else NOBODY_CROWDED,
        )
        soft = all_soft_lines(scene, bodies) if read.soft or read.soft_when_adjacent else NO_SOFT_LINES
        uncut = asked.walls[0].uncut_at(choices[1])
        keys, distances, in_reach = kernels.find_keys(listed, choices, soft, answers, creatures, uncut, read.tables, terms)
        if measures.flanking:
            reaches, who, whom = bodies.kept[measures.reach_key], listed[:, 0], listed[:, 1]
            reaches[who, whom] = in_reach
            everybody = np.arange(len(reaches))
            keys |= flanked_by(bodies, everybody, everybody, reaches, measures)[who, whom]
        return keys, distances

    def _own_of(self, asked: Asked, read: Read, reaches_adjacent: Bools) -> Indices:
        """Return the argument ``own`` of :func:`gridlos.kernels.recall.find_keys`; kept while creatures only move."""
        traits, is_able = asked.traits, asked.bodies.is_able
        if self._own is not None and all(
            one is other for one, other in zip(self._own[0], (traits, is_able, reaches_adjacent), strict=True)
        ):
            return self._own[1]
        own = np.zeros((len(is_able), kernels.N_OWN), np.int64)
        own[:, kernels.FEET] = traits.feet
        own[:, kernels.THREATENS] = asked.bodies.threatening(unarmed=asked.measures.unarmed_threatens)
        own[:, kernels.IS_LARGE] = reaches_adjacent
        if max(map(len, self._kinds)) + len(own) >= _MOST_KINDS:
            self._kinds = {}, {}, {}
            self._forget()
        numbers = [
            [known.setdefault(one, len(known) + 1) for one in kinds]
            for known, kinds in zip(self._kinds, kinds_of(asked.edition, read, traits), strict=True)
        ]
        own[:, kernels.AS_ATTACKER], own[:, kernels.AS_TARGET] = numbers[:2]
        self._own = (traits, is_able, reaches_adjacent), own, np.array(numbers[2], np.int64)
        return own


def _is_told_by_keys(asked: Asked) -> bool:
    """Return whether keys tell all that answers follow from, where the edition reads no more than they have."""
    scene, measures = asked.scene, asked.measures
    if asked.walls[1] is not None or scene.light != "bright" or scene.overrides or conceals(scene.battle_map):
        return False
    return not measures.flanking or measures.reach_key in asked.bodies.kept


def _lines_of(asked: Asked, pairs: Indices) -> tuple[tuple[Indices, Indices, Lines], tuple[Bools, Bools]]:
    """Return the arguments ``choices`` and ``answers`` of :func:`gridlos.kernels.recall.find_keys`."""
    scene = asked.scene
    choices, blocked, effect = lines_between(scene, asked.walls[0], pairs)
    sight = sight_between(scene.battle_map, scene.spaces, pairs, effect)
    return (choices.starts, choices.squares, blocked), (effect, sight)


def _terms_of(measures: Measures, attack: Attack, read: Read) -> Indices:
    """Return the argument ``terms`` of :func:`gridlos.kernels.recall.find_keys`."""
    terms = np.zeros(kernels.N_TERMS, np.int64)
    terms[[kernels.EVERY_SECOND, kernels.SECOND_DIAGONAL, kernels.DEAD_ZONE]] = measures.steps
    terms[kernels.SOFT], terms[kernels.SOFT_WHEN_ADJACENT] = read.soft, read.soft_when_adjacent
    terms[kernels.COUNTS_CUT_CORNERS], terms[kernels.ASKS_FREE] = read.counts_cut_corners, read.asks_free
    terms[kernels.IS_MELEE] = attack is Attack.MELEE
    terms[kernels.ALL_WHEN_ADJACENT], terms[kernels.RANGED_WHEN_LARGE] = read.all_when_adjacent, read.ranged_when_large
    terms[kernels.LEAST_HIGHER] = _NEVER if read.least_higher is None else read.least_higher
    return terms

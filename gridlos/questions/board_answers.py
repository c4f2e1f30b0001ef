"""The answers that a board keeps, one record a pair, and the question about a list of pairs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gridlos.facts import Bools
from gridlos.questions.asked import Asked
from gridlos.records import Override as SceneOverride
from gridlos.rules import Override, Question, is_sight_mutual, judge

__all__ = ["Answers", "ChangedPairs", "answers_of", "words_on"]

Indices = NDArray[np.int64]
Columns = Mapping[str, NDArray[Any]]

_WORD = np.dtype(np.uint64)


@dataclass(frozen=True, slots=True, eq=False)
class ChangedPairs:
    """The pairs whose answer has changed, and their new answers.

    Its length is their number; going through it gives their ids, ``(attacker, target)``, and ``pair in changed`` asks for
    one of them.

    Attributes
    ----------
    attackers, targets
        ``(m,)`` int64 each: indices into ``attackers`` and ``targets`` of the board's evaluation.
    names
        The ids of those.
    columns
        The new answers, ``(m,)`` each, by the same names and codes as the columns of the evaluation.
    """

    attackers: Indices
    targets: Indices
    names: tuple[str, ...] = field(repr=False)
    columns: Columns = field(repr=False)

    @property
    def ids(self) -> tuple[tuple[str, str], ...]:
        """Attacker and target of every pair."""
        return tuple(self)

    def __len__(self) -> int:
        """Return the number of pairs."""
        return len(self.attackers)

    def __iter__(self) -> Iterator[tuple[str, str]]:
        """Yield attacker and target of every pair, in the order of the arrays."""
        names = self.names
        for attacker, target in zip(self.attackers.tolist(), self.targets.tolist(), strict=True):
            yield names[attacker], names[target]

    def __contains__(self, pair: object) -> bool:
        """Return whether that pair of ids is one of them."""
        return any(one == pair for one in self)


@dataclass(frozen=True, slots=True, eq=False)
class Answers:
    """The answers on all pairs of ``n`` creatures.

    Attributes
    ----------
    records
        ``(n, n)``: a record of all columns a pair. Its memory is the board's own.
    """

    records: NDArray[np.void]

    @classmethod
    def of(cls, columns: Columns) -> Answers:
        """Return columns ``(n, n)`` as records."""
        return cls(_packed(columns))

    @property
    def columns(self) -> dict[str, NDArray[Any]]:
        """Copies of the columns, ``(n, n)`` each."""
        return {name: np.ascontiguousarray(self.records[name]) for name in self.records.dtype.names or ()}

    def patched(self, flat: Indices, columns: Columns, new: Bools | None = None) -> tuple[Indices, Columns]:
        """Write the new answers on some pairs, and return those that differ from what stood there, and their columns.

        ``flat (m,)`` are ``row * n + column``; a creature against itself never differs, pairs that are ``new (m,)`` always do.
        """
        answers = _packed(columns)
        records, n_words = self.records.reshape(-1), answers.dtype.itemsize // _WORD.itemsize
        old, told = (some.view(_WORD).reshape(-1, n_words) for some in (records, answers))
        is_other = (old[flat] != told).any(axis=1)
        differs = np.flatnonzero(is_other if new is None else is_other | new)
        places = flat[differs]
        records[places] = answers[differs]
        others = np.flatnonzero(places % (len(self.records) + 1))
        found = answers[differs[others]]
        return places[others], MappingProxyType({name: found[name] for name in found.dtype.names or ()})

    def only(self, kept: Indices) -> Answers:
        """Return the answers on some of the creatures."""
        return Answers(np.ascontiguousarray(self.records[np.ix_(kept, kept)]))

    def with_one_more(self, place: int) -> Answers:
        """Return the answers with room for a creature at that place, of whom nothing is known."""
        n = len(self.records)
        others = np.delete(np.arange(n + 1), place)
        records = np.zeros((n + 1, n + 1), self.records.dtype)
        records[np.ix_(others, others)] = self.records
        return Answers(records)


@lru_cache(maxsize=64)
def _kind_of(columns: tuple[tuple[str, np.dtype[Any]], ...]) -> np.dtype[np.void]:
    """Return the dtype of records with these columns, as long as some whole words."""
    sizes = [kind.itemsize for _, kind in columns]
    return np.dtype({
        "names": [name for name, _ in columns],
        "formats": [kind for _, kind in columns],
        "offsets": [sum(sizes[:k]) for k in range(len(sizes))],
        "itemsize": -(-sum(sizes) // _WORD.itemsize) * _WORD.itemsize,
    })  # fmt: skip


def _packed(columns: Columns) -> NDArray[np.void]:
    found = np.zeros(next(iter(columns.values())).shape, _kind_of(tuple((name, column.dtype) for name, column in columns.items())))
    for name, column in columns.items():
        found[name] = column
    return found


def words_on(
    words: Iterable[SceneOverride], ids: tuple[str, ...], attackers: Indices, targets: Indices
) -> tuple[Override, ...]:
    """Return what the game master said of some listed pairs, by their place in the list."""
    found = []
    for word in words:
        about = targets == ids.index(word.target)
        if word.attacker is not None:
            about &= attackers == ids.index(word.attacker)
        for k in np.flatnonzero(about).tolist():
            attacker = None if word.attacker is None else k
            found.append(Override(k, attacker, word.degree, word.veto, word.force, word.note or ""))
    return tuple(found)


def answers_of(asked: Asked, reaches_adjacent: Bools, pairs: Indices) -> Columns:
    """Return the answers on a list of pairs, ``(m,)`` each, by the names of the columns of an evaluation.

    Parameters
    ----------
    asked
        The scene as the edition sees it, and the attack.
    reaches_adjacent
        ``(n,)``: creatures of size Large or more that reach adjacent squares.
    pairs
        ``(m, 2)``: indices of attacker and target.
    """
    facts, scene = asked.facts_of(pairs), asked.scene
    attackers, targets = pairs[:, 0], pairs[:, 1]
    back = None
    if asked.edition.asks_who_sees_the_attacker and not is_sight_mutual(facts):
        back = asked.facts_of(pairs[:, ::-1])
    question = Question(
        asked.attack,
        uses_ranged_when_adjacent=reaches_adjacent[attackers],
        targets_use_ranged_when_adjacent=reaches_adjacent[targets],
        overrides=words_on(scene.overrides, scene.ids, attackers, targets),
    )
    judgement = judge(asked.edition, facts, question, back=back)
    feet = scene.battle_map.feet_per_square
    unit = int(feet) if feet == int(feet) else feet
    columns = {"distance": facts.distance * unit, **judgement.columns}
    return {name: column[:, 0] for name, column in columns.items()}

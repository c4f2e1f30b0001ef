"""The answers that a board keeps, one record a pair, and the question about a list of pairs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gridlos.facts import Bools
from gridlos.kernels import touched as kernels
from gridlos.questions.asked import Asked
from gridlos.records import Override as SceneOverride
from gridlos.rules import Judgement, Override, Question, is_sight_mutual, judge

__all__ = ["Answers", "ChangedPairs", "answers_of", "packed", "unit_of", "words_on"]

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
    words
        ``(n, n, w)`` uint64: the record of all columns of each pair, filled up with zeros to whole words. Its memory is the
        board's own.
    kind
        The dtype of such a record.
    """

    words: NDArray[np.uint64]
    kind: np.dtype[np.void]

    @classmethod
    def of(cls, columns: Columns) -> Answers:
        """Return columns ``(n, n)`` as records."""
        kind = _kind_of(tuple((name, column.dtype) for name, column in columns.items()))
        return cls(packed(columns, kind, next(iter(columns.values())).shape), kind)

    def column(self, name: str) -> NDArray[Any]:
        """Return a column as it stands in the records, ``(n, n)``: it changes with them."""
        found: NDArray[Any] = self.words.view(self.kind)[:, :, 0][name]
        return found

    @property
    def columns(self) -> dict[str, NDArray[Any]]:
        """Copies of the columns, ``(n, n)`` each."""
        return {name: np.ascontiguousarray(self.column(name)) for name in self.kind.names or ()}

    def patched(self, flat: Indices, told: NDArray[np.uint64], new: Bools | None = None) -> tuple[Indices, Columns]:
        """Write the new answers on some pairs, and return those that differ from what stood there, and their columns.

        ``flat (m,)`` are ``row * n + column``, ``told (m, w)`` their records as words; pairs that are ``new (m,)`` always differ.
        """
        kept = self.words.reshape(-1, told.shape[-1])
        differs = kernels.patch(kept, flat, told, np.zeros(0, np.bool_) if new is None else new)
        return flat.take(differs), _Records(told.take(differs, axis=0).view(self.kind)[:, 0])

    def only(self, kept: Indices) -> Answers:
        """Return the answers on some of the creatures."""
        return Answers(np.ascontiguousarray(self.words[np.ix_(kept, kept)]), self.kind)

    def with_one_more(self, place: int) -> Answers:
        """Return the answers with room for a creature at that place, of whom nothing is known."""
        n = len(self.words)
        others = np.delete(np.arange(n + 1), place)
        words = np.zeros((n + 1, n + 1, self.words.shape[2]), _WORD)
        words[np.ix_(others, others)] = self.words
        return Answers(words, self.kind)


@dataclass(frozen=True, slots=True, eq=False)
class _Records(Mapping[str, NDArray[Any]]):
    """Columns by name as they stand in records ``(m,)``."""

    records: NDArray[np.void]

    def __getitem__(self, name: str) -> NDArray[Any]:
        if name not in self:
            raise KeyError(name)
        found: NDArray[Any] = self.records[name]
        return found

    def __contains__(self, name: object) -> bool:
        return name in (self.records.dtype.names or ())

    def __iter__(self) -> Iterator[str]:
        return iter(self.records.dtype.names or ())

    def __len__(self) -> int:
        return len(self.records.dtype.names or ())


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


def packed(columns: Columns, kind: np.dtype[np.void], shape: tuple[int, ...]) -> NDArray[np.uint64]:
    """Return columns of one number of entries as records of that dtype in a shape, with one axis more for their words."""
    words = np.zeros((*shape, kind.itemsize // _WORD.itemsize), _WORD)
    found = words.view(kind)[..., 0]
    for name, column in columns.items():
        found[name] = column.reshape(shape)
    return words


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


def answers_of(asked: Asked, reaches_adjacent: Bools, pairs: Indices) -> tuple[Columns, Judgement]:
    """Return the answers on a list of pairs, ``(m, 1)`` each, by the names of the columns of an evaluation, and the judgement.

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
        uses_ranged_when_adjacent=reaches_adjacent.take(attackers),
        targets_use_ranged_when_adjacent=reaches_adjacent.take(targets),
        overrides=words_on(scene.overrides, scene.ids, attackers, targets),
    )
    judgement = judge(asked.edition, facts, question, back=back)
    return {"distance": facts.distance * unit_of(asked), **judgement.columns}, judgement


def unit_of(asked: Asked) -> float:
    """Return the feet of a square, an integer if they are whole."""
    feet = asked.scene.battle_map.feet_per_square
    return int(feet) if feet == int(feet) else feet

"""Answers: the columns for all pairs, and for one pair the degree, the modifiers with their reasons and the lines that prove it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gridlos.facts import Contact

__all__ = ["Evaluation", "Modifier", "Proof", "ProofLine", "Verdict"]


@dataclass(frozen=True, slots=True)
class Modifier:
    """One number of a verdict and its reason.

    Attributes
    ----------
    on
        The statistic: ``attack``, ``defense``, ``save``, ``stealth``, ``miss_chance`` …
    value
        The number added to it.
    type
        The bonus type that decides stacking: ``cover``, ``circumstance``, ``untyped`` …
    rule
        Id of the rule, ``PF1-COVER``.
    text
        What a reader sees: ``"cover: wall gate"``.
    kept
        False where stacking dropped it.
    """

    on: str
    value: int
    type: str
    rule: str
    text: str
    kept: bool = True


@dataclass(frozen=True, slots=True)
class ProofLine:
    """One line of a proof: the corner it runs to, its contact and what touches or stops it.

    ``counted`` is False where the corner is cut off from its own square's centre and the line is not counted.
    """

    to: tuple[int, int]
    contact: Contact
    by: tuple[str, ...] = ()
    counted: bool = True


@dataclass(frozen=True, slots=True)
class Proof:
    """The squares and the corner that the attacker chose, and the lines from that corner. Squares and corners are ``(x, y)``."""

    attacker_square: tuple[int, int]
    corner: tuple[int, int]
    target_square: tuple[int, int]
    lines: tuple[ProofLine, ...]


@dataclass(frozen=True, slots=True)
class Verdict:
    """The whole answer for one attacker and one target.

    ``values`` has the same words as the columns of the :class:`Evaluation`, as plain Python values
    (``cover`` is the edition's word, not its index).
    """

    attacker: str
    target: str
    edition: str
    attack: str
    values: Mapping[str, Any]
    modifiers: tuple[Modifier, ...]
    notes: tuple[str, ...]
    proof: Proof

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - a column may hold any plain value
        """Return the column of that name: ``verdict.cover`` is ``verdict.values["cover"]``."""
        if name.startswith("__"):
            raise AttributeError(name)
        try:
            return self.values[name]
        except KeyError:
            raise AttributeError(name) from None

    def explain(self) -> str:
        """Return the verdict as text for people: degree, corner, lines, what stops them, each modifier with its rule, the notes."""
        head = f"{self.attacker} attacks {self.target} ({self.attack}, {self.edition}): cover {self.values['cover']}"
        lines = [head, *_explain_values(self.values), *_explain_proof(self.proof)]
        for modifier in self.modifiers:
            dropped = "" if modifier.kept else "  (does not stack, dropped)"
            lines.append(f"  {modifier.value:+d} on {modifier.on}: {modifier.text} [{modifier.rule}]{dropped}")
        lines.extend(f"  note: {note}" for note in self.notes)
        return "\n".join(lines)


def _explain_values(values: Mapping[str, Any]) -> Iterator[str]:
    yield f"  distance {values['distance']:g} ft"
    yield f"  line of effect: {'yes' if values['line_of_effect'] else 'no'}, line of sight: {'yes' if values['line_of_sight'] else 'no'}"


def _explain_proof(proof: Proof) -> Iterator[str]:
    yield f"  from corner {proof.corner} of square {proof.attacker_square} to square {proof.target_square}:"
    for line in proof.lines:
        by = f" by {', '.join(line.by)}" if line.by else ""
        ignored = "" if line.counted else " (corner cut off from its own square, not counted)"
        yield f"    to {line.to}: {line.contact.name.lower()}{by}{ignored}"


@dataclass(frozen=True, slots=True)
class Evaluation:
    """The answers for every attacker-target pair, a column an answer.

    Every array has shape ``(attackers, targets)`` and is read-only; entries where attacker and target are the same creature
    (``distinct`` False) have no meaning. ``evaluation["archer", "ogre"]`` is the :class:`Verdict` of one pair, with its proof;
    ``evaluation.cover`` is ``evaluation.columns["cover"]``.

    Attributes
    ----------
    columns
        Name to array: ``distance`` (feet), ``line_of_effect``, ``line_of_sight``, ``cover`` (index into ``words["cover"]``),
        ``blocked_lines``, ``can_attack``, ``attack_modifier``, ``defense_modifier``, ``net_modifier``, ``save_modifier``,
        ``evasion`` (index into ``words["evasion"]``) …
    words
        For each coded column its words, in the order of the codes.
    frame
        What holds for all pairs: ``engine, edition, attack, options, scene, feet_per_square, save, warnings``.
    """

    attackers: tuple[str, ...]
    targets: tuple[str, ...]
    columns: Mapping[str, NDArray[Any]]
    words: Mapping[str, tuple[str, ...]]
    frame: Mapping[str, Any]
    distinct: NDArray[np.bool_]
    verdict_of: Callable[[int, int], Verdict] = field(repr=False)

    def __post_init__(self) -> None:
        """Freeze the columns."""
        for array in self.columns.values():
            array.flags.writeable = False
        object.__setattr__(self, "columns", MappingProxyType(dict(self.columns)))

    @property
    def degrees(self) -> tuple[str, ...]:
        """The edition's words for the codes of ``cover``, mildest first."""
        return self.words["cover"]

    def __getattr__(self, name: str) -> NDArray[Any]:
        """Return the column of that name."""
        if name.startswith("__"):
            raise AttributeError(name)
        try:
            return self.columns[name]
        except KeyError:
            raise AttributeError(name) from None

    def __getitem__(self, pair: tuple[str, str]) -> Verdict:
        """Return the verdict of attacker ``pair[0]`` against target ``pair[1]``; KeyError for an unknown id or a creature against itself."""
        attacker, target = pair
        if attacker not in self.attackers or target not in self.targets or attacker == target:
            raise KeyError(pair)
        return self.verdict_of(self.attackers.index(attacker), self.targets.index(target))

    def __len__(self) -> int:
        """Return the number of pairs of two different creatures."""
        return int(np.count_nonzero(self.distinct))

    def __iter__(self) -> Iterator[Verdict]:
        """Yield the verdict of every pair, attackers first."""
        for i, j in zip(*np.nonzero(self.distinct), strict=True):
            yield self.verdict_of(int(i), int(j))

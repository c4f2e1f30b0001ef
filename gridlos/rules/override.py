"""The game master's word on pairs; it wins over all rules."""

from __future__ import annotations

from dataclasses import dataclass

from gridlos.errors import QuestionError
from gridlos.facts import Bools, PairFacts
from gridlos.rules.model import Edition

__all__ = ["Override", "is_allowed", "override_codes", "pairs_of"]


@dataclass(frozen=True, slots=True)
class Override:
    """The game master's word on one pair, or on one target against everybody; it wins over all rules.

    Attributes
    ----------
    target, attacker
        Indices into the targets and attackers asked about; attacker None: all of them. A word on one pair wins over one
        on a target. Where pairs are listed, ``target`` is the place of a pair in the list; ``attacker`` is the same place
        for a word on this pair, None for one on its target, which is to be said at each of its pairs.
    degree
        The degree of cover, in a word of the edition, an edition-neutral word or a fraction; None: as found.
    veto
        The attack is impossible.
    force
        The attack is possible, whatever the degree says.
    note
        A sentence that is kept in the verdict.
    """

    target: int
    attacker: int | None = None
    degree: str | None = None
    veto: bool = False
    force: bool = False
    note: str = ""

    def covers(self, attacker: int, target: int, *, listed: bool = False) -> bool:
        """Return whether the word is about the pair in this row and column; ``listed``: of a list of pairs."""
        if listed:
            return self.target == attacker
        return self.target == target and self.attacker in (None, attacker)

    def text(self) -> str:
        """Return the word as a note.

        Examples
        --------
        >>> Override(0, degree="cover", note="the gate swings").text()
        "the game master's word: degree cover (the gate swings)"
        """
        parts = [f"degree {self.degree}"] if self.degree is not None else []
        parts += ["the attack is impossible"] if self.veto else []
        parts += ["the attack is possible"] if self.force else []
        said, note = ", ".join(parts), self.note
        return "the game master's word: " + (f"{said} ({note})" if said and note else said or note)


def override_codes(
    edition: Edition, overrides: tuple[Override, ...], facts: PairFacts
) -> list[tuple[Override, int | None]]:
    """Return the game master's words with the codes of their degrees, those on a target before those on a pair."""
    if not overrides:
        return []
    n_attackers, n_targets = facts.shape[0], facts.n_targets
    for k, one in enumerate(overrides):
        if facts.listed and not (0 <= one.target < n_targets and one.attacker in (None, one.target)):
            raise QuestionError(f"override {k}: no such pair in a list of {n_targets}")
        if not 0 <= one.target < n_targets or not (one.attacker is None or 0 <= one.attacker < n_attackers):
            raise QuestionError(f"override {k}: no such pair among {n_attackers} attackers and {n_targets} targets")
        if one.veto and one.force:
            raise QuestionError(f"override {k}: an attack is either possible (force) or impossible (veto), not both")
        if one.degree is None and not (one.veto or one.force or one.note):
            raise QuestionError(f"override {k}: says nothing; give it a degree, veto, force or a note")
    ordered = sorted(overrides, key=lambda one: one.attacker is not None)
    return [(one, None if one.degree is None else edition.degree_code(one.degree)) for one in ordered]


def pairs_of(override: Override, *, listed: bool) -> tuple[slice | int, int]:
    """Return the index of the pairs that the word is about; ``listed``: in a list of pairs."""
    if listed:
        return override.target, 0
    return (slice(None) if override.attacker is None else override.attacker), override.target


def is_allowed(allowed: Bools, overrides: list[Override], *, listed: bool) -> Bools:
    """Return the attacks that the rules allow, then as the game master says, the last word winning."""
    said = allowed.copy()
    for override in overrides:
        if override.veto or override.force:
            said[pairs_of(override, listed=listed)] = override.force
    return said

"""Answers: the columns for all pairs, and for one pair the degree, the modifiers and the lines that prove it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gridlos.facts import Contact

__all__ = ["Evaluation", "Finding", "Modifier", "Proof", "ProofLine", "Verdict", "named_briefly", "statistic_word"]

MAX_NAMES = 5
"""Names of blockers that an explanation gives for one line or number; the proof has them all."""


@dataclass(frozen=True, slots=True)
class Finding:
    """Something on a map that is probably not meant.

    Attributes
    ----------
    word
        What it is: ``leak``, ``clipped square``, ``sealed in`` or ``door without a gap``.
    place
        ``(x, y)`` in squares.
    text
        What a reader sees.
    walls
        Indices of the walls that it is about.
    creatures
        Ids of the creatures that it is about.
    """

    word: str
    place: tuple[float, float]
    text: str
    walls: tuple[int, ...] = ()
    creatures: tuple[str, ...] = ()


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
    """One line of a proof: the corner, or centre of a space, it runs to, its contact and what touches or stops it.

    ``counted`` is False where the corner is cut off from its own square's centre and the line is not counted. ``through``
    names what it passes that gives cover by a word of its own, an arrow slit say.
    """

    to: tuple[float, float]
    contact: Contact
    by: tuple[str, ...] = ()
    counted: bool = True
    through: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Proof:
    """The squares and the corner that the attacker chose, and the lines from that corner, all of them ``(x, y)``.

    ``concealed_by`` names what conceals the target; the corner for that is chosen apart. With ``is_centre`` nothing was
    chosen: ``corner`` is the centre of the attacker's space, the one line runs to that of the target's, and the squares are
    the first ones of the two spaces. A centre may lie at halves of squares.
    """

    attacker_square: tuple[int, int]
    corner: tuple[float, float]
    target_square: tuple[int, int]
    lines: tuple[ProofLine, ...]
    concealed_by: tuple[str, ...] = ()
    is_centre: bool = False


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

    def explain(self, sources: Mapping[str, str] = MappingProxyType({})) -> str:
        """Return the verdict as text for people: degree, corner, lines and what stops them, modifiers, notes.

        Parameters
        ----------
        sources
            Id of a rule to its source; the rules of the modifiers are then listed with theirs.
        """
        values = self.values
        seen, reached = ("yes" if values[f"line_of_{name}"] else "no" for name in ("sight", "effect"))
        cover = _cover_text(values["cover"]) + ("" if values["can_attack"] else ", no attack")
        lines = [
            f"{self.attacker} attacks {self.target} ({self.attack}, {self.edition}): {cover}",
            f"  distance {values['distance']:g} ft, line of effect: {reached}, line of sight: {seen}",
            *_explain_proof(self.proof, values["blocked_lines"]),
            *_explain_more(values, self.proof),
        ]
        save = values.get("save", "")
        texts = [f"{one.value:+d} {statistic_word(one.on, save)}: {one.text}" for one in self.modifiers]
        width = max(map(len, texts), default=0)
        for modifier, text in zip(self.modifiers, texts, strict=True):
            dropped = "" if modifier.kept else " (does not stack, dropped)"
            lines.append(f"  {text:<{width}}  [{modifier.rule}]{dropped}")
        rules = dict.fromkeys(modifier.rule for modifier in self.modifiers if modifier.rule in sources)
        lines.extend(f"  {rule}: {sources[rule]}" for rule in rules)
        lines.extend(f"  note: {note}" for note in self.notes)
        return "\n".join(lines)


def _cover_text(degree: str) -> str:
    if degree == "none":
        return "no cover"
    return degree if degree == "cover" else f"{degree} cover"


def statistic_word(statistic: str, save: str) -> str:
    """Return what people call the statistic of a modifier.

    Examples
    --------
    >>> statistic_word("defense", "reflex"), statistic_word("save", "reflex")
    ('AC', 'Reflex save')
    """
    if statistic == "save":
        return f"{save.capitalize()} save".lstrip()
    words = {"attack": "attack roll", "defense": "AC", "miss_chance": "% miss chance", "stealth": "Stealth"}
    return words.get(statistic, statistic)


def named_briefly(names: Sequence[str]) -> str:
    """Return the first names with commas, and how many more there are.

    >>> named_briefly(["wall 1", "wall 2"]), named_briefly("abcdefg")
    ('wall 1, wall 2', 'a, b, c, d, e, 2 more')
    """
    more = [f"{len(names) - MAX_NAMES} more"] if len(names) > MAX_NAMES else []
    return ", ".join([*names[:MAX_NAMES], *more])


def _explain_proof(proof: Proof, n_blocked: int) -> Iterator[str]:
    if proof.is_centre:
        yield f"  from the centre {proof.corner} of the attacker's space to that of the target's:"
    else:
        yield (
            f"  from corner {proof.corner} of square {proof.attacker_square} to square {proof.target_square}, "
            f"{n_blocked} of {len(proof.lines)} lines blocked:"
        )
    width = max((len(f"{line.to}") for line in proof.lines), default=0)
    for line in proof.lines:
        names = named_briefly(line.by)
        by = (" by " if line.contact is Contact.BLOCKED else " ") + names if names else ""
        ignored = "" if line.counted else " (not counted: a wall cuts this corner off from its square)"
        through = f", through {', '.join(line.through)}" if line.through else ""
        yield f"    to {line.to!s:<{width}}  {line.contact.name.lower()}{by}{through}{ignored}"


def _explain_more(values: Mapping[str, Any], proof: Proof) -> Iterator[str]:
    """Yield what there is to say beyond walls: creatures in the way, concealment, flanking, an attack of opportunity."""
    if values.get("soft"):
        yield "  a creature is in the way" if proof.is_centre else "  soft cover: a creature blocks lines from this corner"
    if values.get("concealment", "none") != "none":
        why = f" by {named_briefly(proof.concealed_by)}" if proof.concealed_by else ""
        yield f"  concealment: {values['concealment']}{why}"
    if values.get("roll", "normal") != "normal":
        yield f"  roll with {values['roll']}"
    if values.get("flat_check"):
        yield f"  flat check: {values['flat_check']} or more"
    if values.get("flanked"):
        yield "  flanked"
    yield from (f"  {text}" for name, text in _FLAGS.items() if values.get(name))
    if values.get("opportunity"):
        yield "  attack of opportunity: allowed"


_FLAGS: Mapping[str, str] = MappingProxyType({
    "loses_dexterity": "the target has no Dexterity bonus",
    "off_guard": "the target is off-guard",
    "combat_advantage": "combat advantage",
    "sneak_attack": "a sneak attack is possible",
})  # fmt: skip


@dataclass(frozen=True, slots=True)
class Evaluation:
    """The answers for every attacker-target pair, a column an answer.

    Every array has shape ``(attackers, targets)`` and is read-only; entries where attacker and target are the same
    creature (``distinct`` False) have no meaning. ``evaluation["archer", "ogre"]`` is the :class:`Verdict` of one pair,
    with its proof; ``evaluation.cover`` is ``evaluation.columns["cover"]``.

    Attributes
    ----------
    columns
        Name to array: ``distance`` (feet), ``line_of_effect``, ``line_of_sight``, ``cover`` (index into
        ``words["cover"]``), ``blocked_lines``, ``can_attack``, ``attack_modifier``, ``defense_modifier``,
        ``net_modifier``, ``save_modifier``, ``evasion`` (index into ``words["evasion"]``) …
    words
        For each coded column its words, in the order of the codes.
    frame
        What holds for all pairs: ``engine, edition, attack, options, changed_options`` (those that have not their
        default), ``scene, feet_per_square, save, warnings``.
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
        """Return the verdict of attacker ``pair[0]`` against target ``pair[1]``.

        Raises
        ------
        KeyError
            For an id that was not asked about, or a creature against itself.
        """
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

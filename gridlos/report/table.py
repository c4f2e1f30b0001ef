"""An evaluation as a table for people: a matrix where it fits, else each attacker with his targets by degree."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from gridlos.report.numbers import numbers_text
from gridlos.verdict import Evaluation

__all__ = ["to_table"]

MAX_PANELS = 2
"""A matrix that is cut into more panels than this is harder to read than a list."""

MAX_NAMED = 6
"""Targets that cannot be attacked are named up to this number and counted beyond it."""

MIN_NAMES = 24
"""Letters that names of targets need; where less is left beside their heading, they stand below it."""

NUMBERS = ("attack_modifier", "defense_modifier", "save_modifier", "evasion")
NO_ATTACK, SELF, UNSEEN, CONCEALED = "-", ".", "*", "~"
MARGIN = "  "


def to_table(evaluation: Evaluation, *, width: int = 100) -> str:
    """Return the evaluation as a table for people, ASCII but for the names.

    Parameters
    ----------
    evaluation
        The answers.
    width
        Columns of text that there is room for. What fits into two panels of this width becomes a matrix, attackers
        down and targets across; what is larger becomes a list.

    Examples
    --------
    >>> import gridlos
    >>> scene = gridlos.Scene.from_drawing('''
    ... A..
    ... .#.
    ... .BT
    ... ''')
    >>> print(to_table(gridlos.evaluate(scene, edition="dnd5e")), end="")
    ranged attacks by dnd5e; rows attack columns, 6 pairs
    <BLANKLINE>
        A       B  T
    A   .  h+2 10  -
    B  10       .  5
    T   -       5  .
    <BLANKLINE>
      10      no cover, 10 ft away
      h+2 10  half: +2 AC, +2 Dexterity save
      -       no attack: total cover
    """
    answers = _Answers(evaluation)
    if not len(evaluation):
        return f"{_headline(evaluation)}: no pairs\n"
    panels = _panels(answers, width)
    if len(panels) <= MAX_PANELS:
        body, how = _matrix(answers, panels), "rows attack columns"
    else:
        body, how = _list(answers, width), "each attacker with his targets"
    head = f"{_headline(evaluation)}; {how}, {len(evaluation)} pairs"
    used = [f"{name} = {value}" for name, value in evaluation.frame["changed_options"].items()]
    foot = ["", *_wrapped(f"{MARGIN}options: ", used, width)] if used else []
    return "\n".join([head, "", *body, *foot]) + "\n"


def _headline(evaluation: Evaluation) -> str:
    frame = evaluation.frame
    what = "an effect on an area" if frame["attack"] == "area" else f"{frame['attack']} attacks"
    said = f"{what} by {frame['edition']}"
    return f"{frame['scene']}: {said}" if frame["scene"] else said


@dataclass(frozen=True, slots=True, order=True)
class _Kind:
    """What answers have in common that stand under one heading: possible first, then by degree, then by numbers.

    ``is_hidden``: the attack is forbidden and the target's concealment is the hardest there is.
    """

    is_forbidden: bool
    is_hidden: bool
    code: int
    is_unseen: bool
    is_concealed: bool
    attack: int
    defense: int
    save: int
    evasion: int


class _Answers:
    """The columns of an evaluation as plain lists, with the words that the table puts for them."""

    def __init__(self, evaluation: Evaluation) -> None:
        self.evaluation = evaluation
        columns = evaluation.columns
        self.concealments = evaluation.words["concealment"]
        is_hidden = ~columns["can_attack"] & (columns["concealment"] == len(self.concealments) - 1)
        self.kinds: list[list[_Kind | None]] = [
            [_Kind(*one) if distinct else None for *one, distinct in zip(*row, strict=True)]
            for row in zip(
                (~columns["can_attack"]).tolist(),
                is_hidden.tolist(),
                columns["cover"].tolist(),
                (~columns["line_of_sight"]).tolist(),
                (columns["line_of_sight"] & (columns["concealment"] > 0)).tolist(),
                *(columns[name].tolist() for name in NUMBERS),
                evaluation.distinct.tolist(),
                strict=True,
            )
        ]
        self.distances: list[list[str]] = [[f"{feet:g}" for feet in row] for row in columns["distance"].tolist()]
        self.marks = self._marks()

    def _marks(self) -> dict[int, str]:
        """Return the shortest beginnings that tell the degrees of the possible attacks apart; none for no cover."""
        codes = {kind.code for row in self.kinds for kind in row if kind and not kind.is_forbidden}
        words = {code: self.evaluation.degrees[code] for code in sorted(codes) if code}
        marks = {}
        for code, word in words.items():
            others = [other for other in words.values() if other != word]
            lengths = range(1, len(word) + 1)
            marks[code] = next(
                (word[:n] for n in lengths if not any(other.startswith(word[:n]) for other in others)), word
            )
        return marks

    def shown_kinds(self) -> list[_Kind]:
        """Return every kind that some pair has, in order."""
        return sorted({kind for row in self.kinds for kind in row if kind})

    def numbers(self, kind: _Kind) -> str:
        """Return what a kind adds to the rolls, in words."""
        evasion = self.evaluation.words["evasion"][kind.evasion]
        given = [("attack", kind.attack), ("defense", kind.defense), ("save", kind.save)]
        return ", ".join(
            part
            for part in (
                numbers_text(given, self.evaluation.frame["save"]),
                f"{evasion} evasion" if kind.evasion else "",
            )
            if part
        )

    def word(self, kind: _Kind) -> str:
        """Return the degree's word."""
        return self.evaluation.degrees[kind.code]

    def why_not(self, kind: _Kind) -> str:
        """Return why a forbidden attack is forbidden."""
        if kind.code == len(self.evaluation.degrees) - 1:
            return f"{self.word(kind)} cover"
        return f"{self.concealments[-1]} concealment" if kind.is_hidden else "ruled out"

    def short(self, kind: _Kind) -> str:
        """Return a kind as a cell of the matrix begins: ``c+4``."""
        is_area = self.evaluation.frame["attack"] == "area"  # against it one saves
        harder = kind.save if is_area else kind.defense - kind.attack
        return self.marks.get(kind.code, "") + (f"{harder:+d}" if harder else "")

    def cell(self, i: int, j: int) -> str:
        """Return a pair as a cell of the matrix: ``c+4 45``."""
        kind = self.kinds[i][j]
        if kind is None:
            return SELF
        short = self.short(kind) + UNSEEN * kind.is_unseen + CONCEALED * kind.is_concealed
        return NO_ATTACK if kind.is_forbidden else f"{short} {self.distances[i][j]}".lstrip()


def _panels(answers: _Answers, width: int) -> Sequence[tuple[int, int, list[int]]]:
    """Return first and last target of each part of the matrix that fits, with the widths of its columns."""
    evaluation = answers.evaluation
    room = width - _label_width(evaluation)
    widths = [
        max(len(name), *(len(answers.cell(i, j)) for i in range(len(evaluation.attackers))))
        for j, name in enumerate(evaluation.targets)
    ]
    n_panels = 1
    while True:
        share = -(-len(widths) // n_panels)  # panels of equal size are easier to compare
        parts = [(k, widths[k : k + share]) for k in range(0, len(widths), share)]
        if share == 1 or all(sum(part) + len(MARGIN) * len(part) <= room for _, part in parts):
            return [(k, k + len(part), part) for k, part in parts]
        n_panels += 1


def _label_width(evaluation: Evaluation) -> int:
    return max(map(len, evaluation.attackers))


def _matrix(answers: _Answers, panels: Sequence[tuple[int, int, list[int]]]) -> Iterator[str]:
    """Yield the lines of the matrix and its legend."""
    evaluation, label = answers.evaluation, _label_width(answers.evaluation)
    for start, stop, widths in panels:
        names = [f"{name:>{n}}" for name, n in zip(evaluation.targets[start:stop], widths, strict=True)]
        yield MARGIN.join([" " * label, *names])
        for i, attacker in enumerate(evaluation.attackers):
            cells = [f"{answers.cell(i, j):>{n}}" for j, n in zip(range(start, stop), widths, strict=True)]
            yield MARGIN.join([f"{attacker:<{label}}", *cells])
        yield ""
    yield from _legend(answers)


def _legend(answers: _Answers) -> Iterator[str]:
    """Yield the meaning of what cells of the matrix hold."""
    entries: dict[str, dict[str, None]] = {}
    for kind in answers.shown_kinds():
        word, numbers = answers.word(kind), answers.numbers(kind)
        if kind.is_forbidden:
            example, meaning = NO_ATTACK, answers.why_not(kind)
        elif answers.short(kind):
            example, meaning = f"{answers.short(kind)} 10", f"{word}: {numbers}" if numbers else word
        else:
            example, meaning = "10", "no cover, 10 ft away"
        entries.setdefault(example, {})[meaning] = None
        if kind.is_unseen and not kind.is_forbidden:
            entries[UNSEEN] = {"no line of sight": None}
        if kind.is_concealed and not kind.is_forbidden:
            entries[CONCEALED] = {"concealed": None}
    width = max(map(len, entries))
    for example, meanings in entries.items():
        what = "no attack: " if example == NO_ATTACK else ""
        yield f"{MARGIN}{example:<{width}}{MARGIN}{what}{'; or '.join(meanings)}"


def _list(answers: _Answers, width: int) -> Iterator[str]:
    """Yield the lines of the list: for each attacker the degrees of cover, for each of these the targets, nearest first."""
    evaluation = answers.evaluation
    shown = answers.shown_kinds()
    words = max(len(answers.word(kind)) for kind in shown)
    texts = {kind: _numbers_in_list(answers, kind) for kind in shown}
    numbers = max(map(len, texts.values()))
    for i, attacker in enumerate(evaluation.attackers):
        yield attacker
        row = answers.kinds[i]
        nearest = np.argsort(evaluation.columns["distance"][i], kind="stable").tolist()
        for kind in sorted({kind for kind in row if kind}):
            places = [j for j in nearest if row[j] == kind]
            head = f"{MARGIN}{answers.word(kind):<{words}}{MARGIN}{texts[kind]:<{numbers}}{MARGIN}"
            if kind.is_forbidden and len(places) > MAX_NAMED:
                names = [f"the other {len(places)}" if len(places) < len(row) - 1 else "everybody"]
            else:
                names = [f"{evaluation.targets[j]} {answers.distances[i][j]}" for j in places]
            if width - len(head) < MIN_NAMES:
                yield head.rstrip()
                head = MARGIN * 3
            yield from _wrapped(head, names, width)
        yield ""
    yield f"{MARGIN}numbers after the names: distance in feet"


def _numbers_in_list(answers: _Answers, kind: _Kind) -> str:
    if kind.is_forbidden:
        return f"no attack: {answers.why_not(kind)}" if kind.is_hidden else "no attack"
    parts = (
        answers.numbers(kind),
        "no line of sight" if kind.is_unseen else "",
        "concealed" if kind.is_concealed else "",
    )
    return ", ".join(part for part in parts if part)


def _wrapped(head: str, items: Sequence[str], width: int) -> Iterator[str]:
    """Yield a head and items, in lines that are not wider than allowed unless one item is."""
    line, is_empty = head, True
    for k, item in enumerate(items):
        text = item + "," * (k + 1 < len(items))
        if not is_empty and len(line) + 1 + len(text) > width:
            yield line.rstrip()
            line, is_empty = " " * len(head), True
        line += text if is_empty else f" {text}"
        is_empty = False
    yield line.rstrip()

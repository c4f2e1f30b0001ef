"""The pairs for which editions differ, with what each says and why, as text for people."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from gridlos.report.numbers import numbers_text
from gridlos.verdict import Evaluation, Verdict

__all__ = ["to_comparison"]

COMPARED = ("can_attack", "net_modifier", "save_modifier", "miss_chance")
"""Columns that every edition has and that mean the same in all of them."""

SPECIAL = ("roll", "flat_check")
"""Columns of some editions, with what the others have in their place."""

NEUTRAL = {"roll": "normal", "flat_check": 0}


def to_comparison(evaluations: Sequence[Evaluation], *, width: int = 100) -> str:
    """Return the pairs for which the editions' answers differ, each with what every edition says and its reasons.

    Answers differ where an attack is possible in one edition only, or where what attack, save, chance to miss, roll or
    flat check come to is not the same.

    Parameters
    ----------
    evaluations
        The same question about the same scene, by two editions or more.
    width
        Columns of text that there is room for.

    Examples
    --------
    >>> import gridlos
    >>> scene = gridlos.Scene.from_drawing('''
    ... A..
    ... .#.
    ... .BT
    ... ''')
    >>> found = [gridlos.evaluate(scene, edition=one) for one in ("pathfinder1", "dnd5e")]
    >>> print(to_comparison(found), end="")
    ranged attacks by pathfinder1, dnd5e: 1 of 6 pairs differ
    <BLANKLINE>
    A -> B
      pathfinder1  partial: +2 AC, +1 Reflex save; partial cover: square (1, 1)
      dnd5e        half: +2 AC, +2 Dexterity save; half cover: square (1, 1)
    """
    first = evaluations[0]
    differs = np.zeros(first.distinct.shape, np.bool_)
    for name in (*COMPARED, *SPECIAL):
        columns = [_column(one, name) for one in evaluations]
        for column in columns[1:]:
            differs |= column != columns[0]
    pairs = np.argwhere(differs & first.distinct).tolist()
    names = ", ".join(one.frame["edition"] for one in evaluations)
    scene = f"{first.frame['scene']}: " if first.frame["scene"] else ""
    what = "an effect on an area" if first.frame["attack"] == "area" else f"{first.frame['attack']} attacks"
    lines = textwrap.wrap(f"{scene}{what} by {names}: {len(pairs)} of {len(first)} pairs differ", width)
    label = max(len(one.frame["edition"]) for one in evaluations)
    for i, j in pairs:
        attacker, target = first.attackers[i], first.targets[j]
        lines += ["", f"{attacker} -> {target}"]
        for one in evaluations:
            head = f"  {one.frame['edition']:<{label}}  "
            lines += textwrap.wrap(
                "; ".join(_said(one[attacker, target])),
                width,
                initial_indent=head,
                subsequent_indent=" " * (len(head) + 2),
                break_on_hyphens=False,
            )
    return "\n".join(lines) + "\n"


def _column(evaluation: Evaluation, name: str) -> Any:  # noqa: ANN401 - codes, numbers or words
    """Return a column, words for codes; for a column that the edition lacks what stands for it."""
    if name not in evaluation.columns:
        return np.full(evaluation.distinct.shape, NEUTRAL[name])
    column = evaluation.columns[name]
    return np.array(evaluation.words[name])[column] if name in evaluation.words else column


def _said(verdict: Verdict) -> Iterator[str]:
    """Yield what an edition says of a pair: degree and numbers, then the reasons."""
    values = verdict.values
    numbers = numbers_text(
        [("attack", values["attack_modifier"]), ("defense", values["defense_modifier"]), ("save", values["save_modifier"])],
        values["save"],
    )
    parts = [numbers] if numbers else []
    parts += [f"{values['miss_chance']} % miss chance"] if values["miss_chance"] else []
    parts += [f"flat check {values['flat_check']}"] if values.get("flat_check") else []
    parts += [values["roll"]] if values.get("roll", "normal") != "normal" else []
    degree = "no cover" if values["cover"] == "none" else values["cover"]
    yield f"{degree}: {', '.join(parts)}" if parts else degree
    if not values["can_attack"]:
        yield "no attack"
    if values["concealment"] != "none":
        yield f"concealment: {values['concealment']}"
    yield from dict.fromkeys(one.text for one in verdict.modifiers if one.kept)

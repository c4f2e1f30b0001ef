"""An evaluation as JSON of the schema ``gridlos.result/1``: columnar, or an object a pair."""

from __future__ import annotations

from typing import Any

import msgspec
import numpy as np

from gridlos.facts import Contact
from gridlos.report.records import ContactWord, LineRecord, ModifierRecord, Pair, ProofRecord, Result
from gridlos.verdict import Evaluation, Verdict

__all__ = ["to_json", "to_pairs_json"]

CONTACT_WORDS: dict[Contact, ContactWord] = {
    Contact.CLEAR: "clear",
    Contact.TOUCHES: "touches",
    Contact.BLOCKED: "blocked",
}

WORDS_KEY = {"cover": "degrees", "concealment": "concealments"}
"""For a column that stands as indices, the key of its words; every other column that has words stands as words."""


def to_json(evaluation: Evaluation) -> bytes:
    """Return the evaluation as one JSON object, a key a line; the diagonal is null in every column.

    Examples
    --------
    >>> import gridlos
    >>> scene = gridlos.Scene.from_drawing("A.#.T")
    >>> text = to_json(gridlos.evaluate(scene, edition="dnd5e")).decode()
    >>> print(next(line for line in text.splitlines() if '"cover"' in line))
      "cover": [[null,3],[3,null]],
    """
    frame = {name: value for name, value in evaluation.frame.items() if name != "changed_options"}
    found: dict[str, Any] = {**frame, "attackers": evaluation.attackers, "targets": evaluation.targets}
    found.update({name: _rows(evaluation, name) for name in evaluation.columns})
    found.update({key: evaluation.words[name] for name, key in WORDS_KEY.items() if name in evaluation.words})
    # Nobody gets an attack of opportunity with a ranged attack.
    found.setdefault("opportunity", [[None] * len(evaluation.targets)] * len(evaluation.attackers))
    record = Result(**found)
    encode = msgspec.json.encode
    values = ((name, getattr(record, name)) for name in Result.__struct_fields__)
    lines = [b"  %b: %b" % (encode(name), encode(value)) for name, value in values if value is not msgspec.UNSET]
    return b"{\n" + b",\n".join(lines) + b"\n}\n"


def to_pairs_json(evaluation: Evaluation) -> bytes:
    r"""Return the evaluation as a JSON list, a pair of two different creatures a line, with modifiers, notes and proof.

    Examples
    --------
    >>> import gridlos
    >>> scene = gridlos.Scene.from_drawing("...\nA#T\n...")
    >>> pairs = msgspec.json.decode(to_pairs_json(gridlos.evaluate(scene, edition="dnd5e")))
    >>> pairs[0]["attacker"], pairs[0]["cover"], pairs[0]["proof"]["lines"][3]
    ('A', 'total', {'to': [3, 2], 'contact': 'blocked', 'by': ['square (1, 1)']})
    """
    save = evaluation.frame["save"]
    lines = [msgspec.json.encode(_pair(verdict, save)) for verdict in evaluation]
    return b"[\n" + b",\n".join(lines) + b"\n]\n" if lines else b"[]\n"


def _rows(evaluation: Evaluation, name: str) -> list[list[Any]]:
    """Return a column as lists, words for codes where the document has them, None for a creature against itself."""
    column = evaluation.columns[name]
    if name in evaluation.words and name not in WORDS_KEY:
        column = np.array(evaluation.words[name], dtype=object)[column]
    rows: list[list[Any]] = column.tolist()
    for i, j in np.argwhere(~evaluation.distinct).tolist():
        rows[i][j] = None
    return rows


def _pair(verdict: Verdict, save: str) -> Pair:
    proof = verdict.proof
    values: dict[str, Any] = {"opportunity": None, **verdict.values, "save": save}
    lines = [
        LineRecord(
            to=line.to,
            contact=CONTACT_WORDS[line.contact],
            by=list(line.by),
            counted=line.counted,
            through=list(line.through),
        )
        for line in proof.lines
    ]
    modifiers = [
        ModifierRecord(on=one.on, value=one.value, type=one.type, rule=one.rule, text=one.text, kept=one.kept)
        for one in verdict.modifiers
    ]
    return Pair(
        attacker=verdict.attacker,
        target=verdict.target,
        **values,
        modifiers=modifiers,
        notes=list(verdict.notes),
        proof=ProofRecord(
            attacker_square=proof.attacker_square,
            corner=proof.corner,
            target_square=proof.target_square,
            lines=lines,
            concealed_by=list(proof.concealed_by),
            is_centre=proof.is_centre,
        ),
    )

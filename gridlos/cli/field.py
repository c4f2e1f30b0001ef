"""The command ``gridlos field``: what cover one would have in every square, as drawings or as JSON."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Mapping
from typing import Any

import gridlos
from gridlos.cli.commands import names_the_file, scene_for, write_result
from gridlos.cli.output import warn
from gridlos.questions.field import Field
from gridlos.scene import Scene

__all__ = ["FORMATS", "field"]

_MARKS = ".123456789abcdef"
_CLOSED, _CANNOT_ATTACK, _ATTACKER = "#", "x", "A"


def field(given: argparse.Namespace) -> None:
    """Write the field of some attackers."""
    scene = scene_for(given, given.edition)
    with names_the_file(given):
        found = gridlos.field(
            scene,
            edition=given.edition,
            attackers=given.attacker,
            attack=given.attack,
            options=dict(given.option),
            weapon=given.weapon,
            observer=given.observer,
            size=given.size,
        )
    write_result(FORMATS[given.format](found, scene).encode("utf-8", "backslashreplace"), given.output)
    warn(found.frame["warnings"])


def _drawings(found: Field, scene: Scene) -> str:
    """Return the map once for each attacker, a mark a square for the cover one would have there, ``A`` where he stands."""
    parts = []
    marks = [_MARKS[min(code, len(_MARKS) - 1)] for code in range(len(found.degrees))]
    for row, attacker in enumerate(found.attackers):
        lines = []
        left, top, width, height = scene.creature(attacker).occupied
        for y in range(found.is_open.shape[0]):
            codes, can_attack = found.cover[row, y].tolist(), found.can_attack[row, y].tolist()
            shown = [marks[code] if can else _CANNOT_ATTACK for code, can in zip(codes, can_attack, strict=True)]
            open_row = found.is_open[y].tolist()
            drawn = [one if is_open else _CLOSED for one, is_open in zip(shown, open_row, strict=True)]
            if top <= y < top + height:
                drawn[left : left + width] = _ATTACKER * width
            lines.append("".join(drawn))
        parts.append("\n".join([f"cover from {attacker}:", "", *(f"  {line}" for line in lines)]))
    degrees = [f"  {mark}  {word}" for mark, word in zip(marks, found.degrees, strict=True)]
    others = {_CANNOT_ATTACK: "cannot be attacked", _CLOSED: "nobody can stand there", _ATTACKER: "the attacker"}
    legend = [*degrees, *(f"  {mark}  {meaning}" for mark, meaning in others.items())]
    return "\n\n".join([*parts, "\n".join(legend)]) + "\n"


def _json(found: Field, _: Scene) -> str:
    """Return all columns; rows of the map are lists."""
    content: dict[str, Any] = {
        "attackers": list(found.attackers),
        "is_open": found.is_open.tolist(),
        "words": {name: list(words) for name, words in found.words.items()},
        "columns": {name: column.tolist() for name, column in found.columns.items()},
    }
    return json.dumps(content, ensure_ascii=False) + "\n"


FORMATS: Mapping[str, Callable[[Field, Scene], str]] = {"drawing": _drawings, "json": _json}

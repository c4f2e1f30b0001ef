"""What is probably not meant on a map, as text: each finding with a drawing of its surroundings, and as JSON."""

from __future__ import annotations

import json
import math
import textwrap
from collections import Counter
from collections.abc import Sequence
from types import MappingProxyType

from gridlos.report.map_drawing import MapDrawing
from gridlos.scene import Scene
from gridlos.verdict import Finding

__all__ = ["to_lint_json", "to_lint_report"]

_MARGIN = 2
_MEANINGS = MappingProxyType({
    "*": "here",
    "X": "walls that this is about",
    ":": "open door",
    "@": "other creatures",
})  # fmt: skip
_MANY = MappingProxyType(
    {
        "leak": "leaks",
        "clipped square": "clipped squares",
        "sealed in": "creatures sealed in",
        "door without a gap": "doors without a gap",
    }
)
_ONE = MappingProxyType({"sealed in": "creature sealed in"})


def to_lint_report(scene: Scene, findings: Sequence[Finding], *, width: int = 100, drawings: bool = True) -> str:
    r"""Return each finding with its place and a drawing of what is around it, and a last line with how many there are.

    Parameters
    ----------
    scene
        The scene that was asked about.
    findings
        What was found.
    width
        Letters that there is room for.
    drawings
        Whether to draw.

    Examples
    --------
    >>> from gridlos.questions.lint import lint
    >>> scene = Scene.from_drawing("...A\n....\n....", walls=[(2, 0, 2, 1.9), (0, 2, 4, 2)])
    >>> print(to_lint_report(scene, lint(scene)), end="")
    (2, 1.9) leak: wall 1 stops 0.1 squares short of wall 2
         0   1   2   3
               X
    0    .   . X .   @
               X
    1    .   . X .   .
       XXXXXXXX*XXXXXXXX
    2    .   .   .   .
    <BLANKLINE>
      * here, X walls that this is about, @ creatures
    <BLANKLINE>
    1 finding: 1 leak
    """
    parts = []
    for finding in findings:
        x, y = (f"{round(number, 3):g}" for number in finding.place)
        head = textwrap.wrap(f"({x}, {y}) {finding.word}: {finding.text}", width, subsequent_indent="  ")
        parts.append("\n".join([*head, *(_drawing(scene, finding, width) if drawings else ())]) + "\n")
    return ("\n" if drawings else "").join([*parts, _counts(findings)])


def to_lint_json(findings: Sequence[Finding], scene: Scene) -> bytes:
    """Return the findings as JSON, a finding a line.

    >>> scene = Scene.from_drawing(".", walls=[(0, 0, 1, 1)])
    >>> print(to_lint_json([Finding("leak", (1, 0.5), "a slit", (0,))], scene).decode(), end="")
    [
      {"word": "leak", "place": [1, 0.5], "text": "a slit", "walls": ["wall 1"], "creatures": []}
    ]
    """
    rows = [
        {
            "word": finding.word,
            "place": [*finding.place],
            "text": finding.text,
            "walls": [scene.battle_map.wall_name(index) for index in finding.walls],
            "creatures": [*finding.creatures],
        }
        for finding in findings
    ]
    lines = ",\n".join(f"  {json.dumps(row, ensure_ascii=False)}" for row in rows)
    return (f"[\n{lines}\n]\n" if rows else "[]\n").encode("utf-8", "backslashreplace")


def _drawing(scene: Scene, finding: Finding, width: int) -> list[str]:
    """Return the squares around a finding with what it is about."""
    x, y = (math.floor(number) for number in finding.place)
    side = 2 * _MARGIN + 1
    view = [x - _MARGIN, y - _MARGIN, side, side]
    for name in finding.creatures:
        left, top, across, down = scene.spaces[scene.index(name)].tolist()
        view = [left - _MARGIN, top - _MARGIN, across + 2 * _MARGIN, down + 2 * _MARGIN]
    battle_map = scene.battle_map
    drawing = MapDrawing(battle_map, (view[0], view[1], view[2], view[3]), width)
    drawing.put_squares()
    drawing.put_walls({battle_map.wall_name(index) for index in finding.walls})
    names = {}
    for name, space in zip(scene.ids, scene.spaces.tolist(), strict=True):
        letter = "A" if name in finding.creatures else "@"
        drawing.put_space(tuple(space), letter)
        if letter == "A":
            names["A"] = name
    if not finding.creatures:
        drawing.put(*finding.place, "*")
    meanings = _MEANINGS if names else {**_MEANINGS, "@": "creatures"}
    lines = "\n".join(drawing.lines()).rstrip().split("\n")
    return [*lines, "", *drawing.legend(names, meanings, width)]


def _counts(findings: Sequence[Finding]) -> str:
    if not findings:
        return "no findings: no leaks, clipped squares, creatures sealed in or doors without a gap\n"
    counts = Counter(finding.word for finding in findings)
    told = [
        f"{counts[word]} {many if counts[word] > 1 else _ONE.get(word, word)}"
        for word, many in _MANY.items()
        if counts[word]
    ]
    return f"{len(findings)} finding{'s'[: len(findings) != 1]}: {', '.join(told)}\n"

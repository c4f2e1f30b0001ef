"""Exact line of effect and cover for every attacker-target pair of a battle map, by the rules of a d20 edition.

The words, one for one thing:

*square*
    A field of the grid, 5 ft across unless the map says otherwise. ``(x, y)``: x to the right, y down.
*corner*
    A point where grid lines cross. *Edge*: the side between two squares.
*wall*
    What stops lines: an edge, or a free segment anywhere. *Door*, *window*, *curtain* are kinds of walls.
*line*
    The straight line from a corner of the attacker's square to a corner of the target's, which is tested.
*contact*
    How a line meets the walls: it is *clear*, *touches* or is *blocked*.
*line of effect*
    Some straight segment joins an inner point of one space to an inner point of the other and meets no wall.
    *Line of sight*: the same for what stops sight.
*cover*
    What the edition makes of the blocked lines; its *degrees* are the edition's own words. *Total cover*: no line of
    effect.
*battle map*
    Terrain and walls. *Scene*: a battle map with creatures and lights.
*creature*
    Has a *size*, a *space* (the rectangle of squares it occupies) and a *side* (allegiance). *Attacker* and *target*
    are creatures.
*lattice*
    The integers that all geometry is done in; a map has so many *subdivisions* a square.
*edition*
    The rules of one game as a table; a *house rule* lays another table over it. A *rule* has an id and a source.
*modifier*
    A number with a type and a reason; *stacking* says which of several count.
*fact*
    What the geometry finds, without rules. *Verdict*: what an edition makes of it, with its *proof*: the corner and
    the lines.
*drawing*
    A map as text. *Field*: a value for every square. *Board*: a scene that changes, with the answers on all of its
    pairs.
"""

from __future__ import annotations

from importlib import import_module
from types import MappingProxyType
from typing import TYPE_CHECKING

from gridlos.battlemap import BattleMap
from gridlos.creature import Creature
from gridlos.errors import EditionError, GridlosError, MapFileError, QuestionError, SceneError
from gridlos.scene import Scene
from gridlos.verdict import Evaluation, Modifier, Proof, ProofLine, Verdict
from gridlos.version import __version__

if TYPE_CHECKING:
    from gridlos import formats
    from gridlos.formats import load, save
    from gridlos.questions.board import Board
    from gridlos.questions.board_answers import ChangedPairs
    from gridlos.questions.field import Field, FieldSquare, SquarePairs, all_pairs, field
    from gridlos.questions.odds import chances
    from gridlos.questions.pairs import evaluate

__all__ = [
    "BattleMap",
    "Board",
    "ChangedPairs",
    "Creature",
    "EditionError",
    "Evaluation",
    "Field",
    "FieldSquare",
    "GridlosError",
    "MapFileError",
    "Modifier",
    "Proof",
    "ProofLine",
    "QuestionError",
    "Scene",
    "SceneError",
    "SquarePairs",
    "Verdict",
    "__version__",
    "all_pairs",
    "chances",
    "evaluate",
    "field",
    "formats",
    "load",
    "save",
]


_LATE = MappingProxyType({
    "Board": "gridlos.questions.board",
    "ChangedPairs": "gridlos.questions.board_answers",
    "Field": "gridlos.questions.field",
    "FieldSquare": "gridlos.questions.field",
    "SquarePairs": "gridlos.questions.field",
    "all_pairs": "gridlos.questions.field",
    "chances": "gridlos.questions.odds",
    "evaluate": "gridlos.questions.pairs",
    "field": "gridlos.questions.field",
    "load": "gridlos.formats",
    "save": "gridlos.formats",
})  # fmt: skip


def __getattr__(name: str) -> object:
    """Import what needs the kernels, or all formats, only when it is asked for: that takes longer than all the rest."""
    if name == "formats":
        return import_module("gridlos.formats")
    if name not in _LATE:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_LATE[name]), name)

"""One verdict as text for people: the reasons, and the drawing that shows them."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from gridlos.report.proof_drawing import draw_proof
from gridlos.scene import Scene
from gridlos.verdict import Verdict

__all__ = ["to_explanation"]


def to_explanation(
    verdict: Verdict, scene: Scene, *, sources: Mapping[str, str] = MappingProxyType({}), width: int = 100
) -> str:
    """Return a verdict as text for people, with the drawing of its proof.

    Parameters
    ----------
    verdict
        The answer.
    scene
        The scene that was asked about.
    sources
        Id of a rule to its source.
    width
        Letters that there is room for.
    """
    return f"{verdict.explain(sources)}\n\n{draw_proof(verdict, scene, width=width)}"

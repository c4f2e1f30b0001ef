"""``gridlos lint``: what is probably not meant on a map."""

from __future__ import annotations

import argparse

from gridlos import report
from gridlos.cli.commands import scene_for
from gridlos.cli.output import terminal_width, warn, write_bytes_to_stdout, write_text

__all__ = ["lint"]


def lint(given: argparse.Namespace) -> None:
    """Write what is probably not meant on a map; that there is something is no error."""
    from gridlos.questions.lint import lint as findings_of  # noqa: PLC0415 - numba takes longer to import than all the rest

    scene = scene_for(given)
    findings = findings_of(scene)
    if given.format == "json":
        write_bytes_to_stdout(report.to_lint_json(findings, scene))
    else:
        write_text(report.to_lint_report(scene, findings, width=terminal_width(), drawings=not given.brief))
    warn(scene.warnings)

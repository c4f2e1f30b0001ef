"""Answers as text: tables and drawings for people, JSON and CSV for programs. Nothing is decided here."""

from __future__ import annotations

from gridlos.report.comparison import to_comparison
from gridlos.report.explanation import to_explanation
from gridlos.report.lint_report import to_lint_json, to_lint_report
from gridlos.report.proof_drawing import draw_proof
from gridlos.report.records import RESULT_SCHEMA, Pair, Result
from gridlos.report.result_csv import to_csv
from gridlos.report.result_json import to_json, to_pairs_json
from gridlos.report.schema import result_schema, shipped_result_schema
from gridlos.report.table import to_table

__all__ = [
    "RESULT_SCHEMA",
    "Pair",
    "Result",
    "draw_proof",
    "result_schema",
    "shipped_result_schema",
    "to_comparison",
    "to_csv",
    "to_explanation",
    "to_json",
    "to_lint_json",
    "to_lint_report",
    "to_pairs_json",
    "to_table",
]

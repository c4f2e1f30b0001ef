"""Prints the figures of a run as ratios; with ``GRIDLOS_RECORD`` appends them, one line a run, to ``benchmarks/results/``."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from gridlos.bench.measure import run_of

RESULTS = Path(__file__).parent / "results"


@pytest.hookimpl(trylast=True)
def pytest_terminal_summary(terminalreporter):
    session = getattr(terminalreporter.config, "_benchmarksession", None)
    found = {bench.name: bench for bench in getattr(session, "benchmarks", []) if bench.stats.data}
    if not found:
        return
    groups: dict[str, list] = {}
    for bench in found.values():
        groups.setdefault(bench.group or "", []).append(bench)
    for group, benches in groups.items():
        terminalreporter.write_line(f"\n{group}")
        base = benches[0].stats.min
        for bench in benches:
            terminalreporter.write_line(
                f"  {bench.name:48s} min {bench.stats.min * 1e3:10.3f} ms  median {bench.stats.median * 1e3:10.3f} ms"
                f"  x{bench.stats.min / base:8.1f}"
            )
    if os.environ.get("GRIDLOS_RECORD"):
        figures = {
            name: {
                "min_ms": round(bench.stats.min * 1e3, 4),
                "median_ms": round(bench.stats.median * 1e3, 4),
                **bench.extra_info,
            }
            for name, bench in found.items()
        }
        RESULTS.mkdir(exist_ok=True)
        with (RESULTS / "pytest.jsonl").open("a", encoding="utf-8") as file:
            file.write(json.dumps(run_of(figures)) + "\n")

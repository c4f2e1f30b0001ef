"""Prints the figures of a run as ratios and appends them, one line a run, to ``benchmarks/results/``."""

from __future__ import annotations

import json
import os
import platform
import subprocess
from pathlib import Path

import pytest

from gridlos.version import __version__

RESULTS = Path(__file__).parent / "results"


def _commit() -> str:
    asked = subprocess.run(
        ["git", "describe", "--always", "--dirty"], capture_output=True, text=True, cwd=RESULTS, check=False
    )
    return asked.stdout.strip() or "unknown"


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.processor()
    return next((line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")), platform.machine())


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
    line = {
        "version": __version__,
        "commit": _commit(),
        "python": platform.python_version(),
        "processor": _processor(),
        "cores": os.cpu_count(),
        "milliseconds": {
            name: {
                "min": round(bench.stats.min * 1e3, 4),
                "median": round(bench.stats.median * 1e3, 4),
                **bench.extra_info,
            }
            for name, bench in found.items()
        },
    }
    if os.environ.get("GRIDLOS_RECORD"):
        RESULTS.mkdir(exist_ok=True)
        with (RESULTS / "runs.jsonl").open("a", encoding="utf-8") as file:
            file.write(json.dumps(line) + "\n")

"""Figures of a run as text and as Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from gridlos.bench.peers import NOT_TOLD
from gridlos.bench.workloads import WORKLOADS

__all__ = ["HEADINGS", "rows_of", "to_markdown", "to_text"]

HEADINGS = ("workload", "median ms", "min ms", "pairs/s", "lines/s", "memory", "peers, times as long")

_LEAST_MB = 0.1
_START = {
    "import_s": "`import gridlos`, a new process",
    "first_evaluate_warm_s": "first `evaluate` of a process, kernels compiled before",
    "first_evaluate_cold_s": "first `evaluate` of a process that compiles its kernels",
}


def rows_of(run: Mapping[str, Any]) -> list[tuple[str, ...]]:
    """Return name and title of each workload of a run, then the cells of :data:`HEADINGS` from the second on."""
    return [(name, WORKLOADS[name].title, *_cells(one)) for name, one in run["workloads"].items() if name in WORKLOADS]


def _cells(figures: Mapping[str, Any]) -> tuple[str, ...]:
    if "skipped" in figures:
        return ("", "", "", "", "", f"skipped: {figures['skipped']}")
    seconds = figures["min_ms"] / 1e3
    peers = ", ".join(f"{name} {_short(one['ratio'])}" for name, one in figures.get("peers", {}).items())
    numbers = (figures["median_ms"], figures["min_ms"], figures["pairs"] / seconds, figures["lines"] / seconds)
    return (*map(_short, numbers), _memory(figures), peers)


def _memory(figures: Mapping[str, Any]) -> str:
    """Return the megabytes of one call, and those kept."""
    parts = []
    if figures.get("traced_mb", 0) >= _LEAST_MB:
        parts.append(f"{_short(figures['traced_mb'])} MB")
    if "kept_bytes" in figures:
        parts.append(f"keeps {_short(figures['kept_bytes'] / 1e6)} MB")
    if "process_mb" in figures:
        parts.append(f"process {figures['process_mb']:.0f} MB")
    return ", ".join(parts)


def _short(number: float) -> str:
    """Return three digits of a number, with a word for its thousands.

    Examples
    --------
    >>> [_short(one) for one in (0.01234, 1.5, 999.6, 1234, 15_700, 51_800_000, 5.25e9, 0)]
    ['0.0123', '1.50', '1000', '1230', '15.7 k', '51.8 M', '5.25 G', '0']
    """
    for least, size, unit in ((1e9, 1e9, " G"), (1e6, 1e6, " M"), (1e4, 1e3, " k")):
        if number >= least:
            return _digits(number / size) + unit
    return _digits(number)


def _digits(number: float) -> str:
    if number == 0:
        return "0"
    text = f"{number:.3g}"
    if "e" in text:
        return f"{float(text):.0f}" if number >= 1 else f"{number:.6f}"
    whole, _, part = text.partition(".")
    missing = 3 - len((whole + part).lstrip("0"))
    return f"{whole}.{part + '0' * missing}" if missing > 0 and (part or len(whole) < 3) else text


def to_text(run: Mapping[str, Any]) -> str:
    """Return the short form of a run: a line a workload, then start-up and the machine."""
    rows = [("workload", *HEADINGS[1:]), *((name, *cells) for name, _, *cells in rows_of(run))]
    widths = [max(len(row[k]) for row in rows) for k in range(len(rows[0]) - 1)]
    lines = [
        "  ".join([row[0].ljust(widths[0]), *(c.rjust(w) for c, w in _between(row, widths)), row[-1]]).rstrip()
        for row in rows
    ]
    lines += [f"{_START[name].replace('`', '')}: {_digits(value)} s" for name, value in run.get("start_up", {}).items()]
    return "\n".join([*lines, "", ", ".join(_machine(run)), ""])


def _between(row: Sequence[str], widths: Sequence[int]) -> Iterable[tuple[str, int]]:
    return zip(row[1:-1], widths[1:], strict=True)


def _machine(run: Mapping[str, Any]) -> list[str]:
    held = dict(run["machine"])
    words = [str(held.pop("processor")), f"{held.pop('cores')} cores", f"vectors of {held.pop('vector')}"]
    return [
        *words,
        *(f"{name} {value}" for name, value in held.items() if name != "system"),
        f"gridlos {run['version']}",
    ]


def to_markdown(run: Mapping[str, Any]) -> str:
    """Return the table of a run for a README, with start-up, the machine, and what each peer leaves open."""
    lines = [f"| {' | '.join(HEADINGS)} |", f"|---{'|---:' * 4}|---|---|"]
    for name, title, *cells in rows_of(run):
        lines.append(f"| {title} (`{name}`) | {' | '.join(cells)} |")
    for name, value in run.get("start_up", {}).items():
        lines.append(f"| {_START[name]} | {_digits(value * 1e3)} | | | | | |")
    lines += ["", f"{', '.join(_machine(run))}; {run['date']}.", "", "What the peers leave open:", ""]
    lines += [f"* {name}: {text}" for name, text in NOT_TOLD.items()]
    return "\n".join(lines) + "\n"

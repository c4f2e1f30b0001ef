"""Puts the last run recorded in ``benchmarks/results/`` into the README's table of figures.

``gridlos bench --memory --start-up --cold --record benchmarks/results`` records one, with ``GRIDLOS_CORPUS`` set for real
scenes; then, with gridlos installed, ``python benchmarks/readme_table.py``.
"""

from __future__ import annotations

import json
from pathlib import Path

from gridlos.bench.tables import to_markdown

ROOT = Path(__file__).parents[1]
BEGIN, END = "<!-- figures: benchmarks/readme_table.py -->\n", "<!-- end of figures -->\n"


def main(records: Path = ROOT / "benchmarks" / "results" / "runs.jsonl", readme: Path = ROOT / "README.md") -> None:
    run = json.loads(records.read_text(encoding="utf-8").splitlines()[-1])
    before, rest = readme.read_text(encoding="utf-8").split(BEGIN)
    _, after = rest.split(END)
    readme.write_text(f"{before}{BEGIN}\n{to_markdown(run)}\n{END}{after}", encoding="utf-8")


if __name__ == "__main__":
    main()

"""Where the command line writes: stdout, stderr and how much fits into a line."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterable

__all__ = ["tell", "terminal_width", "warn", "write_bytes_to_stdout", "write_text"]

DEFAULT_WIDTH = 100
"""Letters in a line where there is no terminal to ask."""


def terminal_width() -> int:
    """Return how many letters fit into a line."""
    return shutil.get_terminal_size((DEFAULT_WIDTH, 24)).columns


def write_text(text: str) -> None:
    """Write a text to stdout."""
    write_bytes_to_stdout(text.encode("utf-8", "backslashreplace"))


def write_bytes_to_stdout(content: bytes) -> None:
    """Write UTF-8 to stdout as it is, whatever the terminal's own encoding."""
    sys.stdout.flush()
    if stream := getattr(sys.stdout, "buffer", None):
        rest = memoryview(content)
        while rest:  # with PYTHONUNBUFFERED this is the bare file, which may take a part only
            rest = rest[stream.write(rest) :]
        stream.flush()
    else:
        sys.stdout.write(content.decode())


def tell(problems: Iterable[str]) -> None:
    """Write to stderr, if there is one, a line a problem."""
    if sys.stderr is not None:
        sys.stderr.writelines(f"gridlos: {' '.join(problem.splitlines())}\n" for problem in problems)


def warn(warnings: Iterable[str]) -> None:
    """Write warnings to stderr, a line each."""
    tell(f"warning: {warning}" for warning in warnings)

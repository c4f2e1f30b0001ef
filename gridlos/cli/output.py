"""Where the command line writes: stdout, stderr and how much fits into a line."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterable

__all__ = ["terminal_width", "warn", "write_bytes_to_stdout", "write_text"]

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
        stream.write(content)
        stream.flush()
    else:
        sys.stdout.write(content.decode())


def warn(warnings: Iterable[str]) -> None:
    """Write warnings to stderr, a line each."""
    sys.stderr.writelines(f"gridlos: warning: {' '.join(warning.splitlines())}\n" for warning in warnings)

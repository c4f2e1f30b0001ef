"""The command line: ``gridlos evaluate MAP --edition E`` and its like.

Exit codes: 0 done; 1 bad input, told in one line on stderr; 2 usage; 130 stopped from the keyboard; 141 nobody reads the
output any more.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

from gridlos.cli.output import tell
from gridlos.cli.parser import parser
from gridlos.errors import EditionError, GridlosError, QuestionError

__all__ = ["main"]

BAD_INPUT, STOPPED, BROKEN_PIPE = 1, 130, 141


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code.

    Parameters
    ----------
    argv
        The words after ``gridlos``; None: those of this process.

    Raises
    ------
    SystemExit
        For wrong usage (2), ``--help`` and ``--version`` (0).
    """
    if sys.stdout is None:
        return _told("stdout is closed; give the output somewhere to go")
    for stream in (sys.stdout, sys.stderr):  # a name in letters that the terminal lacks is no reason to stop
        if reconfigure := getattr(stream, "reconfigure", None):
            reconfigure(errors="backslashreplace")
    try:
        given = parser().parse_args(argv)
        given.run(given)
        sys.stdout.flush()
    except GridlosError as error:
        return _told(*(error.problems if isinstance(error, EditionError | QuestionError) else [str(error)]))
    except BrokenPipeError:
        _drop_output()
        return BROKEN_PIPE
    except OSError as error:
        _drop_output()
        return _told(f"{error.filename or 'stdout'}: {error.strerror or error}")
    except KeyboardInterrupt:
        return STOPPED
    return 0


def _told(*problems: str) -> int:
    """Say what is wrong, a line a problem."""
    tell(problems)
    return BAD_INPUT


def _drop_output() -> None:
    """Point stdout to nowhere, so that the interpreter's last flush does not fail once more."""
    try:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)
    except (OSError, ValueError):  # a stdout without a descriptor has no such flush
        return

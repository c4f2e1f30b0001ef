"""Reading and writing whole files: limits, what a file is by its first bytes, writing all or nothing."""

from __future__ import annotations

import os
import secrets
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from gridlos.errors import MapFileError

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["DEFAULT_LIMITS", "Limits", "read_bytes", "text_from", "write_bytes"]


@dataclass(frozen=True, slots=True)
class Limits:
    """What a file may hold at most; a caller who wants more says so.

    Attributes
    ----------
    file_bytes
        256 MiB: the largest public maps carry a picture of 30 MB. A file is read into memory whole.
    squares
        2,000,000: the largest public maps have 1024 by 1024. A square costs a few bytes in each of a dozen arrays.
    walls
        100,000: twenty times the largest public scene (5,176). A wall costs about a kilobyte.
    creatures
        1,000: every pair of them is asked about, which makes a million answers.
    """

    file_bytes: int = 256 * 2**20
    squares: int = 2_000_000
    walls: int = 100_000
    creatures: int = 1_000

    def check(self, file: str, *, squares: int = 0, walls: int = 0, creatures: int = 0) -> None:
        """Raise MapFileError if a scene holds more than that."""
        for noun, count in (("squares", squares), ("walls", walls), ("creatures", creatures)):
            limit: int = getattr(self, noun)
            if count > limit:
                raise MapFileError(file, f"{count} {noun}, and the limit is {limit}; Limits({noun}={count}) allows it")


DEFAULT_LIMITS = Limits()

_SIGNATURES: Sequence[tuple[bytes, str]] = (
    (b"version https://git-lfs", "a pointer of Git LFS and not the map itself; run `git lfs pull` where it comes from"),
    (b"PK\x03\x04", "a zip archive; unpack it and give a map in it"),
    (b"\x1f\x8b", "a gzip archive; unpack it first"),
    (b"\x89PNG", "a PNG picture; gridlos reads the map's data, not its picture"),
    (b"\xff\xd8\xff", "a JPEG picture; gridlos reads the map's data, not its picture"),
    (b"GIF8", "a GIF picture; gridlos reads the map's data, not its picture"),
    (b"RIFF", "a WebP picture or a sound; gridlos reads the map's data"),
    (b"%PDF", "a PDF document; gridlos reads the map's data"),
    (b"\xff\xfe", "text in UTF-16; save it as UTF-8"),
    (b"\xfe\xff", "text in UTF-16; save it as UTF-8"),
)


def read_bytes(path: str | os.PathLike[str], *, limits: Limits) -> bytes:
    """Return a file's content; MapFileError for what is no file, cannot be read or is too large."""
    file = os.fspath(path)
    try:
        with Path(path).open("rb") as stream:
            content = stream.read(limits.file_bytes + 1)
    except FileNotFoundError:
        raise MapFileError(file, "there is no such file") from None
    except IsADirectoryError:
        raise MapFileError(file, "this is a folder; give a file in it") from None
    except (OSError, RuntimeError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise MapFileError(file, f"cannot be read: {reason}") from error
    if len(content) > limits.file_bytes:
        problem = f"the file has more than {limits.file_bytes} bytes; Limits(file_bytes=...) allows more"
        raise MapFileError(file, problem)
    return content


def text_from(content: bytes, file: str) -> str:
    """Return the text of a file, without a byte order mark; MapFileError for what is no text in UTF-8."""
    for signature, meaning in _SIGNATURES:
        if content.startswith(signature):
            raise MapFileError(file, f"the file is {meaning}")
    if not content.strip():
        raise MapFileError(file, "the file is empty; give a scene file or a drawing")
    if b"\0" in content[:8192]:
        raise MapFileError(file, "the file is binary data; give a scene file or a drawing")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        before = content[: error.start]
        line = before.count(b"\n") + 1
        column = len(before) - (before.rfind(b"\n") + 1) + 1
        problem = f"byte 0x{content[error.start]:02x} is not UTF-8; save the file as UTF-8"
        raise MapFileError(file, problem, f"line {line}, byte {column}") from None


def write_bytes(path: str | os.PathLike[str], content: bytes) -> None:
    """Write a whole file or nothing: what stood there stays until all is written.

    Raises
    ------
    MapFileError
        If it cannot be written.
    """
    try:
        target = Path(path).resolve()
        if target.exists() and not target.is_file():  # a device or a pipe is written to, not replaced
            with target.open("wb") as stream:
                stream.write(content)
            return
        part = target.with_name(f".{target.name}.{secrets.token_hex(4)}.part")
        try:
            with part.open("xb") as stream:
                stream.write(content)
                stream.flush()
                os.fsync(stream.fileno())
            if target.exists():
                part.chmod(target.stat().st_mode & 0o7777)
            part.replace(target)
        finally:
            part.unlink(missing_ok=True)
    except (OSError, RuntimeError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise MapFileError(os.fspath(path), f"cannot be written: {reason}") from error

"""``python -m gridlos`` is the command line."""

from gridlos.cli import main

if __name__ == "__main__":
    raise SystemExit(main())

"""The seeded battle maps of :mod:`gridlos.bench.generate`; ``maps/dungeon.scene.json`` is ``dungeon(40, 60, 40, seed=13)``."""

from gridlos.bench.generate import cave, dungeon, open_field

__all__ = ["cave", "dungeon", "open_field"]

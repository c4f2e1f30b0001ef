"""Whole scenes for hypothesis: every key of a scene file, on maps small enough to fail legibly."""

from __future__ import annotations

from hypothesis import strategies as st

from gridlos.battlemap import BattleMap
from gridlos.creature import SQUARES_BY_SIZE, CarriedLight, Creature, Senses
from gridlos.records import Light, Override
from gridlos.scene import Scene
from gridlos.walls import KINDS, SquareKind, Threshold, Wall

feet = st.one_of(st.integers(0, 60).map(float), st.floats(0, 1e6, allow_nan=False))
STANDING = ("low wall", "obstacle")  # they have a band of their own, with which half of another may be empty
band_feet = st.floats(-100, 100, allow_nan=False)
words = st.one_of(
    st.sampled_from(["A", "B", "7", "ogre", "large", "open", "old Tom", "-", "true", "on=3", '"', "Ünal"]),
    st.text(min_size=1, max_size=8),
)
json_values = st.recursive(
    st.one_of(
        st.none(),
        st.booleans(),
        st.integers(-(2**50), 2**50),
        st.floats(allow_nan=False, allow_infinity=False),
        st.text(max_size=5),
    ),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(st.text(max_size=4), inner, max_size=3)),
    max_leaves=5,
)
covers = st.one_of(
    st.none(), st.sampled_from(["none", "light", "partial", "standard", "improved", "total", "1/4", "2/2"])
)
maybe = st.one_of(st.none(), st.booleans())


@st.composite
def bands(draw):
    bottom, top = draw(st.one_of(st.none(), band_feet)), draw(st.one_of(st.none(), band_feet))
    return {"bottom": bottom, "top": top} if bottom is None or top is None or bottom < top else {}


square_kinds = st.builds(
    lambda band, **keys: SquareKind(**keys, **(band if keys["kind"] not in STANDING else {})),
    band=bands(),
    kind=st.sampled_from(sorted(KINDS)),
    elevation=st.one_of(st.none(), band_feet),
    effect=maybe,
    sight=maybe,
    cover=covers,
    concealment=st.one_of(st.none(), st.sampled_from(["none", "light", "concealed", "heavy", "total", "3/4"])),
)
coordinates = st.one_of(
    st.integers(-2, 8).map(float),
    st.integers(-16, 64).map(lambda n: n / 8),
    st.integers(-100, 800).map(lambda n: n / 100),
    st.floats(-3, 9, allow_nan=False),
)
points = st.tuples(coordinates, coordinates)


@st.composite
def walls(draw, name=None):
    kind = draw(st.sampled_from(sorted(KINDS)))
    state = draw(st.sampled_from([None, "open", "closed", "locked"])) if KINDS[kind].is_door else None
    channel = st.sampled_from([None, True, False, "limited"])
    return Wall(
        start=draw(points),
        end=draw(points),
        kind=kind,
        state=state,
        id=name,
        effect=draw(channel),
        sight=draw(channel),
        cover=draw(covers),
        blocks_from=draw(st.sampled_from([None, "left", "right"])),
        **draw(bands()),
        threshold=draw(
            st.one_of(st.none(), st.builds(Threshold, kind=st.sampled_from(["proximity", "distance"]), feet=feet))
        ),
        extra=draw(st.one_of(st.none(), json_values)),
    )


@st.composite
def creatures(draw, name, squares):
    size = draw(st.sampled_from(sorted(SQUARES_BY_SIZE)))
    x, y = draw(st.sampled_from(sorted(squares)))
    own = SQUARES_BY_SIZE[size]
    space = draw(st.one_of(st.none(), st.tuples(st.sampled_from([0.5, 1, 2]), st.sampled_from([0.25, 1, 3]))))
    width, height = (own, own) if space is None else (max(space[0], 1), max(space[1], 1))
    if not {(column, row) for column in range(x, x + int(width)) for row in range(y, y + int(height))} <= squares:
        size, space = draw(st.sampled_from(["medium", "tiny"])), draw(st.sampled_from([None, (1, 1), (0.5, 0.5)]))
    if size in ("fine", "diminutive", "tiny"):
        x, y = x + draw(st.sampled_from([0, 0.5])), y + draw(st.sampled_from([0, 0.5]))
    return Creature(
        id=name,
        at=(x, y),
        size=size,
        space=space,
        name=draw(st.text(max_size=5)),
        side=draw(st.one_of(words, st.just("neutral"))),
        reach=draw(st.one_of(st.none(), feet)),
        reach_min=draw(feet),
        elevation=draw(st.one_of(st.none(), band_feet)),
        height=draw(st.one_of(st.none(), st.floats(0.5, 50))),
        dexterity=draw(st.one_of(st.none(), st.integers(-5, 12))),
        shield=draw(st.integers(0, 4)),
        weapon=draw(st.one_of(st.none(), words)),
        armed=draw(st.booleans()),
        senses=Senses(darkvision=draw(feet), low_light=draw(st.booleans())),
        conditions=tuple(draw(st.lists(words, max_size=2))),
        gives_cover=draw(st.one_of(maybe, st.lists(words, max_size=2).map(tuple))),
        can_be_flanked=draw(st.booleans()),
        light=draw(st.one_of(st.none(), st.builds(CarriedLight, bright=feet, dim=feet, on=st.booleans()))),
        hidden=draw(st.booleans()),
        extra=draw(st.one_of(st.none(), json_values)),
    )


@st.composite
def scenes(draw, plain=False):
    """A scene; plain: walls and open squares, and creatures with no more than an id and a place."""
    cols, rows = draw(st.integers(1, 7)), draw(st.integers(1, 6))
    legend = {} if plain else draw(st.dictionaries(st.sampled_from("wxTq7| é"), square_kinds, max_size=3))
    letters = ".#" if plain else "".join(sorted({*".#wcfbs~ ", *legend}))
    lines = draw(st.lists(st.text(letters, min_size=cols, max_size=cols), min_size=rows, max_size=rows))
    ids = draw(st.lists(words, max_size=4, unique=True))
    if plain:
        battle_map = BattleMap.from_rows(lines)
    else:
        names = draw(st.lists(words, max_size=2, unique=True))
        wall_list = [draw(walls(name=name)) for name in [*names, *[None] * draw(st.integers(0, 2))]]
        battle_map = BattleMap.from_rows(
            lines,
            legend=legend,
            walls=wall_list,
            feet_per_square=draw(st.sampled_from([5.0, 10.0, 2.5])),
            subdivisions=draw(st.one_of(st.none(), st.integers(1, 300))),
        )
    free = {(x, y) for y in range(rows) for x in range(cols) if not battle_map.is_solid(x, y)}
    if not free:
        ids = []
    if plain:
        return Scene(battle_map, tuple(Creature(id=name, at=draw(st.sampled_from(sorted(free)))) for name in ids))
    found = [draw(creatures(name=name, squares=free)) for name in ids]
    lights = st.builds(
        Light,
        at=points,
        bright=feet,
        dim=feet,
        on=st.booleans(),
        hidden=st.booleans(),
        extra=st.one_of(st.none(), json_values),
    )
    overrides = st.builds(
        Override,
        target=st.sampled_from(ids or ["-"]),
        attacker=st.sampled_from([None, *ids]),
        degree=st.one_of(st.none(), words),
        veto=st.booleans(),
        note=st.text(max_size=6),
    )
    return Scene(
        battle_map=battle_map,
        creatures=tuple(found),
        lights=tuple(draw(st.lists(lights, max_size=2))),
        light=draw(st.sampled_from(["bright", "dim", "dark"])),
        options=draw(st.dictionaries(words, json_values, max_size=2)),
        overrides=tuple(draw(st.lists(overrides, max_size=2))) if ids else (),
        name=draw(st.text(max_size=8)),
        extra=draw(st.one_of(st.none(), json_values)),
    )

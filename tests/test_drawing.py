import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from scene_strategies import scenes

from gridlos.creature import Creature
from gridlos.drawing import parse_drawing
from gridlos.errors import SceneError
from gridlos.records import Light, Override
from gridlos.scene import Scene
from gridlos.walls import SquareKind, Threshold, Wall


def test_bare_drawing():
    scene = Scene.from_drawing("..A#T.")
    assert scene.creatures == (Creature(id="A", at=(2, 0)), Creature(id="T", at=(4, 0)))
    assert scene.battle_map.to_rows() == ["...#.."]


def test_creatures_without_a_line_come_in_reading_order():
    assert Scene.from_drawing("..T\nA1.").ids == ("T", "A", "1")


def test_a_big_creature_is_a_rectangle():
    scene = Scene.from_drawing("OO.HHHB\nOO.HHHB\n...HHH.")
    assert [(creature.id, creature.size, creature.space) for creature in scene.creatures] == [
        ("O", "large", None),
        ("H", "huge", None),
        ("B", "medium", (1, 2)),
    ]
    assert scene.spaces.tolist() == [[0, 0, 2, 2], [3, 0, 3, 3], [6, 0, 1, 2]]


def test_indentation_and_blank_lines_do_not_matter():
    indented = """

        A.#
        ..T

          T ogre monsters

    """
    assert Scene.from_drawing(indented) == Scene.from_drawing("A.#\r\n..T\r\n\r\nT ogre monsters\r\n")


def test_everything_that_a_line_can_say():
    scene = Scene.from_drawing(
        """
        ########
        #T.w.OO#
        #A...OO#
        #...xR.#
        ########

        A archer small party dexterity=3 weapon=bow conditions=["prone", "bound"] senses={"darkvision":60}
        O "old ogre" large monsters reach=10.0
        R side=party at=[5.5,3] size=tiny on=f
        - bat tiny at=[5.5,3.5]
        wall gate (4, 1)-(4, 2) door closed
        wall (5.25, 1.5)-(6.75,2.0) top=10 threshold={"kind":"proximity","feet":10}
        wall "the hatch" (1,1) - (2, 1) secret door locked cover=1/4
        wall (0, 0)-(1, 0) open
        light torch (2.5, 1.5) bright=20 dim=40
        light (0, 0)
        legend x low wall top=3 effect=true
        legend T open
        override attacker=archer target="old ogre" degree=cover note="the gate swings"
        option partial=lines count=3 flag=true
        scene name="Gate house" feet_per_square=10 subdivisions=8 light=dim extra={"a":[1]}
        """
    )
    assert scene.battle_map.to_rows() == ["########", "#T.w...#", "#......#", "#...xf.#", "########"]
    assert scene.battle_map.legend["x"] == SquareKind(kind="low wall", top=3, effect=True)
    assert scene.battle_map.walls == (
        Wall(start=(4, 1), end=(4, 2), kind="door", id="gate", state="closed"),
        Wall(start=(5.25, 1.5), end=(6.75, 2), top=10, threshold=Threshold(kind="proximity", feet=10)),
        Wall(start=(1, 1), end=(2, 1), kind="secret door", id="the hatch", state="locked", cover="1/4"),
        Wall(start=(0, 0), end=(1, 0), kind="open"),
    )
    archer, ogre, rat, bat = scene.creatures
    assert archer.occupied == (1, 2, 1, 1)
    assert (archer.id, archer.size, archer.side, archer.dexterity, archer.weapon) == (
        "archer",
        "small",
        "party",
        3,
        "bow",
    )
    assert (archer.conditions, archer.senses.darkvision) == (("prone", "bound"), 60)
    assert (ogre.id, ogre.occupied, ogre.side, ogre.reach) == ("old ogre", (5, 1, 2, 2), "monsters", 10)
    assert rat == Creature(id="R", at=(5.5, 3), size="tiny", side="party")
    assert bat == Creature(id="bat", at=(5.5, 3.5), size="tiny")
    assert scene.lights == (Light(at=(2.5, 1.5), id="torch", bright=20, dim=40), Light(at=(0, 0)))
    assert scene.overrides == (Override(attacker="archer", target="old ogre", degree="cover", note="the gate swings"),)
    assert dict(scene.options) == {"partial": "lines", "count": 3, "flag": True}
    assert (scene.name, scene.light, scene.extra) == ("Gate house", "dim", {"a": [1]})
    assert (scene.battle_map.feet_per_square, scene.battle_map.subdivisions) == (10, 8)
    assert Scene.from_drawing(scene.to_drawing()) == scene


def test_more_from_the_caller():
    scene = Scene.from_drawing(
        "A.x.T\n\nwall (0, 0)-(1, 0)",
        walls=[(2, 0, 2, 1), Wall(start=(3, 0), end=(3, 1), kind="window")],
        legend={"x": "water", "y": SquareKind(kind="fog", top=3)},
        creatures={"T": {"side": "party", "size": "small"}},
        options={"partial": "off"},
    )
    assert [wall.start for wall in scene.battle_map.walls] == [(0, 0), (2, 0), (3, 0)]
    assert scene.battle_map.kind_of(2, 0).kind == "water"
    assert scene.battle_map.legend["y"].top == 3
    assert (scene.creature("T").side, scene.creature("T").size) == ("party", "small")
    assert scene.options["partial"] == "off"


def test_the_legend_of_the_caller_takes_capital_letters():
    scene = Scene.from_drawing("AT", legend={"T": "brush"})
    assert scene.ids == ("A",)
    assert scene.battle_map.to_rows() == [".T"]


def test_void_at_the_border_stands_between_bars():
    scene = Scene.from_drawing("|  A|\n|   |\n|#  |")
    assert scene.battle_map.to_rows() == ["  .", "   ", "#  "]
    assert scene.to_drawing() == "|  A|\n|   |\n|#  |\n"


def test_bars_can_be_squares():
    scene = Scene.from_drawing("||..||\n||A.||", legend={"|": "fence"})
    assert scene.battle_map.to_rows() == ["|..|", "|..|"]
    assert Scene.from_drawing(scene.to_drawing()) == scene


def test_blanks_inside_are_void():
    assert Scene.from_drawing("#. .#\n#.A.#").battle_map.terrain[0].tolist() == [3, 0, 3, 0, 3]


def test_what_is_written():
    scene = Scene.from_drawing("A.T\n\nA archer party\nT Tom monsters dexterity=2\nwall (1, 0)-(1, 1) door open")
    assert scene.to_drawing() == "A.T\n\nA archer party\nT Tom monsters dexterity=2\nwall (1, 0)-(1, 1) door open\n"


def test_plain_creatures_need_no_line():
    assert Scene.from_drawing("A.OO\n..OO").to_drawing() == "A.OO\n..OO\n"


def test_order_needs_lines():
    drawing = Scene.from_drawing("A.T\n\nT\nA").to_drawing()
    assert drawing == "A.T\n\nT\nA\n"
    assert Scene.from_drawing(drawing).ids == ("T", "A")


def test_marks():
    scene = Scene.from_drawing("A.#.T\n.....")
    assert scene.to_drawing(marks={(2, 0): "x", (3, 1): "*"}) == "A.x.T\n...*.\n"
    with pytest.raises(SceneError, match=r"\(5, 0\) is off the map"):
        scene.to_drawing(marks={(5, 0): "x"})


def test_creatures_that_share_squares():
    scene = Scene.from_drawing("HH.\nHH.\n\nH horse large\n- rider at=[0,0] mount=horse")
    assert scene.to_drawing() == "HH.\nHH.\n\nH horse\n- rider at=[0,0] mount=horse\n"
    assert Scene.from_drawing(scene.to_drawing()) == scene


def test_more_creatures_than_marks():
    creatures = tuple(Creature(id=f"c{number}", at=(number % 10, number // 10)) for number in range(40))
    scene = Scene.from_drawing("\n".join(["." * 10] * 4)).with_creatures(creatures)
    assert scene.to_drawing().count("\n- ") == 4
    assert Scene.from_drawing(scene.to_drawing()) == scene


@settings(max_examples=150, deadline=None)
@given(scenes())
def test_round_trip(scene):
    assert Scene.from_drawing(scene.to_drawing()) == scene


@settings(max_examples=50, deadline=None)
@given(scenes(plain=True))
def test_round_trip_of_plain_scenes(scene):
    assert Scene.from_drawing(scene.to_drawing()) == scene


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("", "$.squares", "without squares"),
        ("\n \n", "$.squares", "without squares"),
        ("...\n..", "line 2", "2 letters, the first row has 3"),
        ("\n\n.x.", "line 3", "unknown letter 'x'"),
        ("A.A", "line 1", "marked A are no rectangle"),
        ("..\nA.\n.A", "line 2", "no rectangle"),
        ("A.\n\nB archer", "line 3", "no square is marked B"),
        ("A.\n\nA archer\nA ogre", "line 4", "second line for creature A"),
        ("A.\n\nA archer large", "line 3", "drawn on 1 by 1 squares"),
        ("A.\n\nA archer at=[1,0]", "line 3", "at \\[1, 0\\]"),
        ("A.\n\nA archer small tiny", "line 3", "two words for the size: small and tiny"),
        ("A.\n\nA archer party monsters", "line 3", "two words for the side: party and monsters"),
        ("A.\n\nA archer dexterty=2", "line 3", "did you mean 'dexterity'"),
        ("A.\n\nA archer dexterity=2 dexterity=3", "line 3", "dexterity is given twice"),
        ("A.\n\nA archer dexterity=high", "line 3", "expected a whole number, got a text"),
        ("A.\n\nA archer size=[1]", "line 3", "size: expected a text, got a list"),
        ("A.\n\nA archer at=3", "line 3", "expected a list"),
        ("A.\n\nA archer on=12", "line 3", "no letter of the map"),
        ("A.\n\nA archer on=x", "line 1", "unknown letter 'x'"),
        ("A.\n\nA archer on=#", "line 3", "solid square"),
        ("A.\n\nA archer id=", "line 3", "empty id"),
        ("A.\n\n- bat", "line 3", '"at" is missing'),
        ("A.\n\n- at=[1,0]", "line 3", '"id" is missing'),
        ("A.\n\n- bat at=[7,0]", "line 3", "off the map"),
        ("AB\n\nA x\nB x", "line 3", "2 creatures have the id 'x'"),
        ("A.\n\nwal (0, 0)-(1, 0)", "line 3", "begins with 'wal'"),
        ("A.\n\nwall (0, 0)", "line 3", "is no wall; write: wall id"),
        ("A.\n\nwall (0, 0)-(1, x)", "line 3", "is no wall"),
        ("A.\n\nwall (0, 0)-(1, 1e999)", "line 3", "finite"),
        ("A.\n\nwall (0, 0)-(1, 99999999)", "line 3", "too large"),
        ("A.\n\nwall (0, 0)-(1, 0) dor", "line 3", "did you mean 'door'"),
        ("A.\n\nwall (0, 0)-(1, 0) wall open", "line 3", "only doors"),
        ("A.\n\n\nwall a (0, 0)-(1, 0)\nwall a (0, 0)-(1, 0)", "line 4", "2 walls"),
        ("A.\n\nlight 3", "line 3", "is no light; write: light id"),
        ("A.\n\nlight (0, 0) torch", "line 3", "'torch' has no value"),
        ("A.\n\nlight (0, 0) brigt=3", "line 3", "did you mean 'bright'"),
        ("A.\n\nlegend x wal", "line 3", "did you mean 'wall'"),
        ("A.\n\nlegend", "line 3", "one printable letter"),
        ("A.\n\noverride archer", "line 3", "'archer' has no value"),
        ("A.\n\noverride target=T", "line 3", "no creature has the id 'T'"),
        ("A.\n\noption a=1\noption a=2", "line 4", "a is given twice"),
        ("A.\n\noption partial", "line 3", "'partial' has no value; write option partial=value"),
        ("A.\n\nscene nam=x", "line 3", "did you mean 'name'"),
        ("A.\n\nscene subdivisions=0", "line 3", "subdivisions|whole number >= 1"),
        ("A.\n\nscene squares=3", "line 3", "unknown key 'squares'"),
        ("A.\n\nscene feet_per_square=NaN", "line 3", "expected a number, got a text"),
    ],
)
def test_refused_drawings(text, line, words):
    with pytest.raises(SceneError, match=words) as caught:
        Scene.from_drawing(text)
    assert caught.value.place.partition(",")[0] == line


def test_unknown_creature_of_the_caller():
    with pytest.raises(SceneError, match="no creature has the id 'B'"):
        Scene.from_drawing("A", creatures={"B": {}})


def test_lines_of_parts():
    parsed = parse_drawing("\n A.\n ..\n\n wall (0, 0)-(1, 0)")
    assert parsed.lines == {"$.squares[0]": 2, "$.squares[1]": 3, "$.walls[0]": 5, "$.creatures[0]": 2}
    assert parsed.place("$.walls[0].from[1]") == "line 5, from[1]"
    assert parsed.place("$.walls[0]") == "line 5"
    assert parsed.place("$.walls[1]") == "$.walls[1]"
    assert parsed.place("$.extra") == "$.extra"


pieces = st.sampled_from(
    [
        "A",
        "B",
        "..",
        "#",
        "\n",
        "\n\n",
        " ",
        "wall ",
        "(0, 0)",
        "-",
        "(1, 1)",
        "door",
        "open",
        "=",
        "at=",
        "[1,0]",
        '"',
        "light ",
        "legend ",
        "x",
        "{",
        "}",
        "scene ",
        "override ",
        "target=A",
        "option ",
        "a=",
        "1e999",
        "NaN",
        "on=",
        "large",
        "\\",
        "space=",
        "size=",
    ]
)


@settings(max_examples=300, deadline=None)
@given(st.lists(pieces, max_size=25).map("".join))
@example("A\n\nA space=[1e999,1]")
@example("A\n\nA at=[1e999,NaN]")
@example("A\n\nA at=[true,false]")
@example("A\n\nlegend x kind=[1]")
@example("A\n\nscene options=3\noption a=3")
def test_any_text_is_a_scene_or_one_error(text):
    try:
        scene = Scene.from_drawing(text)
    except SceneError:
        return
    assert Scene.from_drawing(scene.to_drawing()) == scene

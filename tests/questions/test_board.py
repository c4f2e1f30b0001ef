"""A board: its answers are those of a fresh evaluation after any changes, and it returns the pairs whose answers have changed."""

from __future__ import annotations

import boards
import msgspec
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import gridlos
from gridlos.creature import CarriedLight, Creature
from gridlos.errors import QuestionError, SceneError
from gridlos.questions.recall import Memory
from gridlos.walls import Wall

few = settings(max_examples=max(5, settings().max_examples // 2))

ROOM = """
.........
.A..#..T.
.B..#....
....#..U.
........O
"""


def room(edition="pathfinder1", *, drawing=ROOM, **more):
    question = {name: more.pop(name) for name in ("attack", "observer", "options") if name in more}
    return gridlos.Board(gridlos.Scene.from_drawing(drawing, **more), edition=edition, **question)


@few
@given(st.data())
def test_a_board_is_a_fresh_evaluation_after_any_changes(counts, data):
    changes, pairs = boards.run(lambda bound: data.draw(st.integers(0, bound - 1)), 4, verdicts=1)
    counts["pairs of boards after a change"] += pairs
    counts["changes of boards"] += changes


@pytest.mark.parametrize("seed", range(40))
def test_seeded_boards(seed):
    rng = np.random.default_rng(seed)
    boards.run(lambda bound: int(rng.integers(bound)), 5, verdicts=1)


@pytest.mark.parametrize("seed", range(40))
def test_seeded_boards_on_plain_maps(seed):
    rng = np.random.default_rng(seed)
    boards.run(lambda bound: int(rng.integers(bound)), 6, verdicts=0, build=boards.build_plain_board)


def test_a_move_returns_pairs_and_their_new_answers():
    board = room()
    changed = board.move("A", (6, 1))
    assert ("A", "T") in changed
    assert ("T", "A") in changed
    assert ("U", "O") not in changed
    place = changed.ids.index(("A", "T"))
    assert board.evaluation.degrees[changed.columns["cover"][place]] == board.evaluation["A", "T"].cover == "none"
    assert board.scene.creature("A").at == (6, 1)
    assert len(board.move("A", (6, 1))) == 0


def test_who_steps_between_two_others_changes_their_answer():
    board = room(drawing="A...T\n.....\n..B..", creatures={"T": {"side": "raiders"}, "B": {"side": "others"}})
    changed = board.move("B", (2, 0))
    assert {("A", "T"), ("T", "A")} <= set(changed)
    assert board.evaluation["A", "T"].soft


def test_who_gives_cover_against_one_side_changes_the_attacks_of_that_side():
    sides = {"A": {"side": "party"}, "T": {"side": "raiders"}, "B": {"side": "others", "gives_cover": ("party",)}}
    board = room(drawing="A...T\n.....\n..B..", creatures=sides)
    changed = board.move("B", (2, 0))
    assert ("T", "A") in changed
    assert ("A", "T") not in changed
    assert board.evaluation["T", "A"].soft
    assert not board.evaluation["A", "T"].soft


def test_a_partner_who_comes_and_goes():
    sides = {"T": {"side": "raiders"}, "A": {"side": "party"}, "B": {"side": "party"}}
    board = room(attack="melee", drawing="A....\n.T...\n....B", creatures=sides)
    assert ("A", "T") in board.move("B", (2, 2))
    assert board.evaluation["A", "T"].flanked
    assert ("A", "T") in board.set_condition("B", "unconscious")
    assert not board.evaluation["A", "T"].flanked
    assert ("A", "T") in board.set_condition("B", "unconscious", on=False)
    assert ("A", "T") in board.remove("B")
    assert not board.evaluation["A", "T"].flanked


def test_a_rider_fights_from_where_its_mount_goes():
    more = {"A": {"mount": "H", "side": "party"}, "H": {"side": "party", "size": "large"}, "T": {"side": "raiders"}}
    board = room(attack="melee", drawing="A......\n.......\n....T..\nH......\n.......", creatures=more)
    assert not board.evaluation["A", "T"].in_reach
    assert ("A", "T") in board.move("H", (5, 2))
    assert board.evaluation["A", "T"].in_reach


def test_doors_by_id_and_by_place():
    walls = [
        Wall(start=(2, 0), end=(2, 2), kind="door", id="gate"),
        Wall(start=(4, 0), end=(4, 2), kind="door"),
        Wall(start=(6, 0), end=(6, 2)),
    ]
    board = room(drawing="A.B.C.D\n.......", walls=walls)
    assert set(board.open_door("gate").ids) == {("A", "B"), ("B", "A")}
    assert set(board.open_door(1).ids) == {(a, b) for a in "ABC" for b in "ABC" if a != b} - {("A", "B"), ("B", "A")}
    assert len(board.open_door(1)) == 0
    assert set(board.close_door("gate").ids) == {("A", "B"), ("B", "A"), ("A", "C"), ("C", "A")}
    assert len(board.open_door("gate", "locked")) == 0
    boards.refused(board, "open_door", "gte", match="'gate'")
    boards.refused(board, "open_door", 2, match="only doors have a state")
    boards.refused(board, "open_door", 3, match="no wall 3")
    boards.refused(board, "open_door", -1, match="no wall -1")
    boards.refused(board, "open_door", "gate", "ajar", match="ajar")
    boards.refused(board, "open_door", 1, "ajar", match="ajar")


def test_who_comes_is_told_with_all_of_its_pairs():
    board = room()
    changed = board.add(Creature(id="Q", at=(3, 3)))
    assert {pair for pair in changed if "Q" in pair} == {(a, t) for n in "ABTUO" for a, t in ((n, "Q"), ("Q", n))}
    assert board.scene.ids[-1] == "Q"
    gone = board.remove("Q")
    assert not any("Q" in pair for pair in gone)
    boards.assert_same(board.evaluation, room().evaluation)


def test_a_board_may_begin_and_end_empty():
    board = room(drawing="...")
    assert len(board.evaluation) == 0
    assert len(board.add(Creature(id="a", at=(0, 0)))) == 0
    assert set(board.add(Creature(id="b", at=(2, 0))).ids) == {("a", "b"), ("b", "a")}
    assert len(board.move("a", (1, 0))) == 2
    for name in "ab":
        assert len(board.remove(name)) == 0
    boards.assert_same(board.evaluation, room(drawing="...").evaluation)


def test_what_is_refused_changes_nothing():
    board = room()
    boards.refused(board, "move", "A", (-1, 0), match=r"creature 'A' at \(-1, 0\) is off the map")
    boards.refused(board, "move", "A", (4, 2), match=r"stands on the solid square \(4, 2\), which is wall")
    boards.refused(board, "move", "A", (0.5, 0), match="whole squares")
    boards.refused(board, "move", "Q", (0, 0), match="no creature has the id 'Q'")
    boards.refused(board, "remove", "Q", match="no creature has the id 'Q'")
    boards.refused(board, "add", Creature(id="A", at=(0, 0)), match="2 creatures have the id 'A'")
    boards.refused(board, "set_condition", "A", "stuned", match="unknown condition 'stuned'", error=QuestionError)
    boards.refused(board, "add", Creature(id="Q", at=(0, 0), conditions=("stuned",)), match="stuned", error=QuestionError)
    with pytest.raises(SceneError, match="carries no light"):
        board.set_light("A", on=True)


@pytest.mark.parametrize(("method", "name"), [("move", "A"), ("remove", "H")])
def test_errors_are_those_of_a_scene(method, name):
    more = {"A": {"mount": "H"}}
    board = room(drawing="A.H", creatures=more)
    creatures = board.scene.creatures
    if method == "move":
        moved = [msgspec.structs.replace(one, at=(7, 0)) if one.id == name else one for one in creatures]
        arguments = (name, (7, 0))
    else:
        moved, arguments = [one for one in creatures if one.id != name], (name,)
    with pytest.raises(SceneError) as expected:
        board.scene.with_creatures(moved)
    with pytest.raises(SceneError) as found:
        getattr(board, method)(*arguments)
    assert str(found.value) == str(expected.value)


def test_a_light_in_somebodys_hand():
    scene = gridlos.Scene.from_drawing("A......T", creatures={"A": {"light": CarriedLight(bright=20, dim=40, on=False)}})
    record = msgspec.structs.replace(scene.to_record(), light="dark")
    board = gridlos.Board(gridlos.Scene.from_record(record), edition="dnd5e")
    assert board.evaluation["T", "A"].concealment == "heavily obscured"
    assert ("T", "A") in board.set_light("A", on=True)
    assert board.evaluation["T", "A"].concealment == "none"
    board.move("A", (1, 0))
    assert len(board.set_light("A", on=True)) == 0


def test_who_is_hidden_from_the_observer_changes_nothing():
    more = {"B": {"hidden": True, "side": "raiders"}, "A": {"side": "party"}, "T": {"side": "raiders"}}
    board = room(drawing="A...T\n..B..", creatures=more, observer="party")
    assert board.evaluation.attackers == ("A", "T")
    assert len(board.move("B", (2, 0))) == 0
    assert board.scene.creature("B").at == (2, 0)
    assert len(board.remove("B")) == 0


def test_effects_on_areas_are_none_of_a_board():
    with pytest.raises(QuestionError, match="origin"):
        room(attack="area")


@pytest.mark.parametrize("edition", ["pathfinder1", "dnd5e"])
def test_few_pairs_are_asked_again(edition, monkeypatch):
    asked = []
    plain = Memory.answers

    def counted(memory, *told):
        found = plain(memory, *told)
        asked.append(len(found[0]))
        return found

    monkeypatch.setattr(Memory, "answers", counted)
    drawing = "\n".join(["A.B.C.D.E.F.G.H", *["." * 15] * 5, "I.J.K.L.M.N.O.P"])
    board = room(edition, drawing=drawing)
    board.move("A", (1, 0))
    assert asked.pop() < 16 * 16 / 2
    board.set_condition("I", "prone")
    assert asked.pop() <= 2 * 16


@pytest.mark.parametrize("state", ["open", "closed"])
def test_doors_of_one_board_are_none_of_others_with_its_scene(state):
    """B beside the target is parted from it by a door: whether it is a partner in flanking is told by each board's own map."""
    other = "closed" if state == "open" else "open"
    door = Wall(start=(4, 0), end=(4, 3), kind="door", state=other, id="gate")
    places = {"A": (0, 1), "B": (4, 1), "T": (3, 1)}
    creatures = [Creature(id=name, at=at, side="raiders" if name == "T" else "party") for name, at in places.items()]
    scene = gridlos.Scene(battle_map=gridlos.BattleMap.from_rows(["......"] * 3, walls=[door]), creatures=creatures)
    question = {"edition": "pathfinder1", "attack": "melee"}
    one, another = (gridlos.Board(scene, **question) for _ in range(2))
    one.open_door("gate", state)
    if state == "closed":
        gridlos.evaluate(scene, **question)
    for board in (another, one):
        board.move("A", (2, 1))
        boards.assert_same(board.evaluation, gridlos.evaluate(board.scene, **question))
    assert one.evaluation["A", "T"].flanked == (state == "open")
    assert another.evaluation["A", "T"].flanked == (state == "closed")

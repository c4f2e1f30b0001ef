import pytest

from gridlos.words import hint_for, nearest_word


@pytest.mark.parametrize(
    ("word", "near"),
    [("dor", "door"), ("Door", "door"), ("windw", "window"), ("doorr", "door"), ("xyz", None), ("", None)],
)
def test_nearest_word(word, near):
    assert nearest_word(word, ["door", "window", "wall"]) == near


def test_the_word_is_given_as_it_is_known():
    assert nearest_word("TORCH", ["Torch", "Lamp"]) == "Torch"


def test_hints():
    assert hint_for("dor", ["window", "door"]) == "did you mean 'door'?"
    assert hint_for("xyz", ["window", "door"]) == "known are door, window"
    assert hint_for("xyz", []) == "none is known"

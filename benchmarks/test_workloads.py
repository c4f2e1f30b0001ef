"""The workloads of ``gridlos bench`` and their peers, each checked before it is timed."""

from __future__ import annotations

import pytest

from gridlos.bench.workloads import WORKLOADS, SkippedError

ROUNDS = 20


@pytest.mark.parametrize("name", WORKLOADS)
def test_workload(benchmark, name):
    try:
        case = WORKLOADS[name].prepare()
    except SkippedError as error:
        pytest.skip(str(error))
    case.check()
    benchmark.group = WORKLOADS[name].title
    benchmark.extra_info.update(pairs=case.n_pairs, lines=case.n_lines, **case.facts)
    benchmark.pedantic(case.run, setup=lambda: ((case.fresh(),), {}), rounds=ROUNDS, warmup_rounds=1)


PEERS = [
    *[(name, "tcod") for name in WORKLOADS if name.startswith("squares-")],
    *[("lines-dungeon-60x40", peer) for peer in ("shapely", "numpy", "plain Python")],
    *[(name, "shapely") for name in WORKLOADS if name.startswith(("lines-cave-", "lines-real-"))],
]


@pytest.mark.parametrize(("name", "peer"), PEERS)
def test_peer(benchmark, name, peer):
    try:
        case = WORKLOADS[name].prepare()
    except SkippedError as error:
        pytest.skip(str(error))
    peers = {one.name: one for one in case.peers}
    assert set(peers) <= {asked for asking, asked in PEERS if asking == name}
    if peer not in peers:
        pytest.skip(f"{peer} is not installed")
    peers[peer].check()
    benchmark.group = WORKLOADS[name].title
    benchmark.pedantic(peers[peer].run, rounds=3)

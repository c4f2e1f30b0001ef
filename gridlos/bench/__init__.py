"""Measurements of the library by itself: named, seeded workloads, each checked before it is timed, and their peers.

``gridlos bench`` and ``benchmarks/`` run these.
"""

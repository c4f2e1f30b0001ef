"""The second judge: thin tubes as polygons minus the walls, and sampled segments, with shapely and floats.

It knows the definitions but not how the oracle decides. Coordinates are doubled lattice units, so that corners, centres
and wall ends are exact. A tube has a half-width far below the smallest distance of a lattice point from a line of a
small map; what could lie nearer (a crossing of two walls beside the path) makes the judge abstain.
"""

from __future__ import annotations

from itertools import combinations, pairwise

import numpy as np
import shapely
from shapely.geometry import LineString, MultiLineString, Point

WIDTH = 2e-4  # half the width of a tube
DISC = 5e-4  # radius of the disc round a corner
WALL = 1e-8  # half the thickness of a wall
MARGIN = 2e-3  # nearer features than this, which do not touch the path, make the judge abstain


def wall_lines(walls):
    """Every wall as a line, the map's border too; a solid square is its outline."""
    unit = 2 * walls.subdivisions
    boxes = [shapely.box(0, 0, unit * walls.cols, unit * walls.rows)]
    boxes += [shapely.box(unit * x, unit * y, unit * (x + 1), unit * (y + 1)) for x, y in walls.solid]
    lines = [LineString(pair) for box in boxes for pair in pairwise(box.exterior.coords)]
    lines += [LineString([(unit * x0, unit * y0), (unit * x1, unit * y1)]) for x0, y0, x1, y1 in walls.edges]
    lines += [LineString([(2 * x0, 2 * y0), (2 * x1, 2 * y1)]) for x0, y0, x1, y1 in walls.segments]
    return [line for line in lines if line.length > 0]


def centre_and_corner(walls, square, corner):
    unit = 2 * walls.subdivisions
    x, y = unit * square[0], unit * square[1]
    return (x + unit / 2, y + unit / 2), (x + unit * (corner & 1), y + unit * (corner >> 1))


def along(line, path):
    """Whether a wall lies on the endless line of the path."""
    (x0, y0), (x1, y1) = path
    return all((x1 - x0) * (y - y0) == (y1 - y0) * (x - x0) for x, y in line.coords)


def not_through(lines, centre, path):
    """The walls that count on the leg: without those that contain the centre, however they are split."""
    on_path = [line for line in lines if along(line, path)]
    rest = [line for line in lines if not along(line, path)]
    if on_path:
        joined = shapely.union_all(on_path)
        joined = shapely.line_merge(joined) if isinstance(joined, MultiLineString) else joined
        rest += list(shapely.get_parts(joined))
    return [line for line in rest if not line.intersects(Point(centre))]


def minus(shape, lines):
    """The connected parts of a shape that the walls leave."""
    if lines:
        solid = shapely.union_all([line.buffer(WALL, cap_style="square") for line in lines])
        shape = shape.difference(solid)
    return [part for part in shapely.get_parts(shape) if part.area > 0]


def strip(path):
    return LineString(path).buffer(WIDTH, cap_style="flat")


def is_doubtful(lines, paths):
    """Whether two walls cross beside a path, nearer than the margin, without touching it."""
    way = shapely.union_all([LineString(path) for path in paths])
    reach = way.buffer(MARGIN)
    beside = [line for line in lines if line.intersects(reach)]
    if any(0 < Point(end).distance(way) < MARGIN for line in beside for end in line.coords):
        return True
    for one, other in combinations(beside, 2):
        meeting = one.intersection(other)
        if not meeting.is_empty and meeting.geom_type == "Point" and 1e-9 < meeting.distance(way) < MARGIN:
            return True
    return False


def contact(walls, a, ca, b, cb):
    """0, 1 or 2 for clear, touches or blocked; None where a float cannot say."""
    (centre_a, p), (centre_b, q) = centre_and_corner(walls, a, ca), centre_and_corner(walls, b, cb)
    paths = [(centre_a, p), (centre_b, q)] + ([(p, q)] if p != q else [])
    box = shapely.union_all([LineString(path) for path in paths]).buffer(1).envelope
    lines = [line for line in wall_lines(walls) if line.intersects(box)]
    if is_doubtful(lines, paths):
        return None

    chain = [minus(strip((centre_a, p)), not_through(lines, centre_a, (centre_a, p)))]
    chain.append(minus(Point(p).buffer(DISC), lines))
    if p != q:
        chain.append(minus(strip((p, q)), lines))
        chain.append(minus(Point(q).buffer(DISC), lines))
    chain.append(minus(strip((centre_b, q)), not_through(lines, centre_b, (centre_b, q))))

    reached = [part for part in chain[0] if part.distance(Point(centre_a)) < WIDTH]
    for parts in chain[1:]:
        reached = [part for part in parts if any(part.intersection(known).area > WIDTH**2 / 1e3 for known in reached)]
    if not any(part.distance(Point(centre_b)) < WIDTH for part in reached):
        return 2
    line = Point(p) if p == q else LineString([p, q])
    return 1 if any(line.intersects(wall) for wall in lines) else 0


def random_points(rng, walls, space, n):
    """Points in the inside of a space, and the centres of their squares."""
    unit = 2 * walls.subdivisions
    x, y, width, height = space
    squares = np.stack([rng.integers(x, x + width, n), rng.integers(y, y + height, n)], axis=1)
    return unit * (squares + rng.random((n, 2))), unit * (squares + 0.5)


def guided_points(rng, walls, spaces, lines, n):
    """Points of the two spaces on lines that pass very near two wall ends or grid corners of the spaces."""
    unit = 2 * walls.subdivisions
    marks = [end for line in lines for end in line.coords]
    for x, y, width, height in spaces:
        marks += [(unit * (x + i), unit * (y + j)) for i in range(width + 1) for j in range(height + 1)]
    marks = np.array(marks, dtype=float)
    one, other = marks[rng.integers(len(marks), size=n)], marks[rng.integers(len(marks), size=n)]
    one = one + rng.normal(size=(n, 2)) * unit * 10.0 ** -rng.uniform(1, 5, (n, 1))
    other = other + rng.normal(size=(n, 2)) * unit * 10.0 ** -rng.uniform(1, 5, (n, 1))
    found, centres = [], []
    for x, y, width, height in spaces:
        low, high = unit * np.array([x, y]), unit * np.array([x + width, y + height])
        with np.errstate(divide="ignore", invalid="ignore"):
            t0, t1 = (low - one) / (other - one), (high - one) / (other - one)
        first, last = np.minimum(t0, t1).max(axis=1), np.maximum(t0, t1).min(axis=1)
        t = first + rng.beta(0.6, 0.6, n) * (last - first)
        points = one + t[:, None] * (other - one)
        points[~(first < last)] = np.nan
        found.append(points)
        centres.append(unit * (np.floor(points / unit) + 0.5))
    good = np.isfinite(found[0]).all(axis=1) & np.isfinite(found[1]).all(axis=1)
    return [points[good] for points in found], [points[good] for points in centres]


def segments_between(starts, ends):
    return shapely.linestrings(np.stack([starts, ends], axis=1))


def sampled_segment(walls, space_a, space_b, seed, n=2000):
    """The ends of a free segment that gives line of effect, found by chance; None if none was found."""
    rng = np.random.default_rng(seed)
    lines = wall_lines(walls)
    (p0, centres_p0), (q0, centres_q0) = (random_points(rng, walls, space, n // 2) for space in (space_a, space_b))
    (p1, q1), (centres_p1, centres_q1) = guided_points(rng, walls, (space_a, space_b), lines, n - n // 2)
    p, q = np.concatenate([p0, p1]), np.concatenate([q0, q1])
    free = ~shapely.dwithin(segments_between(p, q), shapely.union_all(lines), 1e-9)
    for points, around in ((p, (centres_p0, centres_p1)), (q, (centres_q0, centres_q1))):
        centres = np.concatenate(around)
        to_grid = np.abs(points - centres).max(axis=1)
        free &= to_grid < walls.subdivisions * (1 - 1e-9)
        for k in np.flatnonzero(free):
            leg, centre = LineString([centres[k], points[k]]), Point(centres[k])
            free[k] = not any(leg.dwithin(line, 1e-9) for line in lines if not line.intersects(centre))
    hits = np.flatnonzero(free)
    return None if len(hits) == 0 else (tuple(p[hits[0]]), tuple(q[hits[0]]))

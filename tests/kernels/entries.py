"""The kernels that Python calls, by module: each is compiled for one signature."""

ENTRIES = {
    "gridlos.kernels.band": ("blocked_lines", "index_band"),
    "gridlos.kernels.centre": ("blocked_centre_lines", "hidden_centre_lines", "is_blocked_among", "soft_centre_lines"),
    "gridlos.kernels.effect": ("effects", "select_near"),
    "gridlos.kernels.fan": ("lines_from", "numbers_of"),
    "gridlos.kernels.flank": ("flanked",),
    "gridlos.kernels.fog": ("concealed_lines",),
    "gridlos.kernels.index": ("index_arms", "index_barriers", "index_legs", "index_walls", "mark_free_arms"),
    "gridlos.kernels.least": ("fill_least", "least_among", "least_between"),
    "gridlos.kernels.line": ("blocked_lines", "contacts", "lines_along"),
    "gridlos.kernels.parted": ("are_parted", "index_touching"),
    "gridlos.kernels.single": ("contact_among",),
    "gridlos.kernels.soft": ("index_sharers", "soft_lines"),
    "gridlos.kernels.special": ("special_lines",),
    "gridlos.kernels.stab": ("stab",),
    "gridlos.kernels.table": (
        "fill_axes",
        "fill_lines",
        "index_columns",
        "index_masks",
        "index_parents",
        "lines_between",
        "plan_table",
        "ways_of",
    ),
    "gridlos.kernels.tilt": ("tilt",),
}

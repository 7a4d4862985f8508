"""Equal reports of a group as one row and how often it came, for whatever iterates over rows."""

import numpy as np

from discretion.joints.evidence import Group

WORTH = 0.5  # of the rows: if more of them differ, nothing is gained


def distinct_rows(group: Group, *, secret: bool) -> Group:
    """Return the different rows with their counts; the group itself where most of them differ.

    Rows differ by their levels, or where these are ``secret`` by how much was shared in all.
    """
    if group.times is not None:
        return group
    keys, room = np.zeros(len(group), np.uint64), 1
    answers = [part.keys(secret=secret) for part in group.parts]
    if secret:
        answers.append((group.shared.astype(np.uint64), int(group.shared.max()) + 1))
    for digits, radix in answers:
        room *= radix
        if room > 1 << 64:
            return group
        keys = keys * np.uint64(radix) + digits
    _, rows, times = np.unique(keys, return_index=True, return_counts=True)
    if len(rows) > WORTH * len(group):
        return group
    order = np.argsort(rows)  # as they came, which is at random
    rows, counts = rows[order], times[order].astype(np.float64)
    return Group(tuple(part.at(rows) for part in group.parts), group.shared[rows], counts)

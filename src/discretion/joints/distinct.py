"""Equal reports of a group as one row and how often it came, for whatever iterates over rows."""

from dataclasses import replace

import numpy as np
import numpy.typing as npt

from discretion.joints.coded import CodedPart
from discretion.joints.evidence import Group, Indices, Part
from discretion.joints.outputs import NumberPart

WORTH = 0.5  # of the rows: if more of them differ, nothing is gained

Keys = npt.NDArray[np.uint64]


def distinct_rows(group: Group, *, secret: bool) -> Group:
    """Return the different rows with their counts; the group itself where most of them differ.

    Rows differ by their levels, or where these are ``secret`` by how much was shared in all.
    """
    if group.times is not None:
        return group
    keys, room = np.zeros(len(group), np.uint64), 1
    answers = [_answers(part, secret=secret) for part in group.parts]
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
    return Group(tuple(_at(part, rows) for part in group.parts), group.shared[rows], counts)


def _answers(part: Part | CodedPart | NumberPart, *, secret: bool) -> tuple[Keys, int]:
    """Return for each row which answer it has, and how many there could be."""
    if isinstance(part, NumberPart):
        return part.which.astype(np.uint64), len(part.rows)
    if isinstance(part, CodedPart) or part.size >= 64:
        return np.zeros(0, np.uint64), 1 << 65
    packed = np.zeros((len(part.bits), 8), np.uint8)
    packed[:, : (part.size + 7) // 8] = np.packbits(part.bits, axis=1, bitorder="little")
    code = packed.view("<u8")[:, 0]
    if secret:
        return code, 1 << part.size
    levels, which = part.strata
    return (which.astype(np.uint64) << np.uint64(part.size)) | code, len(levels) << part.size


def _at(part: Part | CodedPart | NumberPart, rows: Indices) -> Part | CodedPart | NumberPart:
    if isinstance(part, Part):
        return replace(part, bits=part.bits[rows], levels=part.levels[rows])
    assert isinstance(part, NumberPart)
    return replace(part, which=part.which[rows])

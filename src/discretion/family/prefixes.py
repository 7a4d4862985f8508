"""Prefixes: each report is about the first bits of a text's codeword, in a group that it names."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import NoReturn, cast

import numpy as np

from discretion.errors import EstimateError
from discretion.family.counts import Outputs
from discretion.family.family import ReportFamily, share_variance
from discretion.mechanism import Prefixes as PrefixesLaw
from discretion.plan import Family
from discretion.schema import CodedText
from discretion.table.columns import Bytes, Levels


@dataclass(frozen=True)
class Prefixes(ReportFamily[Outputs]):
    """Reports about texts to discover. What is counted of them is how many each group has."""

    tabulated = False
    open = True
    discovered = True

    def prefixed(self) -> "Prefixes":
        return self

    @property
    def attribute(self) -> CodedText:
        return cast("CodedText", self.question.attribute)

    @property
    def groups(self) -> tuple[int, ...]:
        """The bits that each group reports."""
        return self.law(self.menu[0]).groups

    def law(self, stratum: int) -> PrefixesLaw:
        return self.question.law(stratum or self.menu[0], Family.PREFIXES)

    def labelled(self) -> NoReturn:
        raise EstimateError(f"{self.name!r} is a text: discover() finds what was said")

    def variance(self, level: int) -> Fraction:
        """Return that of a short text, about which every group reports."""
        return share_variance(self.law(level).laws[0])

    def counted(self, strata: Levels, y: Bytes) -> Iterable[tuple[int, Outputs]]:
        for stratum in np.unique(strata).tolist():
            drawn = np.bincount(y[strata == stratum, -1], minlength=len(self.groups))
            yield stratum, Outputs(int(drawn.sum()), drawn)

    def restored(self, stratum: int, document: Mapping[str, object]) -> Outputs:
        return Outputs.restored(self.name, (len(self.groups),), document)

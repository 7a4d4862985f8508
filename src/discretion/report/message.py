"""A report and its only bytes.

    {"format":1,"plan":"<hex>","round":0,"id":"<hex>","answers":{"mode":{"level":3500,"y":"<b64>"}}}

Keys stand in this order, attributes in the plan's, without spaces. ``y`` is a little-endian integer
of the width that the plan fixes, in base64url without padding: a bit set (code i is bit i % 8 of
byte i // 8) or a code. A plan with secret allocation has no levels in its reports; an attribute
with a menu of ranges has the index of the chosen one, as in {"level":500,"range":1,"y":"<b64>"}.
"""

import hashlib
import json
from base64 import urlsafe_b64encode
from collections.abc import Mapping
from dataclasses import dataclass

from discretion.budget.stratum import stratum_of

FORMAT = 1
ID_BYTES = 16
LAST_ROUND = (1 << 31) - 1


@dataclass(frozen=True, slots=True)
class Answer:
    """What a report says about one attribute."""

    level: int | None  # None where the plan keeps the allocation secret
    y: bytes
    range: int | None = None  # its index on the menu; None where the attribute has none

    def document(self) -> dict[str, object]:
        text = urlsafe_b64encode(self.y).rstrip(b"=").decode()
        level = {} if self.level is None else {"level": self.level}
        chosen = {} if self.range is None else {"range": self.range}
        return {**level, **chosen, "y": text}

    @property
    def stratum(self) -> int:
        """The level and the range as one integer; 0 where they are secret."""
        return stratum_of(self.level or 0, self.range or 0)


@dataclass(frozen=True, slots=True)
class Report:
    """One owner's perturbed answers in one round."""

    plan: str
    round: int
    id: str
    answers: Mapping[str, Answer]  # in the plan's order; what is absent was not shared

    def to_bytes(self) -> bytes:
        document = {
            "format": FORMAT,
            "plan": self.plan,
            "round": self.round,
            "id": self.id,
            "answers": {name: answer.document() for name, answer in self.answers.items()},
        }
        return json.dumps(document, ensure_ascii=False, separators=(",", ":")).encode()


def id_of(receipt: bytes) -> str:
    """Return the id that a receipt can prove: the start of its SHA-256."""
    return hashlib.sha256(receipt).digest()[:ID_BYTES].hex()

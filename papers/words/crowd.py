"""What people say: words as frequent as in texts, or random keys, and the code that plans state."""

import sysconfig
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from glob import glob
from pathlib import Path

import numpy as np
import numpy.typing as npt

import discretion as ds
from discretion.cli.authoring import WORD
from discretion.plan import Plan
from papers.words.published import Texts

LETTERS, LETTER_BITS = 12, 5
SHORT, LONG = 3, LETTERS
KEY, PRINTABLE, BYTE = 6, (33, 127), 8  # characters of a random key, whose bytes are printable
KEYS_SEED = 28_000
LEAST = 2  # times that a word is in the texts
Shares = npt.NDArray[np.float64]


def words_of(files: Iterable[str]) -> Counter[str]:
    """Count the words of files: letters of ASCII, in small ones."""
    found: Counter[str] = Counter()
    for name in files:
        words = WORD.findall(Path(name).read_text(encoding="utf-8", errors="ignore").lower())
        found.update(w for w in words if w.isascii() and SHORT <= len(w) <= LONG)
    return found


def of_python() -> Counter[str]:
    """Count the words of Python's own sources, which codes are made of."""
    return words_of(sorted(glob(f"{sysconfig.get_path('stdlib')}/**/*.py", recursive=True)))


@dataclass(frozen=True)
class World:
    """Texts with their shares, and the words that the plan's code is made of; none: bytes."""

    name: str
    said: Sequence[str]
    shares: Shares
    texts: Texts  # what is said, as published methods take it
    public: Counter[str]

    @classmethod
    def of(cls, name: str, counts: Counter[str], public: Counter[str]) -> "World":
        """Return words as frequent as counted."""
        kept = {word: n for word, n in counts.items() if n >= LEAST}
        shares = np.array([*kept.values()], np.float64)
        codes = np.array([_letters(word) for word in kept], np.uint64)
        return cls(name, [*kept], shares / shares.sum(), Texts(codes, LETTERS, LETTER_BITS), public)

    def unseen(self) -> "World":
        """Return the words that the code's texts do not have."""
        counts = dict(zip(self.said, self.shares.tolist(), strict=True))
        kept = {word: share for word, share in counts.items() if word not in self.public}
        shares = np.array([*kept.values()])
        codes = np.array([_letters(word) for word in kept], np.uint64)
        texts = Texts(codes, LETTERS, LETTER_BITS)
        return World("unseen words", [*kept], shares / shares.sum(), texts, self.public)

    def keys(self) -> "World":
        """Return random keys that are said as often as the words are, with a code of bytes."""
        rng = np.random.default_rng(KEYS_SEED)
        said = ["".join(map(chr, key)) for key in rng.integers(*PRINTABLE, (len(self.said), KEY))]
        codes = np.array([int.from_bytes(key.encode(), "big") for key in said], np.uint64)
        return World("random keys", said, self.shares, Texts(codes, KEY, BYTE), Counter())

    @cached_property
    def _discover(self) -> dict[str, object]:
        if self.public:
            return {"code": ds.public_code(self.public.elements()).document}
        return {"code": "bits", "bits": BYTE * (KEY + 1)}

    def plan(self, levels: Sequence[float]) -> Plan:
        asked = [{"name": "word", "kind": "text", "discover": self._discover}]
        return Plan.of({"name": "w", "attributes": asked, "budget": {"levels": [*levels]}})


def _letters(text: str) -> int:
    code = 0
    for place in range(LETTERS):
        code = code << LETTER_BITS | (ord(text[place]) - 96 if place < len(text) else 0)
    return code

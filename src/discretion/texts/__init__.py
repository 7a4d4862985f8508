"""Frequencies of texts that nobody listed before, for candidates that an analyst brings."""

from discretion.texts.candidates import text_frequencies, top

__all__ = ["text_frequencies", "top"]

"""Codewords of bits and of quantised bits: Bloom filters and noisy histograms."""

from discretion.family.codewords.family import Codewords

__all__ = ["Codewords"]

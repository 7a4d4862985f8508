"""Words of bits and of quantised bits: Bloom filters and noisy histograms."""

from discretion.family.codewords.family import Words

__all__ = ["Words"]

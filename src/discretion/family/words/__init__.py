"""Words of bits and of quantised bits: Bloom filters and noisy histograms."""

from discretion.family.words.family import Words

__all__ = ["Words"]

"""Texts that nobody listed: which of them owners said, and how many did."""

from discretion.discovery.discover import discover, shares_of
from discretion.discovery.result import DiscoveryEstimate

__all__ = ["DiscoveryEstimate", "discover", "shares_of"]

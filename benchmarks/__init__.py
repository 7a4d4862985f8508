"""How fast and how small: ours, plain NumPy and the peers, measured in one go.

Nothing here is imported by ``discretion``. See ``make bench`` and ``make bench-quick``.
"""

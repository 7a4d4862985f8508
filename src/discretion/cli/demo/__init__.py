"""``discretion demo``: the whole line on a generated census, in a terminal and as a page."""

from discretion.cli.demo.command import demo

__all__ = ["demo"]

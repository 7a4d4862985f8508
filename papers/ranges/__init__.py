"""Ranges of an ordered domain: published methods beside ours."""

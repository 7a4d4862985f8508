"""Compiled inner loops: arrays in, arrays out. Nothing here knows what a plan or a report is."""

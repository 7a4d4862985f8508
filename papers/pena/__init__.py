"""The study of the PENA paper."""

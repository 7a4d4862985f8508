"""The study of the PMPM paper."""

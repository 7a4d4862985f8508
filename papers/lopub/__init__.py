"""The study of the LoPub paper."""

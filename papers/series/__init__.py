"""A question over many rounds: protocols for streams, and ours."""

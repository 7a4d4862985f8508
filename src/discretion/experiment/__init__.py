"""The seeds' experiments: the published tables and figures beside ours."""

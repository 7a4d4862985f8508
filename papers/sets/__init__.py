"""Sets and maps: published methods beside ours."""

"""Texts and itemsets that nobody listed: published ways to find them, beside ours."""

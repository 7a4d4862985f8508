"""How results are written and drawn: tables, charts, number formats, colours, pages.

Nothing here knows an estimator: tables take text, charts take plain values.
"""

"""The collector: reports in over HTTP, kept durably, counted exactly once, answered with estimates.

Data flows one way. A *request* becomes reports (``intake``), the *writer* reads them strictly and
keeps them in groups, one commit each (``store``), and what is kept is counted and estimated
(``questions``) in processes of their own (``analysts``). Nothing here ever sees a true value.
"""

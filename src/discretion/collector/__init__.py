"""The collector: reports in over HTTP, kept durably, counted exactly once, answered with estimates.

Data flows one way. The body of a request becomes reports (``bodies``), the ``writer`` reads them
strictly and keeps them in groups, one commit each (``store``), and what is kept is counted and
estimated (``questions``) by workers (``worker_pool``). Nothing here ever sees a true value.
"""

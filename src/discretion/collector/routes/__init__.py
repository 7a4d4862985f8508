"""The routes under /v1, by who asks: owners' devices, analysts, operators."""

"""Tables of pairs from views and from what others report, and boxes of two numbers."""

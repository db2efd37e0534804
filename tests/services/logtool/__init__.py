"""The tools that look at a log, as somebody types them."""

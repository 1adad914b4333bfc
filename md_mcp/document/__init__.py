"""The pure core: text in, values out. No I/O, no clock, no global state."""

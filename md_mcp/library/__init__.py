"""Many documents together: walking folders, the link graph, finding notes."""

"""Edit sections of Markdown files and leave every other byte alone."""

__version__ = "0.1.0"

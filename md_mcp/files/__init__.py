"""All access to the file system: nothing outside this package touches the disk."""

"""Changelogs: read, check, repair, add to, release and show; pure, as the core is."""

"""The trials themselves, of all studies."""

"""Commands of the command line that need a room of their own; each module holds one click command."""

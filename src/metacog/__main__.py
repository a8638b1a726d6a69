"""``python -m metacog`` is the command ``metacog``."""

from metacog.cli import main

if __name__ == "__main__":
    main(prog_name="metacog")

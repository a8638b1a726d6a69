"""How fast, compared with which peer? The committed results of ``benchmarks/``."""

"""Programs changed in one place (`operators`), their tests run (`running`), and the changes that change nothing
(`equivalent`). `benchmarks/mutants.py` runs it."""

"""From chapters to the rendered book: papermill, Snakemake and jupyter-book, called in one place."""

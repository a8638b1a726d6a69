"""From chapters to the rendered book: papermill and jupyter-book, called in one place."""

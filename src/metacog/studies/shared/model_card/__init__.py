"""What the book found of one model, on one page that travels with the model."""

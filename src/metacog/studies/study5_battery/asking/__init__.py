"""What study 5 asks: the battery's items, its wordings, and how an item is asked and read."""

"""The measures on one published table, for the chapter that introduces them."""

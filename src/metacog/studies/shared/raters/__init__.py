"""How many raters, and how many items, does a reliability take? Simulated panels of raters."""

"""What the chapters on collected trials share: a cell of one model, way of asking and set, measured once."""

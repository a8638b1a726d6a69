"""Do the models know when they are right? The published decisions with confidence."""

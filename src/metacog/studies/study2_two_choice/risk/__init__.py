"""What does a warning do to the criterion? The published decisions under risk."""

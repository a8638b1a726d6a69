"""What every room stands on: errors, places, settings and where a result comes from."""

"""Do the results rest on settings that could have been chosen otherwise? R1 to R6."""

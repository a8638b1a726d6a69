"""What do the published figures say of one another? The audit of the paper."""

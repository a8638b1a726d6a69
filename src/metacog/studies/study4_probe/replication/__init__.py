"""How well do the models of this run know what they know? The probe asked of them."""

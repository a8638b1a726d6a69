"""The ledger of printed figures: an entry, how it is judged, and the page that lists them."""

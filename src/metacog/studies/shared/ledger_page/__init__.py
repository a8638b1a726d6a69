"""Which printed figures are reproduced? The ledger of all studies as a page."""

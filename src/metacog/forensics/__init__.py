"""What published figures say of the data behind them: counts, ranks and sizes recovered from summaries."""

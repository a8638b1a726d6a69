"""What published figures say about the data behind them: counts, ranks and sizes recovered from summaries."""

"""What several questions of study 2 share: measures of cells, comparisons, columns and figures."""

"""Domain theories over the columns of a table: rules of an expert, layer upon layer (Mitchell §12.1)."""

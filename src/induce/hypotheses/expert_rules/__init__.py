"""Domain theories over the columns of a table: layered expert rules (Mitchell §12.1)."""

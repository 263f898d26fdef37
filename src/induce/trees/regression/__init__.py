"""Trees that predict numbers: constants or linear functions at their leaves."""

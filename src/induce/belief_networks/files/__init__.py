"""Networks in files: BIF, XMLBIF and XDSL."""

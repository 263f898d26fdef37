"""Network files: BIF, XMLBIF and XDSL."""

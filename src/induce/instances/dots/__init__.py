"""Connect the dots: straight lines between neighbouring examples of one column."""

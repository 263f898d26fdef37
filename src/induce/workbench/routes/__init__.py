"""Routes from the page to the workbench, one module per place."""

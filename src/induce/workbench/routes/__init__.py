"""Routes from the page to the workbench, by place: tables, runs, play."""

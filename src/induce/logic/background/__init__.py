"""Background knowledge: relations as facts, rules and tables, their types and modes."""

"""What is known beside the examples: relations as facts, rules and tables, their types and modes."""

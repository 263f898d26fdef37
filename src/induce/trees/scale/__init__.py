"""Growing trees on tables in partitions."""

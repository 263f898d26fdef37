"""Tree growth on partitioned tables."""

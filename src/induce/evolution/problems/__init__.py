"""Problems that ship, with compiled fitness."""

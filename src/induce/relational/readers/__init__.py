"""Problems of relational learning as files and databases hold them."""

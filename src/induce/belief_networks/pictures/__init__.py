"""Pictures of networks: layers of nodes, parents above children."""

"""Pictures of evolution: machines, crowding, the family of the winner."""

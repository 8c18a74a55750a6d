"""What never changes in a game: things, containers, field addresses, names."""

"""The resolver: frames, events, decisions, trials, chance, commit."""

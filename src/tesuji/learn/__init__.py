"""Learning from recorded games: `linear.LinearValue` fits a value to a game's features."""

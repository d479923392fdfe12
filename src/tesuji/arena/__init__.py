"""The arena: matches, ratings and ablations. Every game is recorded, every estimate has an interval."""

"""The arena: matches, ratings and ablations. Every game becomes a record, every claim has an interval."""

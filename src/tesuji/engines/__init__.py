"""Other programs: being an engine for them, and driving one as a bot."""

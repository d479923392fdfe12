"""Gomoku: five in a row, by three rules. Native rules; this package is their Python face."""

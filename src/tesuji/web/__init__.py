"""The board in the browser: a server, its tables, and the page (`static/`)."""

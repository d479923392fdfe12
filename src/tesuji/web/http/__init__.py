"""The HTTP server: routes, live connections, access control."""

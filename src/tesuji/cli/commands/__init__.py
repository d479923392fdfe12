"""One module per command; `tesuji.cli.app` lists them."""

"""What commands share: their arguments, reading and printing, errors, and games at the terminal."""

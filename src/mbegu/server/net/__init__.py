"""The lines to the outside: what is done with bytes, requests and sockets before anybody looks at a game."""

"""What the server answers to: the HTTP addresses, the WebSockets and the pages."""

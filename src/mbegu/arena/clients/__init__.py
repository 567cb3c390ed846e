"""Clients: a bot of ours at a table of somebody else, over the network. The referee knows nothing of them."""

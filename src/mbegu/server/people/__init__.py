"""Who somebody is: accounts, names, passwords, sessions, tokens, ratings."""

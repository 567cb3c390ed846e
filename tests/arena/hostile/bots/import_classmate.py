"""Wants to play with the head of another one."""

# verdict: win


class Hostile:
    def choose(self, position, clock):
        try:
            import tcp_connect
        except ImportError:
            return position.legal_moves()[0]
        return tcp_connect.__file__

"""The full-screen terminal.

`session` is a game at the keyboard, without a screen: what is chosen, what a move would do, the film of the
last one. `drawing` and `scene` write it into a `canvas` of characters; `app` shows that with Textual, and is
the only place, with `screens`, that knows it.
"""

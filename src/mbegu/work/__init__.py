"""Where work is done: the executor that arena and lab hand their pieces to."""

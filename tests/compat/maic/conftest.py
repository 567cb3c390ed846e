# The files in there run in another process: see `inside/run.py`.
collect_ignore = ["inside"]

"""Several server processes on one database: leases on rooms, and a reverse proxy to whoever holds one."""

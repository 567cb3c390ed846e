"""Where somebody comes from: the network by which limits count him.

One household has one IPv4 address, and of IPv6 a /64 with more addresses than anybody can count: both
are one network.

>>> network("203.0.113.9"), network("2001:db8:1:2::7") == network("2001:db8:1:2:ffff::1")
('203.0.113.9', True)
>>> network("::ffff:203.0.113.9"), network("::1"), network("somewhere")
('203.0.113.9', '::1', 'somewhere')
"""

import ipaddress
from functools import lru_cache

__all__ = ["network"]

HOUSEHOLD = 64  # bits of an IPv6 address that tell one household from another


@lru_cache(maxsize=4096)
def network(address: str) -> str:
    """The network of an address; what is no address stays as it is."""
    try:
        found = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if isinstance(found, ipaddress.IPv4Address):
        return str(found)
    if found.ipv4_mapped is not None:
        return str(found.ipv4_mapped)
    if found.is_loopback:
        return str(found)
    return str(ipaddress.ip_network((found, HOUSEHOLD), strict=False))

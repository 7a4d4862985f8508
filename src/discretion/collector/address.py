"""The address that a request comes from: for limits alone, in memory, never written down."""

from ipaddress import IPv6Address, ip_address, ip_network

from starlette.requests import HTTPConnection

NEIGHBOURS = 64  # bits of an IPv6 address that one household or machine has in common


def source(request: HTTPConnection) -> str:
    """Return an address, or the part of it that all addresses of one sender share."""
    client = request.scope.get("client")
    host: str = client[0] if client else ""
    if ":" not in host:
        return host
    try:
        address = ip_address(host)
    except ValueError:
        return host
    if isinstance(address, IPv6Address) and address.ipv4_mapped is not None:
        return str(address.ipv4_mapped)
    return str(ip_network((address, NEIGHBOURS), strict=False))

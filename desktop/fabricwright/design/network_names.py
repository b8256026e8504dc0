"""What the networks of a drawing are called in sentences."""

from __future__ import annotations

from collections.abc import Sequence

from fabricwright.units.text import Message, msg


def network_words(network: str) -> Message:
    """``compute`` as in "the compute network"; a network that the program does not know keeps its own name."""
    return {
        "compute": msg("compute"),
        "storage": msg("storage"),
        "inband": msg("in-band"),
        "oob": msg("out-of-band"),
        "mgmt": msg("management"),
    }.get(network, msg("{network}", network=network))


def network_list(networks: Sequence[str]) -> Message:
    """One or more networks, one after the other."""
    said = network_words(networks[-1])
    for network in reversed(networks[:-1]):
        said = msg("{one}, {others}", one=network_words(network), others=said)
    return said

"""Run by packaging/licences.py with the CycloneDX library: components as JSON on standard input to a checked file.

python write_sbom.py TARGET < components.json
"""

from __future__ import annotations

import json
import sys
import uuid
from datetime import UTC, datetime
from pathlib import Path

from cyclonedx.factory.license import LicenseFactory
from cyclonedx.model import HashType
from cyclonedx.model.bom import Bom
from cyclonedx.model.component import Component, ComponentType
from cyclonedx.output.json import JsonV1Dot6
from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator
from packageurl import PackageURL

EPOCH = datetime(2026, 1, 1, tzinfo=UTC)
"""A stated date, so that two builds of one state are equal."""


def main() -> int:
    """Write, then read back and validate; 1 with the reason on standard error when the standard's schema disagrees."""
    bom = Bom(serial_number=uuid.uuid5(uuid.NAMESPACE_URL, "pkg:generic/fabricwright"))
    bom.metadata.timestamp = EPOCH
    licences = LicenseFactory()
    for row in json.load(sys.stdin):
        component = Component(
            name=row["name"],
            version=row["version"],
            type=ComponentType.APPLICATION if row["kind"] == "application" else ComponentType.LIBRARY,
            bom_ref=row["purl"] or row["name"],
            purl=PackageURL.from_string(row["purl"]) if row["purl"] else None,
            licenses=[licences.make_from_string(row["licence"])],
            hashes=[
                HashType.from_composite_str(f"{kind.replace('SHA-256', 'sha256')}:{value}")
                for kind, value in row["hashes"]
            ],
        )
        if row["kind"] == "application":
            bom.metadata.component = component
        else:
            bom.components.add(component)
    assert bom.metadata.component is not None
    bom.register_dependency(bom.metadata.component, bom.components)
    text = JsonV1Dot6(bom).output_as_string(indent=1)
    wrong = JsonStrictValidator(SchemaVersion.V1_6).validate_str(text)
    if wrong is not None:
        print(wrong, file=sys.stderr)
        return 1
    Path(sys.argv[1]).write_text(text + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())

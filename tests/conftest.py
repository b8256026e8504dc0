"""What every test shares: no screen, no surprises from the machine's settings, the same examples in every run."""

from __future__ import annotations

import os
import tempfile

# No test meets the parts that the person at this machine keeps; sub-processes inherit it.
os.environ["FABRICWRIGHT_DATA"] = os.path.join(tempfile.gettempdir(), f"fabricwright-tests-{os.getpid()}")

# Before Qt is imported by anything. A test of the real X platform starts a process of its own.
os.environ["QT_QPA_PLATFORM"] = "offscreen"
os.environ.pop("QT_SCALE_FACTOR", None)

from hypothesis import HealthCheck, settings

# The same examples each time, so that a red build means a change. `HYPOTHESIS_PROFILE=search` looks for new ones.
_COMMON = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow]}
settings.register_profile("steady", derandomize=True, database=None, **_COMMON)
settings.register_profile("search", max_examples=500, **_COMMON)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "steady"))

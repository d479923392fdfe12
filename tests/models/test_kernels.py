"""The native core's networks on this processor and on an emulated Arm: the same outputs, bit for bit."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from tesuji import _core

PROGRAM = Path(__file__).parents[1] / "core"
OUTPUTS = "86438c9e6764823d"
"""A hash of the outputs of pseudo-random networks, on all processors."""
ARM = "aarch64-linux-gnu"
CROSS = [
    f"-DCMAKE_CXX_COMPILER={ARM}-g++",
    "-DCMAKE_SYSTEM_NAME=Linux",
    "-DCMAKE_SYSTEM_PROCESSOR=aarch64",
]


def need(*tools: str) -> None:
    for tool in tools:
        if shutil.which(tool) is None:
            pytest.skip(f"{tool} is not installed")


def build(folder: Path, *settings: str) -> Path:
    need("cmake", "make")
    subprocess.run(
        ["cmake", "-G", "Unix Makefiles", "-S", PROGRAM, "-B", folder, *settings],
        check=True,
        capture_output=True,
    )
    subprocess.run(["cmake", "--build", folder, "--parallel", "2"], check=True, capture_output=True)
    return folder / "network_test"


def run(*command: str | Path) -> tuple[list[str], str]:
    """The names of the kernels, and the hash of the outputs."""
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    *names, outputs = done.stdout.split()
    return names, outputs


def test_all_kernels_of_this_processor_have_the_same_outputs(tmp_path: Path) -> None:
    need("c++")
    assert run(build(tmp_path)) == (_core.network_kernels(), OUTPUTS)


@pytest.fixture(scope="module")
def arm_program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    need(f"{ARM}-g++", "qemu-aarch64")
    return build(tmp_path_factory.mktemp("arm"), *CROSS)


@pytest.mark.parametrize(
    ("processor", "kernels"),
    [("max", ["neon-dot", "neon", "portable"]), ("cortex-a53", ["neon", "portable"])],
)
def test_arm_processors_with_and_without_dot_products_have_the_same_outputs(
    arm_program: Path, processor: str, kernels: list[str]
) -> None:
    emulator = ["qemu-aarch64", "-cpu", processor, "-L", f"/usr/{ARM}"]
    assert run(*emulator, arm_program) == (kernels, OUTPUTS)

"""Files of exact endgames: whole or not there, and never believed where they are damaged."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.games.onitama_positions import OX
from tesuji.games import Onitama
from tesuji.games.onitama import Tablebase

HEADER = 160


def flipped(data: bytes, at: int) -> bytes:
    return data[:at] + bytes([data[at] ^ 0x40]) + data[at + 1 :]


@pytest.mark.parametrize("at", range(0, HEADER))
def test_a_flipped_bit_in_the_first_bytes_is_noticed(two_men: Path, at: int) -> None:
    two_men.write_bytes(flipped(two_men.read_bytes(), at))
    with pytest.raises(ValueError, match=r"cannot read .*two.tb: it (is not|is damaged|has format version)"):
        Tablebase(two_men)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda data: b"", "it is not an Onitama tablebase"),
        (lambda data: b"Onit", "it is not an Onitama tablebase"),
        (lambda data: b"SQLite format 3\0" + data[16:], "it is not an Onitama tablebase"),
        (lambda data: data[:100], "it is damaged: the header is incomplete"),
        (lambda data: data[:-1], "it is damaged: it has 16749 bytes, expected 16750"),
        (lambda data: data + b"\0", "it is damaged: it has 16751 bytes, expected 16750"),
        (lambda data: data[:8] + b"\2" + data[9:], "it has format version 2; this program reads version 1"),
        (lambda data: flipped(data, 5000), "it is damaged: checksum mismatch"),
    ],
)
def test_damaged_tablebase_files_are_refused_with_the_reason(
    two_men: Path, change: Callable[[bytes], bytes], message: str
) -> None:
    two_men.write_bytes(change(two_men.read_bytes()))
    with pytest.raises(ValueError, match=f"cannot read .*two.tb: {message}"):
        Tablebase(two_men)


def test_verify_checks_every_byte(two_men: Path) -> None:
    table = Tablebase(two_men)
    table.verify()
    with two_men.open("r+b") as file:  # under the open table
        file.seek(-1, os.SEEK_END)
        last = file.read(1)[0]
        file.seek(-1, os.SEEK_END)
        file.write(bytes([last ^ 1]))
    with pytest.raises(ValueError, match=r"two.tb is damaged: .*checksum"):
        table.verify()


def test_a_directory_a_pipe_or_a_missing_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="cannot read .*: Is a directory"):
        Tablebase(tmp_path)
    with pytest.raises(ValueError, match="cannot read .*missing.tb: No such file or directory"):
        Tablebase(tmp_path / "missing.tb")
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(ValueError, match="cannot read .*pipe: "):
        Tablebase(tmp_path / "pipe")


UNMAPPABLE = Path("/sys/kernel/mm/transparent_hugepage/enabled")


@pytest.mark.skipif(not UNMAPPABLE.exists(), reason="needs a file that can be read but not mapped")
def test_a_file_that_cannot_be_mapped_is_read() -> None:
    with pytest.raises(ValueError, match="it is not an Onitama tablebase"):
        Tablebase(UNMAPPABLE)


def test_tablebase_paths_need_not_be_utf_8(two_men: Path) -> None:
    odd = two_men.with_name(os.fsdecode(b"zw\xf6lf \xe2\x99\x9f.tb"))
    two_men.rename(odd)
    assert Tablebase(odd).men == 2


def test_an_open_tablebase_survives_deletion_of_its_file(two_men: Path) -> None:
    table = Tablebase(two_men)
    before = [table.entry(index) for index in range(len(table))]
    two_men.unlink()
    assert [table.entry(index) for index in range(len(table))] == before


def test_a_tablebase_file_is_replaced_atomically(two_men: Path) -> None:
    old = two_men.read_bytes()

    def look(done: float, phrase: str) -> None:
        assert two_men.read_bytes() == old

    table = Tablebase.build("tiger-dragon-monkey-goose-eel", 2, two_men, progress=look)
    assert table.cards == "dragon-eel-goose-monkey-tiger"
    assert two_men.read_bytes() != old
    assert list(two_men.parent.iterdir()) == [two_men]


@pytest.mark.parametrize("threads", [1, 2])
def test_a_cancelled_build_leaves_no_file(tmp_path: Path, threads: int) -> None:
    seen: list[float] = []

    def stop(done: float, phrase: str) -> None:
        seen.append(done)
        if done > 0.5:
            raise KeyboardInterrupt(phrase)

    with pytest.raises(KeyboardInterrupt, match="games of [0-9]+ plies"):
        Tablebase.build(OX, 4, tmp_path / "four.tb", threads=threads, progress=stop)
    assert seen == sorted(seen)
    assert list(tmp_path.iterdir()) == []


def test_build_progress_runs_from_0_to_1(tmp_path: Path) -> None:
    seen: list[float] = []
    Tablebase.build(OX, 4, tmp_path / "four.tb", progress=lambda done, phrase: seen.append(done))
    assert seen == sorted(seen)
    assert 0.0 <= seen[0] < seen[-1] == 1.0


@pytest.mark.parametrize(
    ("cards", "men", "message"),
    [
        (OX, 8, "a tablebase of 8 men would have 46,968,231,030 bytes, 44 GiB; men must be 2, 4 or 6"),
        (OX, 5, "men must be 2, 4 or 6, not 5"),
        ("ox-boar", 4, "five different ones"),
        ("ox-bore-horse-elephant-crab", 4, "did you mean 'boar'"),
    ],
)
def test_invalid_cards_or_men_are_refused(tmp_path: Path, cards: str, men: int, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Tablebase.build(cards, men, tmp_path / "none.tb")
    assert list(tmp_path.iterdir()) == []


def test_a_tablebase_of_other_cards_is_refused(two_men: Path) -> None:
    assert Onitama(cards="crab-ox-boar-horse-elephant").open_tablebase(two_men).men == 2
    assert Onitama().open_tablebase(str(two_men)).men == 2
    with pytest.raises(ValueError, match=r"two.tb has the cards boar-.*, but the game has tiger-dragon-"):
        Onitama(cards="tiger-dragon-monkey-goose-eel").open_tablebase(two_men)
    with pytest.raises(ValueError, match="a file or an opened Tablebase, not 7"):
        Onitama().open_tablebase(7)  # type: ignore[arg-type]

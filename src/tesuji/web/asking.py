"""What a page may send, as types: they check requests, and are their part of the OpenAPI schema."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from tesuji.web.specs import LONGEST

LONGEST_GAME = 20_000  # characters of moves
LONGEST_RECORD = 200_000

SpecText = Annotated[str, Field(min_length=1, max_length=LONGEST)]
MoveText = Annotated[str, Field(min_length=1, max_length=100)]


def _whole(value: object) -> object:
    """JSON has one kind of number: 2.0 is a whole one, too."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


Whole = Annotated[int, BeforeValidator(_whole)]
Ply = Annotated[Whole, Field(ge=0, le=100_000)]
Seat = Annotated[Whole, Field(ge=0, le=63)]
Seconds = Annotated[float, Field(gt=0, le=600)]


class Asked(BaseModel):
    """What a page sends: nothing but what is named, and of the right kind."""

    model_config = ConfigDict(extra="forbid", strict=True)


class ClockAsked(Asked):
    """Time for the whole game, and for each move."""

    seconds: Annotated[float, Field(ge=1, le=86_400)]
    increment: Annotated[float, Field(ge=0, le=600)] = 0.0


class NewTable(Asked):
    """A game to be played."""

    game: SpecText
    seats: Annotated[list[SpecText], Field(min_length=1, max_length=64)]
    """ "person", or a bot's spec."""
    seed: Annotated[Whole, Field(ge=0, lt=2**53)] | None = None
    moves: Annotated[str, Field(max_length=LONGEST_GAME)] = ""
    clock: ClockAsked | None = None


class MoveAsked(Asked):
    """A person's move."""

    ply: Ply
    """How many moves the page knows of."""
    move: MoveText
    seat: Seat | None = None


class Nothing(Asked):
    """A call that needs no words."""


class SeatAsked(Asked):
    """A seat."""

    seat: Seat


class SeatsAsked(Asked):
    """Who sits where from now on."""

    seats: Annotated[list[SpecText], Field(min_length=1, max_length=64)]


class PauseAsked(Asked):
    """Whether bots wait; without a word they do the other thing than now."""

    paused: bool | None = None


class SpeedAsked(Asked):
    """Seconds between two moves of bots."""

    seconds: Annotated[float, Field(ge=0, le=60)]


class PlyAsked(Asked):
    """A position of the game."""

    ply: Ply


class AnalysisAsked(Asked):
    """A position to be analysed; by the game's own bot where none is named."""

    ply: Ply
    bot: SpecText | None = None
    seconds: Seconds | None = None


class ReviewAsked(Asked):
    """A game to be reviewed; so many seconds for each move."""

    bot: SpecText | None = None
    seconds: Seconds | None = None


class RecordAsked(Asked):
    """A game as text, in the format that is named or in any that fits."""

    game: SpecText | None = None
    format: Annotated[str, Field(min_length=1, max_length=40)] | None = None
    text: Annotated[str, Field(min_length=1, max_length=LONGEST_RECORD)]

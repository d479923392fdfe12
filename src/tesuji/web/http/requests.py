"""Request bodies of the API, as types that validate them and form part of the OpenAPI schema."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from tesuji.web.specs import MAX_SPEC_LENGTH

MAX_MOVES_LENGTH = 20_000  # characters
MAX_RECORD_LENGTH = 200_000
MAX_DIAGRAM_LENGTH = 5_000

SpecText = Annotated[str, Field(min_length=1, max_length=MAX_SPEC_LENGTH)]
MoveText = Annotated[str, Field(min_length=1, max_length=100)]


def _integral(value: object) -> object:
    """JSON does not distinguish 2.0 from 2."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


Integer = Annotated[int, BeforeValidator(_integral)]
Ply = Annotated[Integer, Field(ge=0, le=100_000)]
Seat = Annotated[Integer, Field(ge=0, le=63)]
Seconds = Annotated[float, Field(gt=0, le=600)]


class RequestBody(BaseModel):
    """Base of all request bodies: unknown fields and values of another type are errors."""

    model_config = ConfigDict(extra="forbid", strict=True)


class EmptyRequest(RequestBody):
    """No parameters."""


class ClockSettings(RequestBody):
    """Seconds for the whole game, and added per move."""

    seconds: Annotated[float, Field(ge=1, le=86_400)]
    increment: Annotated[float, Field(ge=0, le=600)] = 0.0


class NewTableRequest(RequestBody):
    """A game to play."""

    game: SpecText
    seats: Annotated[list[SpecText], Field(min_length=1, max_length=64)]
    """ "person", or a bot's spec."""
    seed: Annotated[Integer, Field(ge=0, lt=2**53)] | None = None
    moves: Annotated[str, Field(max_length=MAX_MOVES_LENGTH)] = ""
    clock: ClockSettings | None = None


class PositionRequest(RequestBody):
    """A position to set up: a diagram, or the game's own start; and the player to move, if given."""

    game: SpecText
    diagram: Annotated[str, Field(max_length=MAX_DIAGRAM_LENGTH)] | None = None
    player: Seat | None = None


class MoveRequest(RequestBody):
    """A person's move."""

    ply: Ply
    """The number of moves known to the client."""
    move: MoveText
    seat: Seat | None = None


class ResignRequest(RequestBody):
    """The seat that resigns."""

    seat: Seat


class SeatsRequest(RequestBody):
    """The new players."""

    seats: Annotated[list[SpecText], Field(min_length=1, max_length=64)]


class PauseRequest(RequestBody):
    """Whether to pause; toggles if omitted."""

    paused: bool | None = None


class SpeedRequest(RequestBody):
    """Seconds between two moves of bots."""

    seconds: Annotated[float, Field(ge=0, le=60)]


class BranchRequest(RequestBody):
    """The ply to branch from."""

    ply: Ply


class AnalysisRequest(RequestBody):
    """A position to analyse; the bot defaults to the game's own."""

    ply: Ply
    bot: SpecText | None = None
    seconds: Seconds | None = None


class SolutionRequest(RequestBody):
    """A position to solve; `seconds` defaults to 60."""

    ply: Ply
    seconds: Seconds | None = None


class ReviewRequest(RequestBody):
    """How to review the game; `seconds` is per move."""

    bot: SpecText | None = None
    seconds: Seconds | None = None


class ImportRequest(RequestBody):
    """A game as text; the format defaults to any that fits."""

    game: SpecText | None = None
    format: Annotated[str, Field(min_length=1, max_length=40)] | None = None
    text: Annotated[str, Field(min_length=1, max_length=MAX_RECORD_LENGTH)]

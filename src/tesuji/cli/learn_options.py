"""Options that the commands fitting a model to recorded games share."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, TypeAlias

import typer

ModelFile: TypeAlias = Annotated[Path, typer.Option(metavar="FILE", help="Model file to write (JSON).")]
GamesStore: TypeAlias = Annotated[Path, typer.Option(metavar="FILE", help="Store with the games.")]
OnlyBot: TypeAlias = Annotated[
    str | None, typer.Option(metavar="SPEC", help="Use only games with this bot, in any seat.")
]
OnlyMatch: TypeAlias = Annotated[
    str | None, typer.Option(metavar="KEY", help="Use only games of this match.")
]
EveryOption: TypeAlias = Annotated[
    bool, typer.Option("--every-option", help="Use games with any options, such as other board sizes.")
]
L2Penalty: TypeAlias = Annotated[
    str, typer.Option(metavar="N,N,…", help="L2 penalty; several are compared by cross-validation.")
]

"""Responses conform to the OpenAPI schema, for valid and invalid requests."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, cast

import pytest
import requests
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from schemathesis import GenerationMode, checks
from schemathesis.core.parameters import ParameterLocation

from tests.web.server_process import ApiClient, ServerProcess
from tesuji.web.http.app import make_api

EXAMPLES = 8

# A spec or a move is any text to the schema, and only some texts mean something: 400 says so.
CHECKS = [
    checks.not_a_server_error,
    checks.status_code_conformance,
    checks.content_type_conformance,
    checks.response_schema_conformance,
    checks.response_headers_conformance,
    checks.negative_data_rejection,
    checks.allow_header_conformance,
]
PLAIN = ("GET /api/games", "GET /api/matches", "GET /api/ratings")
MEANINGFUL = {
    "POST /api/tables": {"game": "hex:size=5", "seats": ["person", "easy"], "moves": "c3"},
    "POST /api/tables/{id}/moves": {"ply": 2, "move": "a1", "seat": 0},
    "POST /api/tables/{id}/seats": {"seats": ["person", "random"]},
    "POST /api/tables/{id}/analysis": {"ply": 0, "bot": "mcts:iterations=10"},
    "POST /api/tables/{id}/solution": {"ply": 0},
    "POST /api/tables/{id}/review": {"bot": "mcts:iterations=10"},
    "POST /api/records": {"game": None, "format": "hexworld", "text": "#5,c3d2"},
}
"""Meaningful bodies for requests whose generated ones are mostly invalid."""
SCHEMA = schemathesis.openapi.from_dict(make_api(cast(Any, None)).openapi())
OPERATIONS = [cast(Any, found).ok() for found in SCHEMA.get_all_operations()]


@pytest.fixture(scope="session")
def session() -> Iterator[requests.Session]:
    with requests.Session() as session:
        session.trust_env = False
        yield session


@pytest.mark.parametrize("mode", [GenerationMode.POSITIVE, GenerationMode.NEGATIVE], ids=["valid", "invalid"])
@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda one: one.label)
def test_responses_conform_to_the_schema(
    operation: Any, mode: GenerationMode, server: ServerProcess, client: ApiClient, session: requests.Session
) -> None:
    if mode is GenerationMode.NEGATIVE and operation.label in PLAIN:
        pytest.skip("there is nothing to get wrong")

    cases, moves = operation.as_strategy(generation_mode=mode), st.sampled_from(["", "c3 b2"])

    @given(case=cases, real=st.booleans(), moves=moves)
    @settings(
        max_examples=EXAMPLES,
        deadline=None,
        derandomize=True,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    def check(case: Any, real: bool, moves: str) -> None:
        at_table = case.path.startswith("/api/tables/{id}")
        if real and at_table and not case.meta.components[ParameterLocation.PATH].mode.is_negative:
            case.path_parameters["id"] = client.new("hex:size=5", "person", "random", moves=moves)["id"]
        if real and mode is GenerationMode.POSITIVE:
            case.body = (
                case.body | MEANINGFUL[operation.label] if operation.label in MEANINGFUL else case.body
            )
        response = case.call(base_url=server.base, session=session)
        too_large = response.status_code == 413  # a rejection that schemathesis does not count as one
        skipped = [checks.negative_data_rejection] if too_large else []
        case.validate_response(response, checks=[check for check in CHECKS if check not in skipped])

    check()

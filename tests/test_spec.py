"""The grammar of specs."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tesuji.spec import Spec, SpecError, check_name

names = st.from_regex(r"[A-Za-z][A-Za-z0-9_-]*", fullmatch=True)
keys = st.from_regex(r"[A-Za-z_][A-Za-z0-9_]*", fullmatch=True)
specs = st.builds(Spec, names, st.dictionaries(keys, st.text(), max_size=4))


@given(specs)
@example(Spec("gtp", {"command": 'say "a, b" = c:\\d \n'}))
@example(Spec("gtp", {"command": ""}))
def test_a_spec_with_any_values_reads_back_from_its_text(spec: Spec) -> None:
    assert Spec.parse(str(spec)) == spec


@given(st.text())
def test_any_text_is_a_spec_or_a_one_line_error(text: str) -> None:
    try:
        spec = Spec.parse(text)
    except SpecError as error:
        assert len(str(error).splitlines()) == 1
    else:
        assert Spec.parse(str(spec)) == spec


@pytest.mark.parametrize(
    ("text", "name", "options"),
    [
        ("hex", "hex", {}),
        ("hex:size=9,swap=off", "hex", {"size": "9", "swap": "off"}),
        ('gtp:command="mohex --quiet"', "gtp", {"command": "mohex --quiet"}),
        (r'gtp:command="say \"hi\" c:\\x"', "gtp", {"command": r'say "hi" c:\x'}),
        (" hex : size = 9 , swap = off ", "hex", {"size": "9", "swap": "off"}),
    ],
)
def test_a_spec_is_a_name_and_its_options(text: str, name: str, options: dict[str, str]) -> None:
    assert Spec.parse(text) == Spec(name, options)


@pytest.mark.parametrize("text", ["hex", "hex:size=9,swap=off", 'gtp:command="mohex --quiet"'])
def test_a_plain_spec_is_already_in_its_canonical_form(text: str) -> None:
    assert str(Spec.parse(text)) == text


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "expected a name, or a name and ':', at position 1 of ''"),
        ("1hex", "position 1 of '1hex'"),
        ("hex size=9", "position 1 of 'hex size=9'"),
        ("hex:", "expected key=value at position 5 of 'hex:'"),
        ("hex:size=9,", "position 12 of 'hex:size=9,'"),
        ("hex:size=9,swap", "position 12 of 'hex:size=9,swap'"),
        ("gtp:command=mohex --quiet", 'values with spaces or any of , = : go in "quotes"'),
        ('gtp:command="mohex', "position 5 of"),
        ("mcts:iterations=1,iterations=2", "'iterations' is given twice in 'mcts:iterations=1,iterations=2'"),
    ],
)
def test_an_invalid_spec_reports_the_position_of_the_error(text: str, message: str) -> None:
    with pytest.raises(SpecError) as error:
        Spec.parse(text)
    assert message in str(error.value)


def test_names_and_keys_that_could_not_be_read_back_are_refused() -> None:
    with pytest.raises(SpecError, match="not 'he x'"):
        Spec("he x", {})
    with pytest.raises(SpecError, match="not 'Hex'"):
        check_name("Hex")
    with pytest.raises(SpecError, match="not 'a b'"):
        Spec("hex", {"a b": "1"})


def test_specs_that_differ_only_in_the_order_of_options_are_the_same() -> None:
    assert len({Spec.parse("hex:size=9,swap=off"), Spec.parse("hex:swap=off,size=9")}) == 1

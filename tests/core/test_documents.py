"""JSON and TOML from users: every defect is a sentence of ours."""

import pytest

from induce.core.documents import DocumentError, json_of, toml_of

DEEP = "[" * 100_000


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (DEEP + "]" * 100_000, "nested too deeply"),
        (DEEP, "nested too deeply"),
        ("[" * 300 + "]" * 300, "nested too deeply"),
        ('{"a": 1, "b": 2, "a": 3}', "the key 'a' occurs twice; keep one"),
        ('{"x": {"": 1, "": 1}}', "the key '' occurs twice"),
        (r'{"a": "\ud800"}', "holds half a character"),
        (r'{"\udfff": 1}', "holds half a character"),
        ("9" * 5_000, "a number has more than 4,000 digits; write it as text"),
        ('{"a"', "in line 1"),
        ("[1,\n2,\n}", "in line 3"),
        (b"\xff{}", "is not UTF-8"),
    ],
)
def test_json(text, sentence):
    with pytest.raises(DocumentError, match=sentence):
        json_of(text)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (".".join("a" * 50_000) + " = 1", "a key has more than 100 parts; write a shorter one in line 1"),
        ("x = 1\n[" + " . ".join("a" * 50_000) + "]", "more than 100 parts; write a shorter one in line 2"),
        (".".join(['"a"'] * 50_000) + " = 1", "more than 100 parts"),
        ("a = " + DEEP, "nested too deeply"),
        ("a = " + "9" * 5_000, "more than 4,000 digits"),
        ("a = 1\na = 2", "cannot overwrite a value"),
        ("#" * 1_000_001, "more than 1,000,000 characters"),
    ],
)
def test_toml(text, sentence):
    with pytest.raises(DocumentError, match=sentence):
        toml_of(text)


def test_sound_documents():
    assert json_of('{"a": ["\U0001f600", 12345678901234567890, 1.5, null, {"a": 1}]}')["a"][4] == {"a": 1}
    assert json_of(b'"\xc3\xa4"') == "ä"
    assert toml_of(f'a.b = "{"." * 500}"\nc = 0.5')["a"] == {"b": "." * 500}

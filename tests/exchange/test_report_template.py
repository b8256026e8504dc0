"""Templates of reports come from anybody: what is read is bounded, and whatever is wrong is one sentence."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from fabricwright.exchange.report_template import ACCENT, READABLE, load_template, luminance
from fabricwright.units.errors import UserError
from tests.design.strategies import png

GOOD = 'name = "Example Ltd"\naccent = "#0B5CAD"\nfooter = "Confidential"\nlogo = "logo.png"\n'


def write(folder: Path, text: str, name: str = "look.toml") -> str:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return str(path)


def test_toml_and_json_say_the_same(tmp_path: Path) -> None:
    (tmp_path / "logo.png").write_bytes(png())
    one = load_template(write(tmp_path, GOOD))
    json = '{"name": "Example Ltd", "accent": "#0b5cad", "footer": "Confidential", "logo": "logo.png"}'
    two = load_template(write(tmp_path, json, "look.json"))
    assert one == two and one.accent == "#0B5CAD" and one.logo is not None and one.logo_px == (1, 1)
    assert load_template(None).accent == ACCENT


def test_a_light_accent_is_darkened_until_white_can_be_read_on_it(tmp_path: Path) -> None:
    found = load_template(write(tmp_path, 'accent = "#FFE680"')).accent
    parts = [int(found[k : k + 2], 16) for k in (1, 3, 5)]
    assert luminance(*parts) <= READABLE
    # white against it: (1 + 0.05) / (L + 0.05) >= 3
    assert 1.05 / (luminance(*parts) + 0.05) >= 3


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("name = ", "TOML or JSON"),
        ('colour = "red"', "'colour' is not known"),
        ('accent = "red"', "no colour"),
        ('accent = "url(#x)"', "no colour"),
        ("name = 7", "name: expected a text"),
        ('name = "' + "x" * 500 + '"', "at most 200"),
        ('logo = "../../etc/passwd"', "outside"),
        ('logo = "/etc/passwd"', "outside"),
        ('logo = "none.png"', "cannot be read"),
        ('logo = "look.toml"', "logo:"),
        ("# " + "x" * 70_000, "larger than 64 KB"),
        ("a = " + "[" * 5000, "TOML or JSON"),
    ],
)
def test_what_is_wrong_is_told_in_one_sentence(tmp_path: Path, text: str, told: str) -> None:
    path = write(tmp_path, text)
    with pytest.raises(UserError) as found:
        load_template(path)
    said = found.value.message.english()
    assert said.startswith(path) and told in said and "\n" not in said and len(said) < 700


def test_other_files_are_refused(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="cannot be read"):
        load_template(str(tmp_path / "none.toml"))
    with pytest.raises(UserError):
        load_template(str(tmp_path))
    pipe = tmp_path / "pipe.toml"
    if hasattr(os, "mkfifo"):
        os.mkfifo(pipe)
        with pytest.raises(UserError, match="not an ordinary file"):
            load_template(str(pipe))
    (tmp_path / "bad.toml").write_bytes(b'name = "\xff\xfe"')
    with pytest.raises(UserError, match="TOML or JSON"):
        load_template(str(tmp_path / "bad.toml"))


def test_a_link_out_of_the_folder_is_not_followed(tmp_path: Path) -> None:
    outside = tmp_path / "outside.png"
    outside.write_bytes(png())
    inside = tmp_path / "in"
    inside.mkdir()
    (inside / "logo.png").symlink_to(outside)
    with pytest.raises(UserError, match="outside"):
        load_template(write(inside, 'logo = "logo.png"'))

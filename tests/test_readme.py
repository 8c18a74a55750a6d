"""What the README shows is so: its pieces of content stand in the content, word for word; its Python runs."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", README, re.DOTALL | re.MULTILINE)


@pytest.mark.parametrize("text", blocks("nrs"))
def test_content(text: str) -> None:
    assert any(text in file.read_text(encoding="utf-8") for file in (ROOT / "content").rglob("*.nrs"))


def test_python(capsys: pytest.CaptureFixture[str]) -> None:
    (text,) = blocks("python")
    exec(compile(text, "README.md", "exec"), {})
    assert capsys.readouterr().out.strip()


def test_commands() -> None:
    from cli.nemesis_command import main

    for name in re.findall(r"^nemesis-cli (\w+)", README, re.MULTILINE):
        with pytest.raises(SystemExit) as left:
            main([name, "--help"])
        assert left.value.code == 0

"""Which packs are meant, and where content lies: enough to name a wrong one; loading them is the library's work."""

from __future__ import annotations

import os
import sysconfig
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from cli.messages import Stop, did_you_mean, listed


def content_roots(given: Sequence[Path]) -> list[Path]:
    """Folders that hold packs, first hit wins: ``--content``, ``RULESCRIPT_PATH``, beside the checkout, the installed copy."""
    for folder in given:
        if not folder.is_dir():
            raise Stop(f"--content {folder}: there is no such folder.")
    listed_path = [Path(part) for part in os.environ.get("RULESCRIPT_PATH", "").split(os.pathsep) if part]
    beside = Path(__file__).resolve().parent.parent / "content"
    installed = Path(sysconfig.get_paths()["purelib"]) / "rulescript" / "_data" / "content"
    return [folder for folder in (*given, *listed_path, beside, installed) if folder.is_dir()]


def known_packs(roots: Sequence[Path]) -> dict[str, Path]:
    """Pack id -> its folder."""
    found: dict[str, Path] = {}
    for root in roots:
        for manifest in sorted(root.glob("*/*/pack.yaml")) + sorted(root.glob("*/pack.yaml")):
            found.setdefault(manifest.parent.relative_to(root).as_posix(), manifest.parent)
    return found


def read_yaml(path: Path) -> dict[str, Any]:
    """A YAML file that holds a mapping; `Stop` with file and line if it does not."""
    import yaml

    try:
        found = yaml.load(path.read_text(encoding="utf-8"), Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    except OSError as error:
        raise Stop(f"{path}: {error.strerror or error}.") from error
    except yaml.YAMLError as error:
        raise Stop(f"{path}: {' '.join(str(error).split())}") from error
    if not isinstance(found, dict):
        raise Stop(f"{path}: expected `name: value` lines.")
    return found


def chosen_packs(text: str | None, roots: Sequence[Path]) -> tuple[str, ...]:
    """The pack ids that ``--pack`` means; without it the pack that says ``default: yes``. `Stop` for an unknown one."""
    known = known_packs(roots)
    if not known:
        raise Stop("No packs found. Say where they are: --content DIR, or RULESCRIPT_PATH.")
    if text is None:
        default = [pack for pack, folder in known.items() if read_yaml(folder / "pack.yaml").get("default") is True]
        if len(default) == 1:
            return (default[0],)
        if len(known) == 1:
            return tuple(known)
        raise Stop(f"Which pack? --pack {listed(sorted(known), 'or')}.")
    packs: list[str] = []
    for word in (part.strip() for part in text.split(",")):
        if not word:
            continue
        same_game = f"{packs[0].rsplit('/', 1)[0]}/{word}" if packs and "/" in packs[0] and "/" not in word else word
        found = same_game if same_game in known else word
        if found not in known:
            raise Stop(f"No pack `{word}`.{did_you_mean(word, known)} Known: {listed(sorted(known))}.")
        if found not in packs:
            packs.append(found)
    if not packs:
        raise Stop("--pack names no pack.")
    return tuple(packs)

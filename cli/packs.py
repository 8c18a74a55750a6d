"""Which packs are meant and where content lies: the library's answers, with its refusals as the commands' own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import rulescript.pack as library
from cli.messages import Stop, did_you_mean, listed
from nemesis.options import OPTIONS
from rulescript.pack.resolve import default_pack


def content_roots(given: Sequence[Path]) -> list[Path]:
    """Folders that hold packs, first hit wins; a ``--content`` that is no folder is a `Stop`."""
    for folder in given:
        if not folder.is_dir():
            raise Stop(f"--content {folder}: there is no such folder.")
    return library.content_roots(given)


def known_packs(roots: Sequence[Path]) -> dict[str, Path]:
    """Pack id -> its folder."""
    return library.known_packs(roots)


def chosen_packs(text: str | None, roots: Sequence[Path]) -> tuple[str, ...]:
    """The ids of the packs that ``--pack`` means and of those they need; without it the default pack. `Stop` for an unknown one."""
    return tuple(manifest.id for manifest in chosen_manifests(text, roots))


def chosen_manifests(text: str | None, roots: Sequence[Path]) -> list[library.Manifest]:
    """As `chosen_packs`, with what each pack's `pack.yaml` says."""
    known = known_packs(roots)
    if not known:
        raise Stop("No packs found. Say where they are: --content DIR, or RULESCRIPT_PATH.")
    try:
        return library.resolve([text or _default(roots)], known)
    except library.PackError as error:
        raise Stop(f"--pack: {error}" if error.misuse else str(error)) from error


def checked_options(options: Mapping[str, object], manifests: Sequence[library.Manifest]) -> None:
    """`Stop` with the nearest word for an option that neither the kernel nor a pack knows."""
    known = [*OPTIONS, *(mode for manifest in manifests for mode in manifest.modes)]
    for name, value in options.items():
        if name not in known:
            raise Stop(f"No option or mode `{name}`.{did_you_mean(name, known)} There are {listed(known)}.")
        if name in OPTIONS[1:] and (not isinstance(value, int) or isinstance(value, bool) or value < 1):
            raise Stop(f"--option {name}: a whole number from 1 is wanted, not `{value}`.")
        usual = next((manifest.modes[name] for manifest in manifests if name in manifest.modes), None)
        if usual is not None and type(value) is not type(usual):
            wanted = {bool: "on or off", int: "a whole number"}.get(type(usual), "a word")
            raise Stop(f"--mode {name}: {wanted} is wanted, not `{value}`.")
        if name == "windows" and value not in ("open", "quick"):
            raise Stop(f"--option windows: open or quick, not `{value}`.")


def _default(roots: Sequence[Path]) -> str:
    """The default pack of the first root that has one."""
    refusal: library.PackError | None = None
    for root in roots:
        try:
            return default_pack(known_packs([root]))
        except library.PackError as error:
            if not error.misuse:
                raise
            refusal = refusal or error
    raise refusal or Stop("No packs found.")


def read_yaml(path: Path) -> Mapping[str, Any]:
    """A YAML file that holds a mapping; `Stop` with file and line if it does not. What it says is kept between processes, by its text."""
    from rulescript.syntax.store import kept_path, read_kept, write_kept

    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise Stop(f"{path}: {error}.") from error
    kept = kept_path("yaml", text)
    found = read_kept(kept)
    if not isinstance(found, dict):
        import yaml

        try:
            found = yaml.load(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
        except yaml.YAMLError as error:
            raise Stop(f"{path}: {' '.join(str(error).split())}") from error
        if not isinstance(found, dict):
            raise Stop(f"{path}: expected `name: value` lines.")
        write_kept(kept, found)
    return found

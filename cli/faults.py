"""A program that broke down over wrong content: the faults that lint sees in that content say more than the exception."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path


def content_findings(folders: Sequence[Path], roots: Sequence[Path]) -> str:
    """The errors that lint sees in the folders of some packs, as text; empty if there are none, or if lint breaks down as well."""
    from rulescript.check.lint import lint_paths
    from rulescript.diagnostic import format_findings

    try:
        found = lint_paths(folders, roots).findings
    except Exception:  # the first exception is the one to report
        return ""
    return format_findings(tuple(finding for finding in found if finding.severity == "error"))


def packs_in_play() -> list[Path]:
    """The folders of the packs that this process has loaded for games."""
    from nemesis.programs import loaded_packs

    return list(dict.fromkeys(pack.manifest.folder for loaded in loaded_packs() for pack in loaded.packs))

"""Packs: manifests, where content is found, which packs belong together and in what order, their parsed files."""

from rulescript.pack.load import LoadedPack, LoadedPacks, PackFile, load_packs
from rulescript.pack.manifest import Manifest, PackError, Ruleset, read_manifest
from rulescript.pack.resolve import resolve
from rulescript.pack.roots import content_roots, known_packs

__all__ = [
    "LoadedPack", "LoadedPacks", "Manifest", "PackError", "PackFile", "Ruleset", "content_roots", "known_packs", "load_packs",
    "read_manifest", "resolve",
]  # fmt: skip

"""`rulescript`: check, show, render and test packs.

Only `argparse` is imported before the command is known, so that `--help` answers at once.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from cli.arguments import parsed
from cli.streams import stand_in

VERSION = "0.1.0"
OK, FINDING, MISUSE, INTERRUPTED = 0, 1, 2, 130


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; the exit code: 0 ok, 1 finding, 2 misuse or unreadable input, 130 interrupted."""
    stand_in()
    parser = _parser()
    args = parsed(parser, argv)
    if args.command is None:
        parser.print_help()
        return MISUSE
    from rulescript.pack.manifest import PackError

    try:
        code = _run(args)
        sys.stdout.flush()
        return code
    except PackError as error:
        print(error, file=sys.stderr)
        return MISUSE
    except KeyboardInterrupt:
        print("Interrupted.", file=sys.stderr)
        return INTERRUPTED
    except BrokenPipeError:
        # Python would complain once more when it closes the stream at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return OK
    except (OSError, UnicodeDecodeError) as error:
        name = getattr(error, "filename", None) or "input"
        print(f"{name}: {getattr(error, 'strerror', None) or error}", file=sys.stderr)
        return MISUSE
    except RecursionError:
        print("The text is nested too deeply.", file=sys.stderr)
        return MISUSE
    except Exception as error:
        from cli.faults import content_findings, packs_in_play

        found = "" if args.command == "lint" else content_findings(getattr(args, "paths", None) or packs_in_play(), args.content)
        if found:
            print(found, file=sys.stderr)
            return FINDING
        # A fault of this program: people get a sentence, not a traceback.
        print(f"rulescript made a mistake of its own: {type(error).__name__}: {error}. Please report it.", file=sys.stderr)
        return MISUSE


def _run(args: argparse.Namespace) -> int:
    if args.command == "lint":
        return _lint(args)
    if args.command == "procedures":
        from rulescript.render.timeline import timeline_text

        print(timeline_text(_packs(args), args.content))
        return OK
    if args.command == "render":
        return _render(args)
    return _test(args)


def _packs(args: argparse.Namespace) -> list[str]:
    return [word.strip() for word in (args.packs or "").split(",") if word.strip()]


def _lint(args: argparse.Namespace) -> int:
    from rulescript.check.lint import fix_ids, lint_paths
    from rulescript.diagnostic import findings_as_json, format_findings

    if args.fix_ids:
        new = fix_ids(args.paths, args.content)
        print(f"{new} new id{'' if new == 1 else 's'} written to ids.lock", file=sys.stderr)
    linted = lint_paths(args.paths, args.content, house=args.house)
    errors = sum(finding.severity == "error" for finding in linted.findings)
    warnings = len(linted.findings) - errors
    if args.json:
        print(findings_as_json(linted.findings))
    else:
        if linted.findings:
            print(format_findings(linted.findings))
        files = f"{len(linted.files)} file{'' if len(linted.files) == 1 else 's'}"
        print(f"{files}: {errors} error{'' if errors == 1 else 's'}, {warnings} warning{'' if warnings == 1 else 's'}")
    return FINDING if errors or (warnings and args.strict) else OK


def _render(args: argparse.Namespace) -> int:
    from rulescript.render.card import render_cards

    text = render_cards(args.what, _packs(args), args.content)
    print(text)
    return OK


def _test(args: argparse.Namespace) -> int:
    from nemesis.coverage import Coverage
    from nemesis.pack_tests import TestResult, run_tests
    from rulescript.check.lint import root_of, targets
    from rulescript.pack.load import load_packs

    results: list[TestResult] = []
    coverages: list[Coverage] = []
    for path in args.paths:
        for folder, only in targets(path):
            if (folder / "pack.yaml").is_file():
                root, pack = root_of(folder)
                files = None if only is None else {only.name}
                coverage = None
                if args.coverage:
                    loaded = load_packs([pack], [root, *args.content])
                    coverage = Coverage((node, source) for node, source in loaded.nodes() if source.pack == pack)
                    coverages.append(coverage)
                titles = [args.match] if args.match else ()
                results += run_tests([pack], [root, *args.content], files=files, titles=titles, coverage=coverage)
    for coverage in coverages:
        print("\n".join([*(f"{place.where} not reached: {place.sort} {place.title}" for place in coverage.missed()), coverage.text]))
    failed = [result for result in results if not result.passed]
    for result in failed:
        print(f"{result.where}: {result.title}")
        print("\n".join(f"  {problem}" for problem in result.problems))
    print(f"{len(results)} test{'' if len(results) == 1 else 's'}: {len(results) - len(failed)} passed, {len(failed)} failed")
    if not results:
        print("no test fits", file=sys.stderr)
        return MISUSE
    return FINDING if failed else OK


def _parser() -> argparse.ArgumentParser:
    top = argparse.ArgumentParser(prog="rulescript", description="Check, show and test packs of rules.")
    top.add_argument("--version", action="version", version=f"rulescript {VERSION}")
    commands = top.add_subparsers(dest="command", metavar="COMMAND")
    shared = argparse.ArgumentParser(add_help=False)
    shared.add_argument("--content", type=Path, action="append", default=[], metavar="DIR", help="a folder with packs (may be repeated)")

    lint = commands.add_parser("lint", parents=[shared], help="check files, packs or whole content folders")
    lint.add_argument("paths", type=Path, nargs="+", metavar="PATH", help="a .nrs file, the folder of a pack, or a folder of packs")
    lint.add_argument("--json", action="store_true", help="print the findings as JSON")
    lint.add_argument("--house", action="store_true", help="list everything that is a stand-in or of the authors' own making")
    lint.add_argument("--fix-ids", action="store_true", help="write the ids of new definitions to ids.lock")
    lint.add_argument("--strict", action="store_true", help="warnings count as findings, too")

    procedures = commands.add_parser("procedures", parents=[shared], help="print procedures with the rules that hook them")
    procedures.add_argument("--with", dest="packs", metavar="A,B", help="packs, with commas; default: the pack that says so")

    render = commands.add_parser("render", parents=[shared], help="print the text of cards, made from what they do")
    render.add_argument("what", nargs="+", metavar="WHAT", help="a .nrs file, a card's id or title, or a kind of card")
    render.add_argument("--with", dest="packs", metavar="A,B", help="packs, with commas; default: the pack that says so")

    test = commands.add_parser("test", parents=[shared], help="run the tests of packs")
    test.add_argument("paths", type=Path, nargs="+", metavar="PATH", help="a _test.nrs file, the folder of a pack, or a folder of packs")
    test.add_argument("--match", metavar="WORDS", help="only tests whose title has these words")
    test.add_argument("--coverage", action="store_true", help="list the lines and branches of the packs that no test reaches")
    return top


if __name__ == "__main__":
    sys.exit(main())

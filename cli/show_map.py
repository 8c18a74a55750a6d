"""`nemesis-cli map`: the map as lines, or the view as JSON, of a new game or a saved one."""

from __future__ import annotations

import argparse
import json

from cli.messages import OK, Stop, listed
from cli.packs import checked_options, chosen_manifests, content_roots
from cli.present import load_present
from cli.resume import game_of, give_again, new_game, read_record
from cli.saves import existing_game, saves_folder
from cli.scene import Scene
from cli.seats import Seat, seats_for
from cli.session import Session


def show_map(args: argparse.Namespace) -> int:
    """Run the command; nothing is written."""
    roots = content_roots(args.content)
    if args.resume is not None:
        path = existing_game(saves_folder(args.saves), args.resume)
        record = read_record(path)
        session = Session(game_of(record, path, roots), [Seat(str(name)) for name in record.header["seats"]], 0)
        give_again(session, record, path, [])
        game = session.game
        packs = record.packs
    else:
        manifests = chosen_manifests(args.pack, roots)
        checked_options(args.options, manifests)
        packs = [manifest.id for manifest in manifests]
        game = new_game(packs, [seat.name for seat in seats_for(args.seats, manifests[0].players[0])], args.seed, args.options, roots)
    if args.seat is not None and args.seat not in game.seats:
        raise Stop(f"No seat `{args.seat}`; there are {listed(game.seats)}.")
    view = game.view(args.seat)
    if args.json:
        print(json.dumps(view, sort_keys=True, ensure_ascii=False))
        return OK
    for line in Scene(view, load_present(packs, roots), args.seat).map():
        print(line)
    return OK

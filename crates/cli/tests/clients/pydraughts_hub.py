#!/usr/bin/env python3
"""The Hub engine class of pydraughts plays games of English draughts with `gamete engine`; its board is the referee.

    pydraughts_hub.py GAMETE [GAMES]

GAMETE is the program, GAMES the number of games (50). It needs pydraughts (PyPI). It ends with 1 if an engine makes a move
that pydraughts does not know, or if the two programs write a position or a move differently.
"""
import json
import random
import subprocess
import sys

import draughts
from draughts.engine import HubEngine, Limit


def ends(move):
    """The two ends of a move, such as 22x15x8 or 22x8."""
    squares = move.replace("x", "-").split("-")
    return squares[0], squares[-1]


def compare(gamete, board):
    """Both programs know the same moves. (For Gamete, captures that visit other squares are other moves.)"""
    command = [gamete, "moves", "draughts", "--position", board.fen, "--json"]
    answer = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    ours, theirs = {ends(move) for move in answer["moves"]}, {ends(move.pdn_move) for move in board.legal_moves()}
    if ours != theirs:
        sys.exit(f"other moves in {board.fen}: {ours} and {theirs}")


def compare_position(engine, board):
    """The engine understands the position that pydraughts writes, whichever side is to move: its move is legal there."""
    alone = draughts.Board(variant="english", fen=board.fen)
    move = engine.play(alone, Limit(depth=1), False).move
    if move.hub_move not in {legal.hub_move for legal in alone.legal_moves()}:
        sys.exit(f"illegal move {move.hub_move} in {board.fen}")


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    gamete, games = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 50
    strong = HubEngine([gamete, "engine", "champion:draughts,search=selective,hash=game"])
    weak = HubEngine([gamete, "engine", "material:2", "--game", "draughts"])
    for engine in (strong, weak):
        if engine.variants != {"english"}:
            sys.exit(f"the engine names the variants {engine.variants}")
        engine.setoption("variant", "english")
        engine.init()
        engine.ping()
    chance, score, plies, compared = random.Random(1), 0.0, 0, [0, 0]
    for number in range(games):
        board = draughts.Board(variant="english")
        for engine in (strong, weak):
            engine.send("new-game")
        seats = [strong, weak] if number % 2 == 0 else [weak, strong]
        while not board.is_over() and len(board.move_stack) < 200:
            turn = len(board.move_stack)
            if turn < 3:
                board.push(chance.choice(board.legal_moves()))
                continue
            # Positions in which either side is to move.
            if turn % 20 in (3, 10):
                compare(gamete, board)
                compare_position(strong, board)
                compared[turn % 2] += 1
            limit = Limit(nodes=1000) if seats[turn % 2] is strong else Limit(time=1, inc=0.01)
            result = seats[turn % 2].play(board, limit, False)
            board.push(result.move)
        plies += len(board.move_stack)
        # Black moves first.
        first = {draughts.BLACK: 1.0, draughts.WHITE: 0.0}.get(board.winner(), 0.5)
        score += first if number % 2 == 0 else 1 - first
    for engine in (strong, weak):
        engine.quit()
        engine.p.wait(10)
    print(f"{games} games, {plies} plies, all moves legal; positions compared: {compared[0]} with the first and {compared[1]} with the "
          f"second side to move; the champion scored {score} of {games} against material:2")


main()

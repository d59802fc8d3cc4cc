#!/usr/bin/env python3
"""Fairy-Stockfish plays games of 6x6 chess against `gamete engine`; pyffish is the referee of every move.

    fairy_stockfish.py GAMETE [GAMES]

GAMETE is the program, GAMES the number of games (100). It needs fairy-stockfish (Debian) and pyffish (PyPI). It ends with
1 if either side makes an illegal move, or if the two engines do not know the same legal moves.
"""
import os
import random
import shutil
import subprocess
import sys
import tempfile

import pyffish

VARIANT = "gamete-minichess"
MOST_PLIES = 200


class Engine:
    """An engine that speaks UCI."""

    def __init__(self, command, options):
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)
        self.say("uci")
        self.until("uciok")
        for name, value in options.items():
            self.say(f"setoption name {name} value {value}")
        self.ready()

    def say(self, line):
        self.process.stdin.write(line + "\n")

    def until(self, word):
        for line in self.process.stdout:
            if line.split()[:1] == [word]:
                return line.split()
        sys.exit(f"the engine ended before it said {word}")

    def ready(self):
        self.say("isready")
        self.until("readyok")

    def move(self, moves, limit):
        self.say("position startpos" + (" moves " + " ".join(moves) if moves else ""))
        self.say("go " + limit)
        return self.until("bestmove")[1]

    def quit(self):
        self.say("quit")
        self.process.wait(10)


def play(players, chance):
    """Plays one game. Returns 1, 0.5 or 0 for White, and the number of plies."""
    start, moves = pyffish.start_fen(VARIANT), []
    for player, _ in players:
        player.say("ucinewgame")
        player.ready()
    while True:
        legal = pyffish.legal_moves(VARIANT, start, moves)
        over, value = pyffish.is_immediate_game_end(VARIANT, start, moves)
        if over or not legal:
            # Without a king the side to move has lost; without a move the game is drawn.
            value = value if over else 0
            score = 0.5 if value == 0 else float((value > 0) == (len(moves) % 2 == 0))
            return score, len(moves)
        if len(moves) == MOST_PLIES:
            return 0.5, len(moves)
        if len(moves) < 2:
            moves.append(chance.choice(sorted(legal)))
            continue
        player, limit = players[len(moves) % 2]
        move = player.move(moves, limit)
        if move not in legal:
            sys.exit(f"illegal move {move} of {'White' if len(moves) % 2 == 0 else 'Black'} after {' '.join(moves)}")
        moves.append(move)


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    gamete, games = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 100
    folder = tempfile.mkdtemp()
    file = os.path.join(folder, "minichess.ini")
    subprocess.run([gamete, "engine", "--variant-file", file], check=True, stdout=subprocess.DEVNULL)
    with open(file) as rules:
        pyffish.load_variant_config(rules.read())
    # A promotion in both programs that read the file.
    promoting = "3k2/4P1/6/6/6/1K4 w - - 0 1"
    assert "e5e6r" in pyffish.legal_moves(VARIANT, promoting, []), "pyffish does not promote"
    search = "champion:minichess,search=selective,hash=game"
    ours = Engine([gamete, "engine", search], {"UCI_Variant": VARIANT})
    # Debian has games in a folder of their own.
    fairy = shutil.which("fairy-stockfish", path=os.environ["PATH"] + ":/usr/games")
    if fairy is None:
        sys.exit("there is no program fairy-stockfish")
    theirs = Engine([fairy], {"VariantPath": file, "UCI_Variant": VARIANT})
    theirs.say(f"position fen {promoting}")
    theirs.say("go perft 1")
    promotes = False
    for line in theirs.process.stdout:
        promotes |= line.startswith("e5e6r: 1")
        if line.startswith("Nodes searched"):
            break
    assert promotes, "Fairy-Stockfish does not promote"
    chance, score, plies = random.Random(1), 0.0, 0
    for number in range(games):
        seats = [(ours, "nodes 3000"), (theirs, "depth 3")]
        white, length = play(seats if number % 2 == 0 else seats[::-1], chance)
        score += white if number % 2 == 0 else 1 - white
        plies += length
    ours.quit()
    theirs.quit()
    print(f"{games} games, {plies} plies, no illegal move; Gamete's champion scored {score} of {games}")


main()

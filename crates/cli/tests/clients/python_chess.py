#!/usr/bin/env python3
"""python-chess opens `gamete engine`, sets options, plays, analyses without a limit and stops.

    python_chess.py GAMETE

It needs chess (PyPI). Its boards are 8x8, so a small subclass carries Gamete's positions and moves as text.
"""
import sys
import time

import chess
import chess.engine

START = "rnbknr/pppppp/6/6/PPPPPP/RNBKNR w - - 0 1"


class Move(chess.Move):
    """A move that is written as the engine writes it."""

    def __init__(self, text):
        super().__init__(0, 0)
        self.text = text

    def uci(self):
        return self.text

    def __bool__(self):
        return True


class Board(chess.Board):
    """A board that carries a position and moves of 6x6 chess as text."""

    uci_variant = "gamete-minichess"

    def root(self):
        return Board()

    def fen(self, **_):
        return START

    def parse_uci(self, text):
        if not (len(text) in (4, 5) and text[0] in "abcdef" and text[2] in "abcdef"):
            raise ValueError(text)
        return Move(text)

    def push_uci(self, text):
        move = self.parse_uci(text)
        self.push(move)
        return move

    def push(self, move):
        self.move_stack.append(move)

    def pop(self):
        return self.move_stack.pop()

    def uci(self, move, **_):
        return move.text

    def copy(self, **_):
        copy = Board()
        copy.move_stack = list(self.move_stack)
        return copy


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    engine = chess.engine.SimpleEngine.popen_uci([sys.argv[1], "engine", "champion:minichess,search=selective"])
    print("opened", engine.id["name"])
    for option in ["Depth", "Nodes", "Hash", "Threads", "Seed", "Ponder", "UCI_Variant"]:
        assert option in engine.options, f"there is no option {option}"
    engine.configure({"Seed": 7, "Hash": 8})
    board = Board()
    for limit in [chess.engine.Limit(depth=3), chess.engine.Limit(nodes=500), chess.engine.Limit(time=0.1)]:
        result = engine.play(board, limit, info=chess.engine.INFO_ALL)
        assert result.info["depth"] >= 1 and result.info["nodes"] > 0 and result.info["pv"], result.info
        board.push(result.move)
    with engine.analysis(board) as analysis:
        time.sleep(0.5)
        begun = time.time()
        analysis.stop()
        best = analysis.wait()
        took = time.time() - begun
    assert took < 0.5, f"the analysis stopped only after {took} s"
    assert analysis.info["depth"] >= 4 and analysis.info["score"].relative is not None, analysis.info
    print(f"played {' '.join(move.text for move in board.move_stack)}, analysed to depth {analysis.info['depth']}, best {best.move.text}, "
          f"stopped after {1000 * took:.0f} ms")
    engine.quit()


main()

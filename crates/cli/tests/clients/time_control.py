#!/usr/bin/env python3
"""`gamete engine` plays games of 6x6 chess against itself with real clocks, and losses on time are counted.

    time_control.py GAMETE [GAMES] [SECONDS] [INCREMENT] [AT_ONCE]

GAMETE is the program, GAMES the number of games (1000), SECONDS and INCREMENT the time of each side for a game and for each
move (1 and 0.01), AT_ONCE the number of games at the same time (2). It needs pyffish (PyPI), which is the referee. The time
of a move is measured from the command to the answer, so it contains what pipes and the system need. On a busy machine it
also contains the time in which the engine and this script waited for a processor, which Linux tells: a loss that is no loss
without this time is counted by itself, as one of the machine. Then 200 searches without a limit are stopped, and the longest
time from `stop` to the move is told. It ends with 1 if a side loses on time by itself.
"""
import glob
import multiprocessing
import os
import queue
import random
import subprocess
import sys
import tempfile
import time

import pyffish

VARIANT = "gamete-minichess"
MOST_PLIES = 200
STOPS = 200


class Engine:
    """A champion that speaks UCI."""

    def __init__(self, gamete):
        command = [gamete, "engine", "champion:minichess,search=selective,hash=game"]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)
        self.say("uci")
        self.until("uciok")

    def say(self, line):
        self.process.stdin.write(line + "\n")

    def until(self, word):
        for line in self.process.stdout:
            if line.split()[:1] == [word]:
                return line.split()
        raise RuntimeError(f"the engine ended before it said {word}")

    def begin(self):
        self.say("ucinewgame")
        self.say("isready")
        self.until("readyok")

    def waited(self):
        """The seconds in which the engine and this script waited for a processor so far; 0 where the system does not tell."""
        waited = 0
        for file in glob.glob(f"/proc/{self.process.pid}/task/*/schedstat") + ["/proc/self/schedstat"]:
            try:
                with open(file) as numbers:
                    waited += int(numbers.read().split()[1])
            except (OSError, IndexError, ValueError):
                pass
        return waited / 1e9

    def quit(self):
        self.say("quit")
        self.process.wait(10)


class Tally:
    """What the games had in common."""

    def __init__(self):
        self.begun = time.monotonic()
        self.played, self.plies, self.lost, self.starved, self.least, self.longest = 0, 0, 0, 0, float("inf"), 0.0

    def add(self, game):
        self.played += 1
        self.plies += game.plies
        self.lost += game.is_lost
        self.starved += game.is_starved
        self.least, self.longest = min(self.least, game.least), max(self.longest, game.longest)

    def words(self):
        return (f"{self.played} games, {self.plies} plies, {self.lost} lost on time, {self.starved} because the machine was busy; "
                f"least time left {1000 * self.least:.0f} ms, longest move {1000 * self.longest:.0f} ms, "
                f"{(time.monotonic() - self.begun) / 60:.1f} min")


class Game:
    """What happened in a game: the plies, whether a side lost on time by itself or because of the machine, the least time
    that a side had left, and the longest move."""

    def __init__(self, seconds):
        self.plies, self.is_lost, self.is_starved, self.least, self.longest = 0, False, False, seconds, 0.0


def legal_moves(start, moves):
    """The legal moves; none if the game is over."""
    over, _ = pyffish.is_immediate_game_end(VARIANT, start, moves)
    return [] if over else sorted(pyffish.legal_moves(VARIANT, start, moves))


def play(sides, seconds, increment, chance):
    """Plays one game."""
    start, moves, game = pyffish.start_fen(VARIANT), [], Game(seconds)
    clocks = [seconds, seconds]
    for side in sides:
        side.begin()
    while len(moves) < MOST_PLIES:
        legal = legal_moves(start, moves)
        if not legal:
            break
        if len(moves) < 2:
            moves.append(chance.choice(legal))
            continue
        turn = len(moves) % 2
        white, black = (max(1, int(1000 * clock)) for clock in clocks)
        each = int(1000 * increment)
        side = sides[turn]
        side.say("position startpos moves " + " ".join(moves))
        waited, begun = side.waited(), time.monotonic()
        side.say(f"go wtime {white} btime {black} winc {each} binc {each}")
        move = side.until("bestmove")[1]
        took = time.monotonic() - begun
        clocks[turn] -= took
        game.longest, game.least = max(game.longest, took), min(game.least, clocks[turn])
        if clocks[turn] < 0:
            waited = side.waited() - waited
            game.is_starved = clocks[turn] + waited >= 0
            game.is_lost = not game.is_starved
            print(f"lost on time by {-1000 * clocks[turn]:.0f} ms at ply {len(moves)}: {took:.3f} s for {move}, of which "
                  f"{waited:.3f} s without a processor", flush=True)
            break
        if move not in legal:
            raise RuntimeError(f"illegal move {move} after {' '.join(moves)}")
        clocks[turn] += increment
        moves.append(move)
    game.plies = len(moves)
    return game


def play_many(gamete, rules, number, games, seconds, increment, results):
    """Plays games one after the other. Each process has its own engines and referee."""
    pyffish.load_variant_config(rules)
    chance, sides = random.Random(number), [Engine(gamete), Engine(gamete)]
    for _ in range(games):
        results.put(play(sides, seconds, increment, chance))
    for side in sides:
        side.quit()


def stops(gamete):
    """The times from `stop` to the move."""
    engine, chance, times = Engine(gamete), random.Random(1), []
    for _ in range(STOPS):
        engine.begin()
        engine.say("position startpos")
        engine.say("go infinite")
        time.sleep(0.3 * chance.random())
        begun = time.monotonic()
        engine.say("stop")
        engine.until("bestmove")
        times.append(1000 * (time.monotonic() - begun))
    engine.quit()
    return sorted(times)


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    values = sys.argv[2:] + ["1000", "1", "0.01", "2"][len(sys.argv) - 2:]
    gamete, games, seconds, increment, at_once = sys.argv[1], int(values[0]), float(values[1]), float(values[2]), int(values[3])
    with tempfile.TemporaryDirectory() as folder:
        file = os.path.join(folder, "minichess.ini")
        subprocess.run([gamete, "engine", "--variant-file", file], check=True, stdout=subprocess.DEVNULL)
        with open(file) as text:
            rules = text.read()
    tally, results = Tally(), multiprocessing.Queue()
    shares = [games // at_once + (number < games % at_once) for number in range(at_once)]
    players = [multiprocessing.Process(target=play_many, args=(gamete, rules, number, share, seconds, increment, results))
               for number, share in enumerate(shares)]
    for player in players:
        player.start()
    while tally.played < games:
        try:
            tally.add(results.get(timeout=60))
        except queue.Empty:
            if not all(player.is_alive() for player in players):
                sys.exit(f"only {tally.played} of {games} games were played")
            continue
        if tally.played % 50 == 0:
            print(tally.words(), flush=True)
    for player in players:
        player.join()
    print(tally.words())
    times = stops(gamete)
    print(f"{STOPS} stops: longest {times[-1]:.1f} ms, median {times[len(times) // 2]:.1f} ms, 99 % within {times[STOPS * 99 // 100]:.1f} ms")
    sys.exit(1 if tally.lost else 0)


main()

#!/usr/bin/env python3
"""Compares the processor time of two builds of Gamete on the same work.

    python3 docs/results/compare_builds.py OLD NEW [ROUNDS]

OLD and NEW are paths of two `gamete` programs, for example of two commits or two profiles. Each job runs on one thread
in both programs, one after the other, ROUNDS times (3). The best time of each program counts: other work on the machine
only adds time. The last column is NEW divided by OLD; below 1 means that NEW is faster.
"""
import os
import subprocess
import sys
import tempfile

TRAIN = ["--seed", "3", "--threads", "1"]
MATCH = ["--seed", "3", "--threads", "1"]
JOBS = {
    "train minichess": ["train", "minichess", "--generations", "6", *TRAIN],
    "train draughts": ["train", "draughts", "--generations", "2", *TRAIN],
    "train nim-2x4-c1": ["train", "nim-2x4-c1", "--generations", "1000", *TRAIN],
    "train minichess-td": ["train", "minichess-td", "--generations", "3", *TRAIN],
    "alpha-beta, draughts": ["match", "material:5", "material:5", "--game", "draughts", "--games", "100", *MATCH],
    "alpha-beta, minichess": ["match", "material:4", "material:4", "--game", "minichess", "--games", "200", *MATCH],
    "Monte Carlo, minichess": ["match", "mcts:300", "mcts:300", "--game", "minichess", "--games", "10", *MATCH],
}


def seconds(program, words):
    """The processor time of a command in an empty folder."""
    with tempfile.TemporaryDirectory() as folder:
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        process = subprocess.Popen([program, *words, "--runs", folder], **quiet)
        _, status, usage = os.wait4(process.pid, 0)
        if status:
            sys.exit(f"{program} {' '.join(words)} failed with status {status}")
        return usage.ru_utime + usage.ru_stime


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    old, new = (os.path.abspath(path) for path in sys.argv[1:3])
    rounds = int(sys.argv[3]) if len(sys.argv) > 3 else 3
    print(f"{'job':24} {'old':>8} {'new':>8}  new / old")
    for name, words in JOBS.items():
        best = {old: float("inf"), new: float("inf")}
        for _ in range(rounds):
            for program in (old, new):
                best[program] = min(best[program], seconds(program, words))
        print(f"{name:24} {best[old]:8.2f} {best[new]:8.2f}  {best[new] / best[old]:.3f}", flush=True)


main()

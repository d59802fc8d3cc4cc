#!/usr/bin/env python3
"""Trains every Nim configuration of Kissling's thesis with ten seeds and prints the table of docs/results/nim.md.

    cargo build --release && python3 docs/results/nim.py [--workers 2] [--only NAME ...] [--set KEY=VALUE ...]

Needs nothing but Python and target/release/gamete. Runs are kept in a folder of their own, which is printed.
"""
import argparse
import json
import statistics
import subprocess
import tempfile
from concurrent.futures import ThreadPoolExecutor

# Of the author's own runs: final grades, their means over the last 100 generations, in per cent, and the first
# generation at 100 %, where there is one, one entry per run. The thesis gives the configurations, its repository the runs.
AUTHOR = {
    "nim-stack-2": ([100, 100, 100], [100, 100, 100], [2, 2, 2]),
    "nim-stack-8": ([26.5, 35.3, 15.6], [27.1, 35.6, 25.0], []),
    "nim-stack-8-slim": ([39.3, 35.0, 37.8], [37.7, 34.7, 44.1], [153]),
    "nim-1-8-c1": ([64.1, 74.2, 42.9], [63.0, 74.2, 45.2], []),
    "nim-1-8-c2": ([75.0, 44.6, 68.9], [74.2, 46.6, 65.9], []),
    "nim-1-8-c3": ([60.1, 63.1, 64.1], [62.4, 59.9, 62.8], []),
    "nim-1-8-c4": ([77.0, 76.8, 89.4], [74.2, 74.3, 87.6], []),
    "nim-1-8-c5": ([61.2, 73.1, 73.6], [64.3, 72.5, 73.6], []),
    "nim-1-8-c6": ([100, 100, 100], [100, 100, 100], [2, 12, 13]),
    "nim-1-1000": ([100, 25.1, 100], [100, 25.1, 100], [30, 9]),
    "nim-2x2": ([100, 100, 100], [99.7, 94.4, 100], [6, 47, 37]),
    "nim-2x4-c1": ([58.2, 34.2, 53.2], [45.7, 46.9, 57.5], []),
    "nim-2x4-c2": ([], [], []),
    "nim-2x4-c3": ([], [], []),
    "nim-2x4-c4": ([], [], []),
    "nim-2x4-c5": ([], [], []),
    "nim-2x4-c2-graded": ([72.4, 78.4, 74.6], [70.4, 73.4, 71.1], []),
    "nim-2x4-c3-graded": ([71.2, 66.9, 57.9], [70.3, 69.9, 57.9], []),
    "nim-2x4-c4-graded": ([74.0, 76.5, 82.3], [71.8, 78.4, 72.0], []),
    "nim-2x4-c5-graded": ([72.2, 76.1], [73.1, 73.5], []),
}


def gamete(*words):
    done = subprocess.run(["target/release/gamete", *words], capture_output=True, text=True, check=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


def one_run(experiment, seed, runs, sets):
    overrides = [word for assignment in sets for word in ("--set", assignment)]
    name = f"{experiment}-seed-{seed}"
    [summary] = gamete("train", experiment, "--seed", str(seed), "--runs", runs, "--name", name, "--threads", "1", "--json", *overrides)
    [shown] = gamete("show", name, "--runs", runs, "--json")
    generations = shown["generations"]
    exam = generations[-1]["exam"]
    # The author graded the champion's moves in its games; so does this. The exam's own grades stand beside it.
    in_games = [generation["grade_in_games"] for generation in generations]
    perfect = [number for number, grade in enumerate(in_games, 1) if grade == 1.0]
    return {
        "last": 100 * statistics.fmean(in_games[-100:]),
        "on": 100 * exam["on_policy"],
        "all": 100 * exam["all_positions"],
        "first": perfect[0] if perfect else None,
        "solved": summary["first_solved"],
        "cpu": summary["cpu_seconds"],
    }


def spread(values, digits=0):
    if not values:
        return "–"
    text = lambda value: f"{value:.{digits}f}"
    if len(values) < 3 or min(values) == max(values):
        return "–".join(dict.fromkeys(text(value) for value in sorted(values)))
    return f"{text(statistics.median(values))} ({text(min(values))}–{text(max(values))})"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--first-seed", type=int, default=1)
    parser.add_argument("--only", nargs="*", default=list(AUTHOR))
    parser.add_argument("--set", nargs="*", default=[])
    args = parser.parse_args()
    runs = tempfile.mkdtemp(prefix="gamete-nim-")
    print(f"runs in {runs}\n")
    print("| experiment | author: grade in games, mean of last 100 | ours, the same | ours: exam on policy | ours: exam over all positions | author: first at 100 % in games | ours, the same | ours: first solved | CPU-seconds a run |")
    print("|---|---|---|---|---|---|---|---|---|")
    seeds = range(args.first_seed, args.first_seed + args.seeds)
    with ThreadPoolExecutor(args.workers) as pool:
        for experiment in args.only:
            results = list(pool.map(lambda seed: one_run(experiment, seed, runs, args.set), seeds))
            column = lambda key: [result[key] for result in results if result[key] is not None]
            _, author_last, author_first = AUTHOR.get(experiment, ([], [], []))
            reached = lambda key: f"{len(column(key))} of {len(results)}" + (f": {spread(column(key))}" if column(key) else "")
            print(
                f"| `{experiment}` | {spread(author_last)} | {spread(column('last'))} | {spread(column('on'))} | {spread(column('all'))} "
                f"| {spread(author_first)} | {reached('first')} | {reached('solved')} | {statistics.median(column('cpu')):.2f} |",
                flush=True,
            )


if __name__ == "__main__":
    main()

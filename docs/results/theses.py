#!/usr/bin/env python3
"""The tables of docs/results/theses.md on chess and draughts, from the folders of their labs.

    gamete lab run minichess-thesis && gamete lab run draughts-thesis
    python3 docs/results/theses.py runs/minichess-thesis runs/draughts-thesis [--gamete PATH]

It needs SciPy. Only runs that are over are counted. Exams at depth 1, and matches, are played now.
"""
import argparse
import json
import sqlite3
import statistics
import subprocess
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from scipy.stats import mannwhitneyu, spearmanr

# The thesis's marks by hand: saves its king, captures kings (10 points each), saves pieces, captures them (5 each).
PUBLISHED = {
    "01": (4, 9, 2, 1), "02": (3, 7, 2, 2), "03": (2, 5, 1, 2), "04": (3, 7, 2, 2), "05": (1, 8, 0, 2), "06": (1, 5, 2, 1),
    "07": (4, 8, 3, 2), "08": (2, 7, 2, 1), "09": (1, 8, 0, 0), "10": (4, 8, 2, 1), "11": (3, 10, 0, 1), "12": (2, 6, 1, 1),
    "13": (5, 7, 2, 2), "14": (3, 8, 2, 2), "15": (6, 6, 1, 0), "16": (7, 10, 1, 0), "17": (3, 6, 2, 1), "18": (0, 10, 0, 3),
    "28": (6, 7, 1, 2), "29": (6, 9, 0, 2), "30": (7, 8, 1, 1), "31": (6, 5, 1, 2),
    "34": (0, 8, 2, 0), "35": (3, 6, 2, 0), "36": (2, 6, 1, 1), "37": (4, 5, 2, 1),
    "tt1": (6, 10, 0, 4), "tt2": (2, 8, 2, 1), "tt3": (3, 5, 2, 4), "tt4": (7, 10, 2, 3), "tt5": (7, 10, 1, 1), "tt6": (6, 10, 1, 2),
    "tt7": (5, 7, 1, 1), "tt8": (6, 10, 0, 3),
}


def asked(gamete, *words):
    output = subprocess.run([gamete, *map(str, words), "--json"], capture_output=True, text=True, check=True)
    return json.loads(output.stdout.splitlines()[-1])


def marks(exam):
    return [10 * exam["sk"], 10 * exam["mk"], 5 * exam["sp"], 5 * exam["mp"]]


def spread(values, digits=1):
    middle = f"{statistics.median(values):.{digits}f}"
    return middle if len(values) == 1 else f"{middle} ({min(values):.{digits}f}–{max(values):.{digits}f})"


def finished(gamete, folder):
    """Configurations in the order of the lab, with what `show` tells of their runs that are over."""
    lab = json.loads((folder / "lab.json").read_text())
    for configuration in lab["configurations"]:
        files = [folder / f"{configuration['name']}-seed-{seed}.db" for seed in configuration["seeds"]]
        shown = [(file, asked(gamete, "show", file)) for file in files if file.exists()]
        yield configuration["name"], [(file, run) for file, run in shown if run["state"] in ("generations", "solved")]


def untrained(gamete):
    """Points at depth 1 and alone of the first ten networks of each of three seeds."""
    deep, alone = [], []
    with tempfile.TemporaryDirectory() as folder:
        for seed in (1, 2, 3):
            words = ["train", "minichess-16", "--generations", 1, "--seed", seed, "--set", "record.genomes_every=1"]
            asked(gamete, *words, "--runs", folder, "--name", seed)
            with sqlite3.connect(f"{folder}/{seed}.db") as run:
                genomes = run.execute("select text from genome order by place limit 10").fetchall()
            for (text,) in genomes:
                file = Path(folder) / "genome.txt"
                file.write_text(text)
                for depth, points in ((1, deep), (0, alone)):
                    points.append(asked(gamete, "exam", f"file:{file},depth={depth}", "--game", "minichess")["points"])
    return deep, alone


def rank_test(one, two):
    """Mann and Whitney's p, two-sided, and Vargha and Delaney's A."""
    found = mannwhitneyu(one, two)
    return found.pvalue, found.statistic / (len(one) * len(two))


# The thesis's sets.
SETS = {"1 to 9": range(1, 10), "10 to 18": range(10, 19), "28 to 31": range(28, 32), "34 to 37": range(34, 38)}


def set_of(training):
    return "TT1 to TT8" if training.startswith("tt") else next(name for name, each in SETS.items() if int(training) in each)


def chess(gamete, folder):
    print("| training | published, by hand | ours at depth 1: SK + MK + SP + MP (medians) | sum | ours alone | n | tournaments | CPU-minutes a run |")
    print("|---|---|---|---|---|---|---|---|")
    deep_first, alone_first = untrained(gamete)
    print(f"| untrained | 0 + 6 + 0 + 1 = 7 | | {spread(deep_first)} | {spread(alone_first)} | {len(deep_first)} | 0 | |")
    pairs, sets, seeds, cost = [], {}, {}, 0
    with ThreadPoolExecutor(2) as workers:
        for name, runs in finished(gamete, folder):
            if not runs:
                continue
            deep = list(workers.map(lambda run: asked(gamete, "exam", f"run:{run[0]},depth=1"), runs))
            last = [run["generations"][-1] for _, run in runs]
            parts = [statistics.median(part) for part in zip(*map(marks, deep))]
            training = name.removeprefix("minichess-")
            known = PUBLISHED[training]
            sums = [exam["points"] for exam in deep]
            alone = [each["exam"]["points"] for each in last]
            pairs.append((sum(known), statistics.median(sums)))
            for points, more in zip(sets.setdefault(set_of(training), ([], [])), (sums, alone)):
                points.extend(more)
            for (_, run), points in zip(runs, sums):
                seeds.setdefault((set_of(training), run["seed"]), []).append(points)
            cost += sum(each["cpu_seconds"] for each in last)
            print(
                f"| `{name}` | {' + '.join(map(str, known))} = {sum(known)} | {' + '.join(f'{part:.1f}' for part in parts)} "
                f"| {spread(sums)} | {spread(alone)} "
                f"| {len(runs)} | {last[0]['generation']} | {spread([each['cpu_seconds'] / 60 for each in last])} |",
                flush=True,
            )
    print("\n| set | n | at depth 1 | against untrained: p, A | alone | against untrained: p, A |\n|---|---|---|---|---|---|")
    for name, (deep, alone) in sets.items():
        tests = ["{:.2g}, {:.2f}".format(*rank_test(*both)) for both in ((deep, deep_first), (alone, alone_first))]
        print(f"| {name} | {len(deep)} | {spread(deep)} | {tests[0]} | {spread(alone)} | {tests[1]} |")
    # Runs of one seed may be alike: then those of a set are not as many as they seem.
    print("\n| set | seed | n | at depth 1 | against untrained: p, A |\n|---|---|---|---|---|")
    for (name, seed), deep in sorted(seeds.items()):
        print(f"| {name} | {seed} | {len(deep)} | {spread(deep)} | {'{:.2g}, {:.2f}'.format(*rank_test(deep, deep_first))} |")
    print(f"\nSpearman's rank correlation of published sums and our medians at depth 1: {spearmanr(*zip(*pairs)).statistic:.2f} ({len(pairs)} trainings)")
    print(f"{cost / 3600:.1f} CPU-hours\n")


def draughts(gamete, folder):
    print("| configuration | n | generations | against `random` | `mcts:500` | its champion of half-way | growth, mean of all generations | exam | CPU-seconds a run |")
    print("|---|---|---|---|---|---|---|---|---|")
    for name, runs in finished(gamete, folder):
        if not runs:
            continue
        last = [run["generations"][-1] for _, run in runs]
        against = lambda place: spread([100 * run["finals"][place]["score"] for _, run in runs])
        growth = [statistics.mean(each["growth"] for each in run["generations"] if each["growth"] is not None) for _, run in runs]
        grade = lambda run: next(each["exam"]["grade"] for each in reversed(run["generations"]) if each["exam"])
        print(
            f"| `{name}` | {len(runs)} | {last[0]['generation']} | {against(0)} | {against(1)} | {against(3)} | {spread(growth, 3)} "
            f"| {spread([100 * grade(run) for _, run in runs])} | {spread([each['cpu_seconds'] for each in last], 0)} |",
            flush=True,
        )


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--gamete", default=Path(__file__).resolve().parents[2] / "target/release/gamete")
    words = parser.parse_args()
    for folder in words.folders:
        (chess if "minichess" in folder.name else draughts)(words.gamete, folder)
        print()


main()

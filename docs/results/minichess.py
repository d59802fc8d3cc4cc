#!/usr/bin/env python3
"""The table of docs/results/minichess.md: an experiment of minichess, seed by seed.

    cargo build --release && python3 docs/results/minichess.py [--experiment NAME] [--seeds N] [--first-seed N]

Runs are kept in runs/results and used again if they are there.
"""
import argparse
import json
import statistics
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
GAMETE = ROOT / "target/release/gamete"
RUNS = ROOT / "runs/results"


def gamete(*words):
    output = subprocess.run([GAMETE, *map(str, words), "--json", "--runs", RUNS], capture_output=True, text=True, check=True)
    return json.loads(output.stdout.splitlines()[-1])


def measure(experiment, seed, games):
    name = f"{experiment}-seed-{seed}"
    if not (RUNS / f"{name}.db").exists():
        gamete("train", experiment, "--seed", seed, "--name", name, "--threads", 1)
    run = f"run:{name}"
    match = lambda one, two: gamete("match", one, two, "--game", "minichess", "--games", games, "--threads", 1)
    return {
        "seed": seed,
        "cpu": json.loads(subprocess.run([GAMETE, "show", name, "--json", "--runs", RUNS], capture_output=True, text=True).stdout)["generations"][-1]["cpu_seconds"],
        "first": gamete("exam", f"{run}@1"),
        "last": gamete("exam", run),
        "random": match(run, "random"),
        "random1": match(f"{run},depth=1", "random"),
        "material1": match(f"{run},depth=1", "material:1"),
        "itself": match(run, f"{run}@1"),
    }


def spread(values, form):
    return f"{form(statistics.median(values))} ({form(min(values))} to {form(max(values))})"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--experiment", default="minichess-enn")
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--first-seed", type=int, default=1)
    parser.add_argument("--games", type=int, default=400)
    parser.add_argument("--jobs", type=int, default=1)
    args = parser.parse_args()
    RUNS.mkdir(parents=True, exist_ok=True)
    seeds = range(args.first_seed, args.first_seed + args.seeds)
    with ThreadPoolExecutor(args.jobs) as pool:
        rows = list(pool.map(lambda seed: measure(args.experiment, seed, args.games), seeds))
    print(f"{args.experiment}, seeds {seeds[0]} to {seeds[-1]}, {args.games} games a match\n")
    print("| seed | exam of champion 1 | exam of the last | SK | MK | SP | MP | depth 1, 2, 4 | against random | at depth 1 | at depth 1 against material:1 | against champion 1 | CPU-s |")
    print("|---|---|---|---|---|---|---|---|---|---|---|---|---|")
    elo = lambda m: "+∞" if m["elo"] is None else f"{m['elo']:+.0f}"
    score = lambda m: f"{100 * m['score']:.1f} % (Elo {'-∞' if m['elo_low'] is None else format(m['elo_low'], '+.0f')} to {'+∞' if m['elo_high'] is None else format(m['elo_high'], '+.0f')})"
    for r in rows:
        e = r["last"]
        depths = ", ".join(f"{d['points']:.1f}" for d in e["searched"] if "depth" in d)
        print(f"| {r['seed']} | {r['first']['points']:.1f} | {e['points']:.1f} ({e['points_low']:.1f} to {e['points_high']:.1f}) | "
              + " | ".join(f"{100 * e[k]:.0f}" for k in ("sk", "mk", "sp", "mp"))
              + f" | {depths} | {score(r['random'])} | {score(r['random1'])} | {score(r['material1'])} | {score(r['itself'])} | {r['cpu']:.0f} |")
    one = lambda value: f"{value:.1f}"
    percent = lambda value: f"{100 * value:.1f} %"
    print(f"\nMedian (range): exam of champion 1 {spread([r['first']['points'] for r in rows], one)}; of the last {spread([r['last']['points'] for r in rows], one)}; "
          f"against random {spread([r['random']['score'] for r in rows], percent)}, at depth 1 {spread([r['random1']['score'] for r in rows], percent)}; "
          f"at depth 1 against material:1 {spread([r['material1']['score'] for r in rows], percent)}; against champion 1 {spread([r['itself']['score'] for r in rows], percent)}.")


if __name__ == "__main__":
    main()

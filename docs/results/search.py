#!/usr/bin/env python3
"""Measures what the selective search and each of its techniques are worth.

    python3 docs/results/search.py GAMETE exact GAME MILLISECONDS [GAMES] [EVALUATION]
    python3 docs/results/search.py GAMETE shares GAME MILLISECONDS [GAMES] [EVALUATION]

GAMETE is the program, GAME is minichess or draughts. `exact` plays the selective search against the exact one. `shares`
plays the selective search against itself without one technique. Both sides need about this processor time a move. This
is done with piece counting (EVALUATION material) and with the game's champion (champion). Short matches adjust the
budgets of positions until both sides need the same processor time. Then GAMES games (1000) are played, and the times that
were measured in them are printed beside the result.
"""
import json
import subprocess
import sys

TECHNIQUES = [
    "quiescence", "null-move", "reductions", "margins", "late-moves", "exchanges", "threats", "ties", "history", "aspiration",
    "transpositions",
]
PLAYERS = {"material": "material:{depth}", "champion": "champion:{game},depth={depth}"}
# Selective searches are limited by their budget, not by their depth.
DEEP = 64


def match(gamete, players, game, games, seed):
    words = [gamete, "match", *players, "--game", game, "--games", str(games), "--seed", str(seed), "--json"]
    return json.loads(subprocess.run(words, check=True, capture_output=True, text=True).stdout)


def at_equal_time(gamete, game, players, milliseconds, games):
    """Two players, each with a budget of positions for this processor time a move, and the result of their match."""
    budgets = [2000, 2000]
    for seed in range(1000, 1005):
        costs = [cost["cpu_milliseconds"] for cost in match(gamete, named(players, budgets), game, 40, seed)["costs"]]
        budgets = [max(1, round(budget * milliseconds / cost)) for budget, cost in zip(budgets, costs)]
    budgets = [round(budget, 2 - len(str(budget))) for budget in budgets]
    players = named(players, budgets)
    return players, match(gamete, players, game, games, 1)


def named(players, budgets):
    return [f"{player},nodes={budget}" for player, budget in zip(players, budgets)]


def row(title, players, played):
    costs = " and ".join(f"{cost['cpu_milliseconds']:.2f}" for cost in played["costs"])
    result = f"{played['wins']}, {played['draws']}, {played['losses']}"
    elo = f"{played['elo']:+.0f} ({played['elo_low']:+.0f} to {played['elo_high']:+.0f})"
    print(f"| {title} | {result} | {elo} | {costs} | `{players[0]}` `{players[1]}` |", flush=True)


def main():
    if len(sys.argv) < 5 or sys.argv[2] not in ("exact", "shares"):
        sys.exit(__doc__)
    gamete, what, game, cost = sys.argv[1], sys.argv[2], sys.argv[3], sys.argv[4]
    games = int(sys.argv[5]) if len(sys.argv) > 5 else 1000
    print(f"{game}, {what} {cost}, {games} games")
    print("| | won, drawn, lost | Elo (95 %) | ms a move | players |\n|---|---|---|---|---|")
    for name, player in PLAYERS.items():
        if len(sys.argv) > 6 and name != sys.argv[6]:
            continue
        selective = f"{player.format(game=game, depth=DEEP)},search=selective,hash=game"
        if what == "exact":
            exact = f"{player.format(game=game, depth=DEEP)},search=exact"
            row(name, *at_equal_time(gamete, game, [selective, exact], float(cost), games))
            continue
        for each in TECHNIQUES:
            pair = [selective, f"{selective},without={each}"]
            row(f"{name} without {each}", *at_equal_time(gamete, game, pair, float(cost), games))


if __name__ == "__main__":
    main()

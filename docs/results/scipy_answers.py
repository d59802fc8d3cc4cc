"""Asks SciPy, NumPy and statsmodels what the statistics of `figures` must answer, and writes it down.

    python docs/results/scipy_answers.py > crates/figures/src/statistics/answers.json

Needs numpy, scipy and statsmodels. The tests of crates/figures/src/statistics.rs read what this writes. Samples are small
multiples of powers of two, with ties in plenty, so that sums are exact and nothing depends on the order of summing.
"""

import json
import struct
from types import SimpleNamespace

import numpy as np
from scipy import stats
from statsmodels.stats.multitest import multipletests

WHOLE = (1 << 64) - 1


def mix(number):
    z = (number + 0x9E3779B97F4A7C15) & WHOLE
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & WHOLE
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & WHOLE
    return z ^ (z >> 31)


class Chance:
    """crates/chance once more: PCG64 DXSM, seeded by a path of numbers."""

    def __init__(self, seed, path):
        low = mix(seed ^ 0x9E3779B97F4A7C15)
        high = mix(low ^ 0xD1B54A32D192ED03)
        for part in path:
            low = mix(low ^ part)
            high = mix((high + low) & WHOLE)
        generator = np.random.PCG64DXSM()
        state = generator.state
        stream = (mix(high ^ low) << 1 | 1) & ((1 << 128) - 1)
        first = (stream + (high << 64 | low)) * 0xDA942042E4DD58B5 + stream
        state["state"] = {"state": first & ((1 << 128) - 1), "inc": stream}
        generator.state = state
        self.generator = generator

    def below(self, bound, count):
        raw = self.generator.random_raw(count)
        return np.array([int(number) * bound >> 64 for number in raw])


BOOTSTRAP = 0x626F6F74
RESAMPLES = 10_000


def interval(sample):
    """SciPy's BCa interval of the mean, from the resamples that lab draws."""
    numbers = np.sort(sample)
    bits = [struct.unpack("<Q", struct.pack("<d", number))[0] for number in numbers]
    places = Chance(BOOTSTRAP, bits).below(len(numbers), RESAMPLES * len(numbers))
    means = numbers[places].reshape(RESAMPLES, len(numbers)).mean(axis=1)
    drawn = SimpleNamespace(bootstrap_distribution=means)
    found = stats.bootstrap((numbers,), np.mean, n_resamples=0, bootstrap_result=drawn, method="BCa", axis=-1, vectorized=True)
    return [float(found.confidence_interval.low), float(found.confidence_interval.high)]


def sample(rng, count, grain):
    kind = rng.integers(4)
    if kind == 0:
        numbers = rng.random(count)
    elif kind == 1:
        numbers = rng.normal(0.5, 0.2, count)
    elif kind == 2:
        numbers = rng.exponential(3.0, count)
    else:
        numbers = 1.0 - rng.random(count) ** 4
    return np.round(numbers * grain) / grain


def describe(one, two):
    test = stats.mannwhitneyu(one, two, alternative="two-sided", method="auto")
    answer = {
        "one": one.tolist(),
        "two": two.tolist(),
        "mean": float(np.mean(one)),
        "quartiles": np.quantile(one, [0.25, 0.5, 0.75]).tolist(),
        "tenth": float(np.quantile(one, 0.1)),
        "u": float(test.statistic),
        "p": float(test.pvalue),
        "a": float(np.mean([(x > y) + 0.5 * (x == y) for x in one for y in two])),
    }
    if len(one) > 1 and len(set(one.tolist())) > 1:
        answer["interval"] = interval(one)
    return answer


def survival(rng, count):
    times = rng.integers(1, 40, count).astype(float)
    ended = rng.random(count) < rng.choice([0.3, 0.7, 1.0])
    censored = stats.CensoredData(uncensored=times[ended], right=times[~ended])
    found = stats.ecdf(censored).sf
    # SciPy has a value at each time; here only those count at which somebody came to an end.
    at = [i for i, time in enumerate(found.quantiles) if time in times[ended]]
    return {
        "seen": [[float(time), bool(end)] for time, end in zip(times, ended)],
        "times": [float(found.quantiles[i]) for i in at],
        "left": [float(found.probabilities[i]) for i in at],
    }


def main():
    rng = np.random.default_rng(20)
    samples = []
    for number in range(160):
        grain = [4, 16, 64, 2**30][number % 4]
        sizes = rng.integers(1, 13, 2) if number % 3 else rng.integers(8, 60, 2)
        samples.append(describe(sample(rng, sizes[0], grain), sample(rng, sizes[1], grain)))
    equal = np.full(6, 0.75)
    for one, two in [(equal, equal), (equal[:1], equal[:1]), (equal[:2], equal + 1), (np.arange(5.0), np.arange(5.0) + 10)]:
        samples.append(describe(one, two))
    # Far apart and large: a tail of the normal distribution.
    samples.append(describe(np.arange(200.0), np.arange(200.0) + 150))
    # One small, one large, without ties: counted out.
    samples.append(describe(np.arange(5.0) * 7 + 0.5, np.arange(300.0)))
    holm = []
    for count in [1, 2, 3, 5, 9, 20, 20, 20]:
        given = np.round(rng.random(count) ** 3, 3)
        holm.append({"given": given.tolist(), "corrected": multipletests(given, method="holm")[1].tolist()})
    survivals = [survival(rng, count) for count in rng.integers(1, 30, 40)]
    rows = lambda items: "[\n" + ",\n".join(json.dumps(item) for item in items) + "\n]"
    print('{"samples": ' + rows(samples) + ',\n"holm": ' + rows(holm) + ',\n"survival": ' + rows(survivals) + "}")


main()

"""Measures reading, the first pass and whole schedules, beside the reference when FUSEBOX_REFERENCE names a checkout of tinygrad v0.10.2.

usage: bench.py BENCH_CORE [--runs N] [--stride N] [FILE...]

Without FILE: the captures of FUSEBOX_CORPUS, else the shipped samples. Figures are processor time, medians over the runs; the
two sides take turns, so that a busy machine slows both.
"""
import argparse
import os
import statistics
import subprocess
import sys
from pathlib import Path

here = Path(__file__).resolve().parent


def measure(command):
    output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return {key: float(value) for key, value in (line.split() for line in output.splitlines())}


def default_files():
    corpus = Path(os.environ.get("FUSEBOX_CORPUS") or here.parents[2] / "shared" / "corpus")
    folder = corpus if corpus.is_dir() else here.parents[1] / "data" / "samples"
    return [str(p) for p in sorted(folder.glob("*.db")) if p.name != "kernels.db"]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("core")
    parser.add_argument("--runs", type=int, default=0)
    parser.add_argument("--stride", type=int, default=0, help="measure every N-th row of each file")
    parser.add_argument("--modes", default="plain,traced", help="how the reference runs: plain, traced, uncollected")
    parser.add_argument("files", nargs="*")
    args = parser.parse_args()
    files = args.files or default_files()
    reference = os.environ.get("FUSEBOX_REFERENCE")
    stride = args.stride or 1
    # the reference takes a minute and a half over the whole corpus
    args.runs = args.runs or (1 if reference and not args.files and len(files) > 20 else 3)

    ours, theirs = [], {mode: [] for mode in args.modes.split(",")} if reference else {}
    for _ in range(args.runs):
        ours.append(measure([args.core, str(stride), *files]))
        for mode, runs in theirs.items():
            runs.append(measure([sys.executable, str(here / "reference.py"), mode, reference, str(stride), *files]))
            ours.append(measure([args.core, str(stride), *files]))
    first = ours[0]
    for mode, runs in theirs.items():
        if (runs[0]["rows"], runs[0]["nodes"]) != (first["rows"], first["nodes"]):
            sys.exit(f"bench: the sides disagree on what they read: {first} and {runs[0]} ({mode})")

    every = "" if stride == 1 else f", every {stride}th row"
    print(f"{len(files)} files{every}: {first['rows']:.0f} rows, {first['nodes']:.0f} nodes, "
          f"{first['rewrites']:.0f} rewrites of the first pass, {first['passes']:.0f} passes; medians of {args.runs} run{'s' * (args.runs > 1)}")
    largest = f"largest row again ({first['largest-nodes']:.0f} nodes)"
    for phase, words in (("read", "pickle to interned graph"), ("first-pass", "first pass, trace on"),
                         ("schedule", "whole schedule, trace on"), ("largest", largest)):
        own = statistics.median(run[phase] for run in ours)
        line = f"  {words:<32} {own * 1e3:10.1f} ms"
        for mode, runs in theirs.items():
            if phase != "read" or mode != "traced":
                other = statistics.median(run[phase] for run in runs)
                line += f"   reference {mode} {other * 1e3:9.1f} ms: {other / own:6.1f} times as fast"
        print(line)
    if not reference:
        print("  (set FUSEBOX_REFERENCE to a checkout of tinygrad v0.10.2 to compare)")


main()

"""Traces: opened, shown and stepped through, beside the viewer of the release that wrote them.

usage: traces.py BENCH_TRACES [--runs N] [--steps N] [[CHECKOUT=]TRACE...]

CHECKOUT is one of tinygrad, of the release that wrote TRACE; without it only this program is measured. Without TRACE: one of v0.10.2, of
FUSEBOX_CORPUS or the shipped samples, whose viewer is that of FUSEBOX_REFERENCE. Processor time, medians over the runs, in which
both sides take turns.
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
    return {key: float(value) for key, value in (line.split() for line in output.splitlines() if len(line.split()) == 2)}


def default_trace():
    corpus = Path(os.environ.get("FUSEBOX_CORPUS") or here.parents[2] / "shared" / "corpus") / "viz" / "v0.10.2.progA.py311.pkl"
    trace = corpus if corpus.is_file() else here.parents[1] / "data" / "samples" / "traces" / "relu.v0.10.2.pkl"
    reference = os.environ.get("FUSEBOX_REFERENCE")
    return f"{reference}={trace}" if reference else str(trace)


def show(name, ours, theirs, key, unit, scale):
    own = statistics.median(run[key] for run in ours)
    line = f"  {name:<34} {own * scale:9.2f} {unit}"
    if theirs:
        other = statistics.median(run[key] for run in theirs)
        line += f"   viewer {other * scale:9.2f} {unit}: {other / own if own else 0:8.1f} times"
    print(line)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("bench")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--steps", type=int, default=100)
    parser.add_argument("traces", nargs="*")
    args = parser.parse_intermixed_args()
    for what in args.traces or [default_trace()]:
        checkout, _, trace = what.rpartition("=")
        ours, theirs = [], []
        for _ in range(args.runs):
            ours.append(measure([args.bench, trace, str(args.steps)]))
            if checkout:
                place = [str(int(ours[0][key])) for key in ("context", "rewrite")]
                theirs.append(measure([sys.executable, str(here / "trace_viewer.py"), checkout, trace, *place, str(int(ours[0]["steps"]))]))
        first = ours[0]
        if theirs and theirs[0]["steps"] != first["steps"]:
            print(f"  the viewer stops after {theirs[0]['steps']:.0f} steps of {first['steps']:.0f}")
        print(f"{Path(trace).name}: rewrite {first['rewrite']:.0f} of context {first['context']:.0f}, {first['nodes']:.0f} cards, "
              f"{first['steps']:.0f} of {first['matches']:.0f} steps; medians of {args.runs} run{'s' * (args.runs > 1)}")
        show("open", ours, theirs, "open", "ms", 1e3)
        show("then to the first graph", ours, theirs, "first", "ms", 1e3)
        show("and laid out", ours, [], "laid-out", "ms", 1e3)
        show("the graph at a step, mean", ours, [], "step", "ms", 1e3)
        show("the graph at a step, worst", ours, [], "worst-step", "ms", 1e3)
        show("a step to look at, mean", ours, theirs, "drawn", "ms", 1e3)
        show("memory at most", ours, theirs, "memory", "MB", 1e-6)
        if not checkout:
            print("  (name a checkout of the release, CHECKOUT=TRACE, or set FUSEBOX_REFERENCE, to compare)")


main()

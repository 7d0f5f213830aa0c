"""Kernels compiled and run, beside tinygrad v0.10.2's CPU backend when FUSEBOX_REFERENCE names a checkout of it.

usage: kernels.py FUSEBOX [FILE[:ROW]...]

Both sides take turns in one run, so that other load falls on both. A kernel's time is the shortest of its runs. Without
files: two models, a sample of the corpus for the geometric mean, and products of square matrices beside OpenBLAS.
"""
import ctypes
import ctypes.util
import glob
import json
import math
import os
import resource
import sqlite3
import subprocess
import sys
import tempfile
import time

SAMPLE = 40  # rows of the corpus
RUNS = 3

REFERENCE = r"""
import itertools, json, os, pickle, resource, sqlite3, sys, time
checkout, path, row, runs = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
os.environ.update(CPU="1", CAPTURE_PROCESS_REPLAY="0", CACHELEVEL="0")
sys.path.insert(0, checkout)
sys.setrecursionlimit(1_000_000)
from tinygrad.engine.realize import lower_schedule_item
from tinygrad.engine.schedule import create_schedule_with_vars
from tinygrad.ops import Ops, UOp
query = "select val from schedule_process_replay_19 order by rowid limit 1 offset ?"
sink = pickle.loads(sqlite3.connect(path).execute(query, (row - 1,)).fetchone()[0])[0]
UOp.unique_num = itertools.count(max([u.arg for u in sink.toposort if u.op is Ops.UNIQUE], default=-1) + 1)
items, variables, _ = create_schedule_with_vars(sink)

def used():
    both = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(u.ru_utime + u.ru_stime for u in both)

runners = []
for item in items:
    for buffer in item.bufs:
        if buffer.base.device.split(":")[0] in ("NPY", "DISK"):
            buffer.base.device = "CPU"
        new = not buffer.base.is_allocated()
        buffer.base.ensure_allocated()
        if new:
            buffer.base.copyin(memoryview(bytearray(buffer.base.nbytes)))
start, used_before = time.perf_counter(), used()
for item in items:
    runners.append(lower_schedule_item(item))
wall, cpu = time.perf_counter() - start, used() - used_before
best = [float("inf")] * len(items)
for _ in range(runs):
    for i, runner in enumerate(runners):
        # what its own clock says of the call; views and copies have none
        taken = runner.run(dict(variables), wait=True)
        best[i] = min(best[i], taken or 0.0)
print(json.dumps({"wall": wall * 1e3, "cpu": cpu * 1e3, "run": [t * 1e3 for t in best]}))
"""


def children_cpu():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return (used.ru_utime + used.ru_stime) * 1e3


def ours(program, path, row, cache, threads=0):
    """What a run says, and the CPU time of it in ms; None: it is refused."""
    command = [program, "run", path, "--row", str(row), "--backend", "cpu", "--json"]
    command += ["--threads", str(threads)] if threads else []
    before = children_cpu()
    env = dict(os.environ, XDG_CACHE_HOME=cache)
    done = subprocess.run(command, env=env, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    return (json.loads(done.stdout), children_cpu() - before) if done.returncode == 0 else None


def theirs(reference, path, row, runs=RUNS):
    command = [sys.executable, "-c", REFERENCE, reference, path, str(row), str(runs)]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    return json.loads(done.stdout.splitlines()[-1]) if done.returncode == 0 else None


def measure(program, reference, path, row, threads=0):
    """Both sides in turns: (compile wall, compile CPU, ms of each kernel) of ours and theirs; None where one cannot."""
    with tempfile.TemporaryDirectory() as cache:
        first = ours(program, path, row, cache, threads)
        if first is None:
            return None, None
        other = theirs(reference, path, row) if reference else None
        results = [first] + [ours(program, path, row, cache, threads) for _ in range(RUNS - 1)]
    times = [min(ms) for ms in zip(*([k["run_ms"] for k in result["kernels"]] for result, _ in results))]
    compile_cpu = max(first[1] - min(cpu for _, cpu in results[1:]), 0.0)
    return (first[0]["compile_ms"], compile_cpu, times), other and (other["wall"], other["cpu"], other["run"])


def report(program, reference, path, row):
    (wall, cpu, times), other = measure(program, reference, path, row)
    line = f"{os.path.basename(path)} row {row}: {len(times)} kernels, compiled in {wall:.0f} ms ({cpu:.0f} of CPU), ran in {sum(times):.2f}"
    if other:
        both = (other[0] + sum(other[2])) / (wall + sum(times))
        line += f"; the reference {other[0]:.0f} ({other[1]:.0f}) and {sum(other[2]):.2f}: {both:.1f}x together"
        line += f" ({(other[1] + sum(other[2])) / (cpu + sum(times)):.1f}x of CPU), {sum(other[2]) / sum(times):.2f}x run alone"
    print(line, flush=True)
    slowest = sorted(range(len(times)), key=lambda i: -times[i])[:3]
    print("  longest:", ", ".join(f"kernel {i + 1} {times[i]:.2f} ms" + (f" ({other[2][i]:.2f})" if other else "") for i in slowest))


def sample(corpus):
    """SAMPLE rows, evenly over the captures of the CPU backend."""
    rows = []
    for path in sorted(glob.glob(f"{corpus}/cpu.*.db")):
        count = sqlite3.connect(path).execute("select count(*) from schedule_process_replay_19").fetchone()[0]
        rows += [(path, row) for row in range(1, count + 1)]
    return rows[:: max(len(rows) // SAMPLE, 1)][:SAMPLE]


def report_mean(program, reference, corpus):
    """Run time of single kernels on one thread, as the reference runs them."""
    ratios, long_ratios = [], []
    for path, row in sample(corpus):
        mine, other = measure(program, reference, path, row, threads=1)
        if not mine or not other or len(mine[2]) != len(other[2]):
            continue
        for i, (a, b) in enumerate(zip(mine[2], other[2])):
            if a > 0 and b > 0:
                ratios.append((b / a, f"{os.path.basename(path)} row {row} kernel {i + 1}: {a:.4f} ms ({b:.4f})"))
                long_ratios += [ratios[-1]] if b > 0.05 else []
    for name, those in (("all", ratios), ("over 0.05 ms", long_ratios)):
        if those:
            mean = math.exp(sum(math.log(r) for r, _ in those) / len(those))
            print(f"corpus, one thread, {name}: {len(those)} kernels, geometric mean {mean:.2f}x; worst:")
            for ratio, text in sorted(those)[:4]:
                print(f"  {ratio:.2f}x {text}")


def report_products(program, reference):
    """A product of n x n matrices on one thread beside OpenBLAS, by turns."""
    name = ctypes.util.find_library("openblas")
    os.environ["OPENBLAS_NUM_THREADS"] = "1"
    blas = ctypes.CDLL(name) if name else None
    for n in (512, 1024):
        with tempfile.TemporaryDirectory() as folder:
            path = f"{folder}/product.db"
            make = f"from tinygrad import Tensor; (Tensor.empty({n}, {n}) @ Tensor.empty({n}, {n})).realize()"
            env = dict(os.environ, CPU="1", CAPTURE_PROCESS_REPLAY="1", CACHEDB=path, PYTHONPATH=reference)
            subprocess.run([sys.executable, "-c", make], env=env, check=True, stdout=subprocess.DEVNULL)
            best, best_blas = math.inf, math.inf
            a, b, c = ((ctypes.c_float * (n * n))(*([x] * (n * n))) for x in (0.5, 0.25, 0.0))
            one, zero = ctypes.c_float(1), ctypes.c_float(0)
            for _ in range(8):
                best = min(best, ours(program, path, 1, folder, 1)[0]["kernels"][0]["run_ms"])
                start = time.perf_counter()
                if blas:
                    blas.cblas_sgemm(101, 111, 111, n, n, n, one, a, n, b, n, zero, c, n)
                best_blas = min(best_blas, (time.perf_counter() - start) * 1e3)
            line = f"product {n}^3, one thread: {best:.2f} ms, {2e-6 * n**3 / best:.0f} GFLOP/s"
            print(line + (f"; OpenBLAS {best_blas:.2f} ms: {best_blas / best:.0%}" if blas else ""), flush=True)


def main():
    program, *files = sys.argv[1:]
    corpus = os.environ.get("FUSEBOX_CORPUS", "../shared/corpus")
    reference = os.environ.get("FUSEBOX_REFERENCE")
    named = bool(files)
    if not files:
        files = [f for f in (f"{corpus}/model.resnet18.db", f"{corpus}/model.gpt2.db") if os.path.exists(f)]
        files = files or ["data/samples/mlp_train.db", "data/samples/convnet_train.db"]
    for text in files:
        path, _, row = text.partition(":")
        report(program, reference, path, int(row or 1))
    if reference and not named:
        report_products(program, reference)
        report_mean(program, reference, corpus)


main()

"""Compile and run time of a row's kernels, beside tinygrad v0.10.2's CPU backend when FUSEBOX_REFERENCE names a checkout of it.

usage: kernels.py FUSEBOX [FILE[:ROW]...]
"""
import json
import os
import subprocess
import sys
import tempfile

REFERENCE = r"""
import itertools, os, pickle, sqlite3, sys, time
checkout, path, row = sys.argv[1], sys.argv[2], int(sys.argv[3])
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
compile_time, best = 0.0, [float("inf")] * len(items)
runners = []
for item in items:
    for buffer in item.bufs:
        if buffer.base.device.split(":")[0] in ("NPY", "DISK"):
            buffer.base.device = "CPU"
        new = not buffer.base.is_allocated()
        buffer.base.ensure_allocated()
        if new:
            buffer.base.copyin(memoryview(bytearray(buffer.base.nbytes)))
    start = time.perf_counter()
    runners.append(lower_schedule_item(item))
    compile_time += time.perf_counter() - start
for _ in range(3):
    for i, runner in enumerate(runners):
        start = time.perf_counter()
        runner.run(dict(variables), wait=True)
        best[i] = min(best[i], time.perf_counter() - start)
print(compile_time * 1e3, sum(best) * 1e3)
"""


def ours(program, path, row):
    """Milliseconds to compile from nothing, and of the best of three runs of each kernel."""
    with tempfile.TemporaryDirectory() as cache:
        env = dict(os.environ, XDG_CACHE_HOME=cache)
        command = [program, "run", path, "--row", str(row), "--backend", "cpu", "--json"]
        results = [json.loads(subprocess.run(command, env=env, check=True, stdout=subprocess.PIPE).stdout) for _ in range(3)]
    kernels = zip(*([k["run_ms"] for k in r["kernels"]] for r in results))
    return results[0]["compile_ms"], sum(min(times) for times in kernels), len(results[0]["kernels"])


def main():
    program, *files = sys.argv[1:]
    corpus = os.environ.get("FUSEBOX_CORPUS", "../shared/corpus")
    if not files:
        files = [f for f in (f"{corpus}/model.resnet18.db", f"{corpus}/model.gpt2.db") if os.path.exists(f)]
        files = files or ["data/samples/mlp_train.db", "data/samples/convnet_train.db"]
    reference = os.environ.get("FUSEBOX_REFERENCE")
    for text in files:
        path, _, row = text.partition(":")
        row = int(row or 1)
        compiled, ran, kernels = ours(program, path, row)
        line = f"{os.path.basename(path)} row {row}: {kernels} kernels, compiled in {compiled:.0f} ms, ran in {ran:.2f} ms"
        if reference:
            command = [sys.executable, "-c", REFERENCE, reference, path, str(row)]
            theirs = [float(x) for x in subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout.split()[-2:]]
            both = (theirs[0] + theirs[1]) / (compiled + ran)
            line += f"; the reference {theirs[0]:.0f} and {theirs[1]:.2f} ms: {both:.1f}x and {theirs[1] / ran:.2f}x"
        print(line, flush=True)


main()

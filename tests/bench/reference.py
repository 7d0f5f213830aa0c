"""Times of the reference alone, in the form of bench-core.

usage: reference.py MODE CHECKOUT STRIDE FILE...

MODE is how the reference runs: `plain`, as Python starts it; `traced`, keeping every rewrite (TRACK_MATCH_STATS=2), which is what
this program is measured doing; `uncollected`, plain without Python's cycle collector.
"""
import gc
import itertools
import os
import pickle
import sqlite3
import sys
import time

mode, checkout, stride, *files = sys.argv[1:]
os.environ.update(CPU="1", CAPTURE_PROCESS_REPLAY="0", PRINT_MATCH_STATS="0", TRACK_MATCH_STATS="2" if mode == "traced" else "0")
sys.path.insert(0, checkout)
sys.setrecursionlimit(1_000_000)

from tinygrad.engine.schedule import create_schedule_with_vars, remove_movement_ops, sym  # noqa: E402
from tinygrad.helpers import Context, ContextVar  # noqa: E402  (all need the path above)
from tinygrad.ops import Ops, UOp, graph_rewrite_map  # noqa: E402

sys.setrecursionlimit(1_000_000)  # the import lowers it
rules = remove_movement_ops + sym
read = first_pass = schedule = 0.0
rows = nodes = 0
largest_nodes, largest_blob = 0, None
if mode == "uncollected":
    gc.disable()


def measured_schedule(sink, options, topo):
    """Seconds of a whole schedule, as it was captured."""
    # new buffers must not take the numbers of captured ones
    UOp.unique_num = itertools.count(max([u.arg for u in topo if u.op is Ops.UNIQUE], default=-1) + 1)
    known = {k: v.value for k, v in options.items() if k in ContextVar._cache and k not in ("DEBUG", "VIZ", "TRACK_MATCH_STATS")}
    with Context(**known):
        start = time.process_time()
        create_schedule_with_vars(sink)
        return time.process_time() - start


for path in files:
    query = "select val from schedule_process_replay_19 order by rowid"
    for blob in [row[0] for row in sqlite3.connect(f"file:{path}?mode=ro&immutable=1", uri=True).execute(query)][:: int(stride)]:
        start = time.process_time()
        capture = pickle.loads(blob)
        read += time.process_time() - start
        sink, options = capture[0], capture[1]
        topo = list(sink.toposort)
        known = {k: v.value for k, v in options.items() if k in ContextVar._cache and k not in ("DEBUG", "VIZ", "TRACK_MATCH_STATS")}
        with Context(**known):
            start = time.process_time()
            graph_rewrite_map(sink, rules, ctx={})
            first_pass += time.process_time() - start
        schedule += measured_schedule(sink, options, topo)
        if len(topo) > largest_nodes:
            largest_nodes, largest_blob = len(topo), blob
        rows, nodes = rows + 1, nodes + len(topo)
        del capture, sink, topo
largest = []
for _ in range(3):
    capture = pickle.loads(largest_blob)
    largest.append(measured_schedule(capture[0], capture[1], list(capture[0].toposort)))
    del capture
cost = 0.0  # of measuring an interval
for _ in range(20000):
    start = time.process_time()
    cost += time.process_time() - start
cost *= rows / 20000
read, first_pass, schedule = read - cost, first_pass - cost, schedule - cost
print(f"read {read:.6f}\nfirst-pass {first_pass:.6f}\nschedule {schedule:.6f}\nrows {rows}\nnodes {nodes}\n"
      f"largest-nodes {largest_nodes}\nlargest {sorted(largest)[1]:.6f}", flush=True)
os._exit(0)  # a traced run would write its trace to the temp folder

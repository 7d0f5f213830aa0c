"""Times of the reference alone, in the form of bench-core. usage: reference.py CHECKOUT STRIDE FILE..."""
import gc
import os
import pickle
import sqlite3
import sys
import time

checkout, stride, *files = sys.argv[1:]
os.environ.update(CPU="1", CAPTURE_PROCESS_REPLAY="0")
sys.path.insert(0, checkout)
sys.setrecursionlimit(1_000_000)

from tinygrad.engine.schedule import remove_movement_ops, sym  # noqa: E402  (needs the path above)
from tinygrad.ops import graph_rewrite_map  # noqa: E402

sys.setrecursionlimit(1_000_000)  # the import lowers it
rules = remove_movement_ops + sym
read = first_pass = 0.0
rows = nodes = 0
gc.disable()  # the collector would be charged to whichever side it interrupts
for path in files:
    query = "select val from schedule_process_replay_19 order by rowid"
    for blob in [row[0] for row in sqlite3.connect(f"file:{path}?mode=ro&immutable=1", uri=True).execute(query)][:: int(stride)]:
        start = time.perf_counter()
        sink = pickle.loads(blob)[0]
        read += time.perf_counter() - start
        start = time.perf_counter()
        graph_rewrite_map(sink, rules, ctx={})
        first_pass += time.perf_counter() - start
        rows, nodes = rows + 1, nodes + len(sink.toposort)
        del sink
print(f"read {read:.6f}\nfirst-pass {first_pass:.6f}\nrows {rows}\nnodes {nodes}")

"""Times of the viewer that comes with a release of tinygrad, on a trace of that release, in the form of bench-traces.

usage: trace_viewer.py CHECKOUT TRACE CONTEXT REWRITE STEPS

Its own functions are called as its server does: the list of rewrites, then the graphs of one, each as the JSON that is sent to the
browser. What the browser does with that (the layout) is not measured.
"""
import contextlib
import functools
import inspect
import io
import json
import os
import pickle
import resource
import sys
import time

checkout, path, context, rewrite, steps = sys.argv[1:]
context, rewrite, steps = int(context) - 1, int(rewrite) - 1, int(steps)
os.environ.update(DEV="CPU", CPU="1", VIZ="0", PRINT_MATCH_STATS="0", TRACK_MATCH_STATS="0")
sys.path.insert(0, checkout)
sys.setrecursionlimit(100_000)

from tinygrad.viz import serve  # noqa: E402  (needs the path above)

sys.setrecursionlimit(100_000)  # the import lowers it


@functools.lru_cache(None)
def lines(name):
    """Of a source file, which is where the trace was written; here it is in the checkout, if at all."""
    here = os.path.join(checkout, "tinygrad", name.rpartition("/tinygrad/")[2])
    with contextlib.suppress(OSError), open(name if os.path.exists(name) else here) as file:
        return file.readlines()
    return [""] * 100_000


for module in (serve, sys.modules.get("tinygrad.ops"), sys.modules.get("tinygrad.uop.ops")):
    if hasattr(module, "lines"):
        module.lines = lines
serve.tqdm = lambda items, **_: items  # a bar on the terminal is no part of the work


def graphs(trace):
    """The generator of the graphs of the rewrite, as each release makes it, and what lists all rewrites before that."""
    if hasattr(serve, "VizData"):
        data = serve.VizData(trace)
        serve.load_rewrites(data)
        return lambda: serve.get_full_rewrite(data, trace.rewrites[context][rewrite])
    if hasattr(serve, "get_rewrites"):
        serve.trace = trace
        serve.ctxs = serve.get_rewrites(trace)
        return lambda: serve.get_full_rewrite(trace.rewrites[context][rewrite])
    serve.contexts = trace
    with contextlib.redirect_stdout(io.StringIO()):
        serve.get_metadata(*trace[:2])
    one = trace[1][context][rewrite]
    if len(inspect.signature(serve.get_details).parameters) == 2:
        return lambda: serve.get_details(trace[0][context], one)
    return lambda: serve.get_details(one)


start = time.process_time()
with open(path, "rb") as file:
    trace = pickle.load(file)
make = graphs(trace)
opened = time.process_time()
each = make()
json.dumps({key: value for key, value in next(each).items() if not key.startswith("_")})
shown = time.process_time()
n = 0
while n < steps:
    detail = next(each, None)
    if detail is None:
        break
    json.dumps({key: value for key, value in detail.items() if not key.startswith("_")})
    n += 1
done = time.process_time()
memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
print(f"open {opened - start:.6f}\nfirst {shown - opened:.6f}\ndrawn {(done - shown) / max(n, 1):.6f}\n"
      f"steps {n}\nmemory {memory}", flush=True)
os._exit(0)

"""Counts test cases of finished `meson test` runs. usage: summary.py BUILD_DIR...

A test that speaks TAP counts each of its cases; any other counts as one. A test
that died, timed out or ran fewer cases than it planned counts as a failed case
on top. The last line is "N passed, N failed[, N skipped]".
"""
import json
import re
import sys
from pathlib import Path

CASE = re.compile(r"^(not )?ok\b(?:\s+(\d+))?[\s-]*([^#]*)(?:#\s*(SKIP|TODO)\b.*)?", re.IGNORECASE)


def count(test):
    """(passed, skipped, names of failed cases) of one test of testlog.json."""
    passed, skipped, failed = 0, 0, []
    for line in (test.get("stdout") or "").splitlines():
        case = CASE.match(line)
        if not case:
            continue
        directive = (case[4] or "").upper()
        if directive:
            skipped += 1
        elif case[1]:
            failed.append(case[3].strip() or test["name"])
        else:
            passed += 1
    speaks_tap = passed or skipped or failed
    if test["result"] == "SKIP" and not speaks_tap:
        skipped = 1
    elif test["result"] in ("OK", "EXPECTEDFAIL") and not speaks_tap:
        passed = 1
    elif test["result"] not in ("OK", "EXPECTEDFAIL", "SKIP") and not failed:
        failed.append(f"{test['name']} ({test['result'].lower()})")
    return passed, skipped, failed


def main(builds):
    passed, skipped, failures, broken = 0, 0, [], False
    for build in builds:
        log = Path(build) / "meson-logs" / "testlog.json"
        tests = [json.loads(line) for line in log.read_text().splitlines()] if log.exists() else []
        if not tests:
            print(f"{build}: no test ran")
            broken = True
        for test in tests:
            p, s, f = count(test)
            passed, skipped = passed + p, skipped + s
            failures += [f"{build}: {name}" for name in f]
    for failure in failures:
        print("FAILED", failure)
    print(f"{passed} passed, {len(failures) + broken} failed" + (f", {skipped} skipped" if skipped else ""))
    return 1 if failures or broken else 0


sys.exit(main(sys.argv[1:]))

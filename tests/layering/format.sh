#!/bin/sh
# TAP: every C file is as clang-format leaves it.
cd "$FUSEBOX_SOURCE" || exit 1
echo 1..1
if ! command -v clang-format-14 >/dev/null; then
  echo "ok 1 /layering/format # SKIP clang-format-14 is not installed"
  exit 0
fi
bad=$(find app core viz backends tests -name '*.[ch]' 2>/dev/null | sort \
  | xargs -P 2 -n 24 clang-format-14 --dry-run 2>&1 | grep -E '^[^ ]+:[0-9]+:' | cut -d: -f1 | sort -u)
if [ -z "$bad" ]; then
  echo "ok 1 /layering/format"
else
  for file in $bad; do
    echo "# not formatted (./dev fmt): $file"
  done
  echo "not ok 1 /layering/format"
fi

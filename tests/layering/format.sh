#!/bin/sh
# TAP: every C file is as clang-format leaves it.
cd "$FUSEBOX_SOURCE" || exit 1
echo 1..1
if ! command -v clang-format-14 >/dev/null; then
  echo "ok 1 /layering/format # SKIP clang-format-14 is not installed"
  exit 0
fi
bad=$(find app core viz backends tests -name '*.[ch]' | sort | while read -r file; do
  clang-format-14 "$file" | cmp -s - "$file" || echo "# not formatted (./dev fmt): $file"
done)
if [ -z "$bad" ]; then
  echo "ok 1 /layering/format"
else
  echo "$bad"
  echo "not ok 1 /layering/format"
fi

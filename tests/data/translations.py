"""TAP: every file with text for people is listed for translators."""
import os, pathlib, re, sys

root = pathlib.Path(os.environ["FUSEBOX_SOURCE"])
listed = [line for line in (root / "po/POTFILES.in").read_text().splitlines() if line and not line.startswith("#")]
MARKED = {
  ".c": re.compile(r"""\b(?:N?_|ngettext|C_|g_dgettext) \(\s*\""""),
  ".ui": re.compile(r'translatable="(?:yes|true)"'),
  ".in": re.compile(r"^Name=|<summary>", re.M),
}


def has_text(path):
  pattern = MARKED.get(path.suffix)
  return pattern and pattern.search(path.read_text(errors="replace"))


failed = 0


def check(number, name, problems):
  global failed
  for problem in problems:
    print(f"# {problem}")
  print(f"{'not ok' if problems else 'ok'} {number} {name}")
  failed |= bool(problems)


print("1..3")
found = [path.relative_to(root).as_posix() for folder in ("app", "core", "viz", "backends", "data")
         for path in sorted((root / folder).rglob("*")) if path.is_file() and has_text(path)]
check(1, "/data/translations/listed", [f"{name} has text and is not in po/POTFILES.in" for name in found if name not in listed])
check(2, "/data/translations/there", [f"po/POTFILES.in lists {name}, which has no text" for name in listed if name not in found])
check(3, "/data/translations/sorted", [] if listed == sorted(listed) else ["po/POTFILES.in is not sorted"])

sys.exit(failed)

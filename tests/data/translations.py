"""TAP: every file with text for people is listed for translators, and the German translation has all of it."""
import os, pathlib, re, shutil, subprocess, sys, tempfile

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


print("1..4")
found = [path.relative_to(root).as_posix() for folder in ("app", "core", "viz", "backends", "data")
         for path in sorted((root / folder).rglob("*")) if path.is_file() and has_text(path)]
check(1, "/data/translations/listed", [f"{name} has text and is not in po/POTFILES.in" for name in found if name not in listed])
check(2, "/data/translations/there", [f"po/POTFILES.in lists {name}, which has no text" for name in listed if name not in found])
check(3, "/data/translations/sorted", [] if listed == sorted(listed) else ["po/POTFILES.in is not sorted"])

if not shutil.which("xgettext"):
  print("ok 4 /data/translations/german # SKIP gettext is not installed")
  sys.exit(failed)
with tempfile.TemporaryDirectory() as folder:
  template, merged = f"{folder}/fusebox.pot", f"{folder}/de.po"
  # what Meson's preset for GLib passes
  subprocess.run(["xgettext", "--from-code=UTF-8", "--add-comments", "--keyword=_", "--keyword=N_", "--keyword=C_:1c,2",
                  "--keyword=NC_:1c,2", "--keyword=g_dngettext:2,3", "--flag=N_:1:pass-c-format", "-o", template,
                  *listed], cwd=root, check=True, stderr=subprocess.DEVNULL)
  subprocess.run(["msgmerge", "--quiet", "--no-fuzzy-matching", "-o", merged, root / "po/de.po", template], check=True)
  missing = subprocess.run(["msgattrib", "--untranslated", "--no-obsolete", merged], capture_output=True, text=True, check=True).stdout
  fuzzy = subprocess.run(["msgattrib", "--only-fuzzy", "--no-obsolete", merged], capture_output=True, text=True, check=True).stdout
  texts = re.findall(r'^msgid (".*(?:\n".*)*)', missing + fuzzy, re.M)
  check(4, "/data/translations/german", ["not in German: " + re.sub(r'"\n"', "", text) for text in texts if text != '""' and not text.startswith('""\n"Project')])
sys.exit(failed)

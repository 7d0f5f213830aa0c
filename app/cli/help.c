/* fusebox help, fusebox version. */
#include "cli-private.h"

int
fb_cli_help (int argc, char **argv)
{
  fb_cli_print ("%s",
                _ ("Usage: fusebox [COMMAND] FILE… [OPTION…]\n"
                   "\n"
                   "Opens captures of tinygrad's scheduler and steps through every rewrite.\n"
                   "FILE is a capture database, or a bare pickle of a graph or of a capture row.\n"
                   "\n"
                   "  [open] FILE   the window; without a display the same story as text\n"
                   "  info FILE…    what is inside: rows, graph sizes, kernels, options\n"
                   "  check FILE…   read every row and recompute its key\n"
                   "  show FILE     a graph or a kernel of a row, as text or as a drawing\n"
                   "  trace FILE    every rewrite of every pass as JSON lines\n"
                   "  rules FILE    every rule: how often it was tried and matched, and how long it took\n"
                   "  search FILE Q steps and nodes by op, shape, rule, key or pattern\n"
                   "  lineage FILE  where a node came from and what it became, through all passes\n"
                   "  replay FILE…  recompute every captured schedule and compare, kernel by kernel\n"
                   "  diff A B      two VIZ traces of one program: which contexts and rewrites are different\n"
                   "  watch         what each run of tinygrad leaves, and what is different since the one before\n"
                   "  explain FILE  why each kernel is one: who asked for it, and what would fuse it\n"
                   "  whatif FILE   the row with options or single choices changed: kernels, bytes, FLOPs\n"
                   "  run FILE      a row's kernels executed: what each wrote, and how long it took\n"
                   "  verify FILE   kernels against the unfused graph, or one backend against another\n"
                   "  help          this text; “fusebox COMMAND --help” lists the options of a command\n"
                   "  version       the version\n"
                   "\n"
                   "Rows and passes count from 1. Exit status: 0 all fine, 1 differences found, 2 cannot do it.\n"));
  return FB_EXIT_OK;
}

int
fb_cli_version (int argc, char **argv)
{
  fb_cli_print ("fusebox %s\n", FUSEBOX_VERSION);
  return FB_EXIT_OK;
}

/* The program. Subcommands never touch GTK; only opening a file on a display does. */
#include "app/cli/cli.h"
#ifdef FUSEBOX_WITH_WINDOW
#include "app/application.h"
#endif

int
main (int argc, char **argv)
{
#ifdef FUSEBOX_WITH_WINDOW
  return fb_cli_main (argc, argv, fb_application_main);
#else
  return fb_cli_main (argc, argv, NULL);
#endif
}

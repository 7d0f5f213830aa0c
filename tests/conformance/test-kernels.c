/* Kernels of captures, run: compiled code against the interpreter, and the interpreter against the reference.
 *
 * By default a sample of the corpus's different kernels, so that it takes about a minute; FUSEBOX_KERNELS=all runs every one, and
 * FUSEBOX_KERNELS=N every N-th, on every backend. FUSEBOX_KERNELS_SHARD=I/N runs the I-th of N parts of them. Kernels that are
 * not run are counted by reason. */
#include <stdio.h>

#include "kernels.h"

#define DEFAULT_STRIDE 40

static guint
stride_from (const char *variable, guint otherwise)
{
  const char *text = g_getenv (variable);
  if (text == NULL)
    return otherwise;
  return strcmp (text, "all") == 0 ? 1 : MAX (1, (guint) g_ascii_strtoull (text, NULL, 10));
}

static void
compare (const char *folder, guint stride)
{
  KernelsBackend backends[2];
  guint shard = 1, n_shards = 1, n_run = 0, n_there = 0;
  const char *wanted = g_getenv ("FUSEBOX_KERNELS_SHARD");
  if (wanted != NULL && (sscanf (wanted, "%u/%u", &shard, &n_shards) != 2 || shard < 1 || shard > n_shards))
    g_error ("FUSEBOX_KERNELS_SHARD is I/N");
  kernels_backend_init (&backends[0], FB_BACKEND_CPU);
  kernels_backend_init (&backends[1], FB_BACKEND_OPENCL);
  kernels_compare_folder (folder, backends, G_N_ELEMENTS (backends), stride * (shard - 1), stride * n_shards,
                          stride == 1 ? KERNELS_MOST_POINTS_OF_ALL : KERNELS_MOST_POINTS);
  for (guint i = 0; i < G_N_ELEMENTS (backends); i++)
    {
      if (backends[i].differences->len > 0)
        g_test_fail ();
      n_run += backends[i].n_run;
      n_there += backends[i].why_not == NULL;
      kernels_backend_clear (&backends[i]);
    }
  if (n_there == 0)
    g_test_skip ("no C compiler and no OpenCL device");
  else
    g_assert_cmpuint (n_run, >, 0);
}

static void
test_samples (void)
{
  compare (g_getenv ("FUSEBOX_SAMPLES"), 1);
}

static void
test_corpus (void)
{
  const char *corpus = g_getenv ("FUSEBOX_CORPUS");
  if (corpus != NULL)
    compare (corpus, stride_from ("FUSEBOX_KERNELS", DEFAULT_STRIDE * stride_from ("FUSEBOX_CORPUS_STRIDE", 1)));
  else
    g_test_skip ("FUSEBOX_CORPUS is not set");
}

static void
test_truth (void)
{
  const char *corpus = g_getenv ("FUSEBOX_CORPUS");
  if (corpus != NULL)
    kernels_compare_truth (corpus, stride_from ("FUSEBOX_CORPUS_STRIDE", 1));
  else
    g_test_skip ("FUSEBOX_CORPUS is not set");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/kernels/samples/compiled", test_samples);
  g_test_add_func ("/kernels/corpus/compiled", test_corpus);
  g_test_add_func ("/kernels/corpus/reference", test_truth);
  return g_test_run ();
}

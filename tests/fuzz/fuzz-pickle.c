/* Any bytes as the pickle of a row: an error or a row, whose graph has a key and a text. */
#include "fuzz.h"

#include "core/capture/capture.h"
#include "core/capture/pickle.h"
#include "core/ir/text.h"

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  static FbContext *context;
  static FbPickle *pickle;
  g_autoptr (GBytes) bytes = g_bytes_new_static (data, size);
  g_autoptr (FbCaptureRow) row = NULL;
  g_autoptr (GError) error = NULL, value_error = NULL;
  FbPickleOptions options = { .path = "fuzz" };
  FbValue root;

  if (!context)
    {
      context = fb_context_new ();
      pickle = fb_pickle_new ();
      fb_pickle_limits (pickle)->max_text = 4096;
    }
  fb_context_reset (context);
  row = fb_capture_read_bytes (bytes, "fuzz", NULL, context, &error);
  g_assert ((row == NULL) == (error != NULL));
  if (row)
    {
      g_assert (fb_uop_key (context, row->sink) != NULL);
      if (fb_context_n_uops (context) < 200)
        g_free (fb_uop_to_text (context, row->sink));
    }
  /* as a plain value, whatever it is */
  fb_context_reset (context);
  if (fb_pickle_load (pickle, data, size, &options, context, &root, &value_error))
    g_free (fb_pickle_repr (pickle, &root));
  return 0;
}

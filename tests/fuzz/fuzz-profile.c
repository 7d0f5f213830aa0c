/* Any bytes as a profile: an error, or times that add up. */
#include "fuzz.h"

#include "core/viztrace/profile.h"

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  g_autoptr (GBytes) bytes = g_bytes_new_static (data, size);
  g_autoptr (GError) error = NULL;
  g_autoptr (FbVizProfile) profile = fb_viz_profile_new (bytes, "fuzz", &error);
  guint runs = 0;

  g_assert ((profile == NULL) == (error != NULL));
  if (!profile)
    return 0;
  for (guint i = 0; i < fb_viz_profile_n_times (profile); i++)
    {
      const FbVizTimes *times = fb_viz_profile_times (profile, i);
      g_autofree char *text = fb_viz_time_text (times->total);

      g_assert (times->n_runs > 0 && times->shortest >= 0 && times->shortest <= times->longest);
      g_assert (times->host || fb_viz_profile_find (profile, times->name) == times);
      runs += times->n_runs;
    }
  g_assert (runs == fb_viz_profile_n_ranges (profile));
  return 0;
}

/* The events of profile.pkl, by name. */
#include "profile.h"

#include <math.h>
#include <string.h>

#include "viztrace-private.h"

/* tinygrad's own work, the calls of the person's program, the garbage collector: under these names in place of a device. */
static const char *const hosts[] = { "TINY", "USER", "GC", NULL };
/* A microsecond, the unit of all releases. */
#define UNIT 1e-6

struct _FbVizProfile
{
  gatomicrefcount refs;
  char *path;
  FbArena arena;
  GPtrArray *times;   /* of FbVizTimes */
  GHashTable *by_key; /* "device or host, name as a function" to FbVizTimes */
  guint n_ranges, n_others;
};

/* --- names --- */

/* Contexts have the name of the kernel, events that of its function, in which whatever no identifier has is a number in hex. */
static char *
function_name (const char *name)
{
  g_autofree char *plain = fb_viz_plain_name (name), *valid = g_utf8_make_valid (plain, -1);
  GString *text = g_string_new (NULL);

  for (const char *p = valid; *p; p = g_utf8_next_char (p))
    if (g_ascii_isalnum (*p) || *p == '_')
      g_string_append_c (text, *p);
    else
      g_string_append_printf (text, "%02X", g_utf8_get_char (p));
  return g_string_free (text, FALSE);
}

static char *
key_of (const char *name, gboolean host)
{
  g_autofree char *function = function_name (name);

  return g_strconcat (host ? "h" : "d", function, NULL);
}

/* --- values --- */

static char *
text_of (const FbValue *value)
{
  if (value && value->kind == FB_VALUE_OBJECT) /* a TracingKey */
    value = fb_viz_field (value, "display_name");
  return value && value->kind == FB_VALUE_TEXT ? g_strndup ((const char *) value->bytes, value->n) : NULL;
}

/* A number of any kind, decimal.Decimal included, which is made of its text. */
static gboolean
number_of (const FbValue *value, double *number)
{
  const FbValue *args;

  if (!value)
    return FALSE;
  switch (value->kind)
    {
    case FB_VALUE_INT:
      *number = (double) value->i;
      return TRUE;
    case FB_VALUE_FLOAT:
      *number = value->f;
      return isfinite (*number);
    case FB_VALUE_OBJECT:
      args = &value->object->args;
      if (!fb_viz_is_object (value, "Decimal") || args->kind != FB_VALUE_TUPLE || args->tuple->n != 1
          || args->tuple->items[0].kind != FB_VALUE_TEXT)
        return FALSE;
      {
        g_autofree char *text = text_of (&args->tuple->items[0]);
        char *end;

        *number = g_ascii_strtod (text, &end);
        return end != text && !*end && isfinite (*number);
      }
    default:
      return FALSE;
    }
}

static const FbValue *
item_of (const FbValue *list, const FbValue *index)
{
  if (!list || list->kind != FB_VALUE_LIST || !index || index->kind != FB_VALUE_INT || index->i < 0
      || index->i >= list->list->n)
    return NULL;
  return &list->list->items[index->i];
}

/* --- events --- */

static void
add_run (FbVizProfile *profile, const char *name, const char *device, double seconds)
{
  gboolean host = g_strv_contains (hosts, device);
  g_autofree char *key = key_of (name, host), *plain = fb_viz_plain_name (name);
  FbVizTimes *times = g_hash_table_lookup (profile->by_key, key);

  profile->n_ranges++;
  if (!times)
    {
      times = fb_arena_alloc (&profile->arena, sizeof *times);
      *times = (FbVizTimes){
        .name = fb_arena_strndup (&profile->arena, plain, strlen (plain)),
        .device = fb_arena_strndup (&profile->arena, device, strlen (device)),
        .host = host,
        .shortest = seconds,
        .longest = seconds,
      };
      g_ptr_array_add (profile->times, times);
      g_hash_table_insert (profile->by_key, g_steal_pointer (&key), times);
    }
  times->n_runs++;
  times->total += seconds;
  times->shortest = MIN (times->shortest, seconds);
  times->longest = MAX (times->longest, seconds);
}

/* TRUE when @event is a range with a start and an end. */
static gboolean
add_range (FbVizProfile *profile, const FbValue *event, const FbValue *start, const FbValue *end)
{
  g_autofree char *name = text_of (fb_viz_field (event, "name")), *device = text_of (fb_viz_field (event, "device"));
  double from, to;

  if (!name || !device || !number_of (start, &from) || !number_of (end, &to))
    return FALSE;
  /* clocks of devices are set from time to time */
  add_run (profile, name, device, MAX (to - from, 0) * UNIT);
  return TRUE;
}

static void
read_event (FbVizProfile *profile, const FbValue *event)
{
  const FbValue *entries = fb_viz_field (event, "ents"), *signals = fb_viz_field (event, "sigs");

  if (entries && signals && entries->kind == FB_VALUE_LIST)
    {
      for (guint32 i = 0; i < entries->list->n; i++)
        {
          const FbValue *entry = &entries->list->items[i];

          if (!add_range (profile, entry, item_of (signals, fb_viz_field (entry, "st_id")),
                          item_of (signals, fb_viz_field (entry, "en_id"))))
            profile->n_others++;
        }
      return;
    }
  if (!add_range (profile, event, fb_viz_field (event, "st"), fb_viz_field (event, "en")))
    profile->n_others++;
}

static int
by_host (gconstpointer a, gconstpointer b)
{
  const FbVizTimes *x = *(const FbVizTimes *const *) a, *y = *(const FbVizTimes *const *) b;

  return (int) x->host - (int) y->host;
}

static gboolean
load (FbVizProfile *profile, GBytes *bytes, GError **error)
{
  g_autoptr (FbPickle) pickle = fb_pickle_new ();
  FbContext *context = fb_context_new ();
  FbPickleOptions options = { .path = profile->path, .plain = TRUE };
  gsize len;
  const guint8 *data = g_bytes_get_data (bytes, &len);
  FbValue root;
  gboolean loaded = fb_pickle_load (pickle, data, len, &options, context, &root, error);

  if (loaded && root.kind != FB_VALUE_LIST)
    {
      g_set_error (error, FB_CAPTURE_ERROR, FB_CAPTURE_ERROR_CONTENT,
                   "%s: this pickle is no profile: expected a list of events.", profile->path);
      loaded = FALSE;
    }
  for (guint32 i = 0; loaded && i < root.list->n; i++)
    read_event (profile, &root.list->items[i]);
  /* sorting keeps the order of equals (GLib's merge sort) */
  if (loaded)
    g_ptr_array_sort (profile->times, by_host);
  fb_context_free (context);
  return loaded;
}

/* --- opening --- */

gboolean
fb_viz_profile_sniff (const guint8 *bytes, gsize len)
{
  static const char *const classes[] = { "ProfileDeviceEvent", "ProfileRangeEvent" };

  if (!bytes || len < 3 || bytes[0] != 0x80 || fb_viz_trace_sniff (bytes, len))
    return FALSE;
  for (gsize i = 0; i < G_N_ELEMENTS (classes); i++)
    if (memmem (bytes, len, classes[i], strlen (classes[i])))
      return TRUE;
  return FALSE;
}

gboolean
fb_viz_profile_sniff_file (const char *path)
{
  g_autoptr (GBytes) bytes = fb_viz_read_file (path, NULL);
  gsize len;
  const guint8 *data = bytes ? g_bytes_get_data (bytes, &len) : NULL;

  return data && fb_viz_profile_sniff (data, len);
}

FbVizProfile *
fb_viz_profile_new (GBytes *bytes, const char *what, GError **error)
{
  FbVizProfile *profile = g_new0 (FbVizProfile, 1);

  g_atomic_ref_count_init (&profile->refs);
  profile->path = g_strdup (what);
  profile->times = g_ptr_array_new ();
  profile->by_key = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  fb_arena_init (&profile->arena);
  if (load (profile, bytes, error))
    return profile;
  fb_viz_profile_unref (profile);
  return NULL;
}

FbVizProfile *
fb_viz_profile_open (const char *path, GError **error)
{
  g_autoptr (GBytes) bytes = fb_viz_read_file (path, error);

  return bytes ? fb_viz_profile_new (bytes, path, error) : NULL;
}

FbVizProfile *
fb_viz_profile_ref (FbVizProfile *profile)
{
  g_atomic_ref_count_inc (&profile->refs);
  return profile;
}

void
fb_viz_profile_unref (FbVizProfile *profile)
{
  if (!profile || !g_atomic_ref_count_dec (&profile->refs))
    return;
  g_ptr_array_unref (profile->times);
  g_hash_table_unref (profile->by_key);
  fb_arena_clear (&profile->arena);
  g_free (profile->path);
  g_free (profile);
}

const char *
fb_viz_profile_path (const FbVizProfile *profile)
{
  return profile->path;
}

guint
fb_viz_profile_n_ranges (const FbVizProfile *profile)
{
  return profile->n_ranges;
}

guint
fb_viz_profile_n_others (const FbVizProfile *profile)
{
  return profile->n_others;
}

guint
fb_viz_profile_n_times (const FbVizProfile *profile)
{
  return profile->times->len;
}

const FbVizTimes *
fb_viz_profile_times (const FbVizProfile *profile, guint index)
{
  g_return_val_if_fail (index < profile->times->len, NULL);
  return g_ptr_array_index (profile->times, index);
}

const FbVizTimes *
fb_viz_profile_find (const FbVizProfile *profile, const char *name)
{
  g_autofree char *key = key_of (name, FALSE);

  return g_hash_table_lookup (profile->by_key, key);
}

/* --- for people --- */

char *
fb_viz_profile_beside (const char *trace_path)
{
  static const char rewrites[] = "rewrites.pkl";
  g_autofree char *folder = g_path_get_dirname (trace_path), *name = g_path_get_basename (trace_path);
  g_autofree char *profile = NULL, *path = NULL;

  if (!g_str_has_prefix (name, rewrites))
    return NULL;
  profile = g_strconcat ("profile.pkl", name + strlen (rewrites), NULL);
  path = g_build_filename (folder, profile, NULL);
  return g_file_test (path, G_FILE_TEST_IS_REGULAR) ? g_steal_pointer (&path) : NULL;
}

char *
fb_viz_time_text (double seconds)
{
  static const char *const units[] = { "s", "ms", "µs", "ns" };
  guint unit = 0;

  /* what would round to 1,000 of a unit is 1 of the next */
  while (unit < G_N_ELEMENTS (units) - 1 && seconds < 0.9995)
    {
      seconds *= 1000;
      unit++;
    }
  return g_strdup_printf ("%.*f %s", seconds >= 99.95 ? 0 : seconds >= 9.995 ? 1 : 2, seconds, units[unit]);
}

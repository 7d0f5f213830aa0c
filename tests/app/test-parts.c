/* Parts of the window that need no display. */
#include <glib/gstdio.h>
#include <string.h>

#include "app/cli/count.h"
#include "app/index-model.h"
#include "app/preferences.h"
#include "app/settings.h"
#include "app/source-highlight.h"
#include "app/worker.h"

static void
test_count (void)
{
  g_assert_cmpstr (fb_count (0), ==, "0");
  g_assert_cmpstr (fb_count (999), ==, "999");
  g_assert_cmpstr (fb_count (1000), ==, "1,000");
  g_assert_cmpstr (fb_count (4096), ==, "4,096");
  g_assert_cmpstr (fb_count (-4096), ==, "-4,096");
  g_assert_cmpstr (fb_count (G_MAXINT64), ==, "9,223,372,036,854,775,807");
  g_assert_cmpstr (fb_count (G_MININT64), ==, "-9,223,372,036,854,775,808");
}

static guint
number_at (FbIndexModel *model, guint position)
{
  g_autoptr (FbIndexItem) item = g_list_model_get_item (G_LIST_MODEL (model), position);
  return item ? fb_index_item_get (item) : G_MAXUINT;
}

static void
test_index_model (void)
{
  g_autoptr (FbIndexModel) model = fb_index_model_new ();
  fb_index_model_set_size (model, 1000000);
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (model)), ==, 1000000);
  g_assert_cmpuint (number_at (model, 999999), ==, 999999);
  g_assert_cmpuint (number_at (model, 1000000), ==, G_MAXUINT);
  g_assert_cmpuint (fb_index_model_find (model, 42), ==, 42);
  const guint some[] = { 3, 5, 8 };
  fb_index_model_set_filtered (model, 3, some);
  g_assert_cmpuint (number_at (model, 1), ==, 5);
  g_assert_cmpuint (fb_index_model_find (model, 8), ==, 2);
  g_assert_cmpuint (fb_index_model_find (model, 4), ==, G_MAXUINT);
  const guint between[] = { 6, 7 };
  fb_index_model_splice (model, 1, 1, 2, between);
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (model)), ==, 4);
  g_assert_cmpuint (number_at (model, 0), ==, 3);
  g_assert_cmpuint (number_at (model, 2), ==, 7);
  g_assert_cmpuint (number_at (model, 3), ==, 8);
  fb_index_model_set_filtered (model, 0, NULL);
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (model)), ==, 0);
}

static void
largest_change (GListModel *model, guint position, guint removed, guint added, guint *most)
{
  *most = MAX (*most, MAX (removed, added));
}

/* A gradual list comes and goes in parts, none of them long, and is whole in the end. */
static void
test_gradual (void)
{
  g_autoptr (FbIndexModel) model = fb_index_model_new ();
  GListModel *list = G_LIST_MODEL (model);
  guint most = 0, n = 150;
  fb_index_model_set_gradual (model, 8);
  g_signal_connect (model, "items-changed", G_CALLBACK (largest_change), &most);
  fb_index_model_set_size (model, n);
  g_assert_cmpuint (g_list_model_get_n_items (list), >, 0);
  while (g_list_model_get_n_items (list) < n)
    g_main_context_iteration (NULL, TRUE);
  g_assert_cmpuint (most, <, 40);
  fb_index_model_drain (model);
  g_assert_cmpuint (g_list_model_get_n_items (list), ==, n);
  while (g_list_model_get_n_items (list))
    g_main_context_iteration (NULL, TRUE);
  g_assert_cmpuint (most, <, 40);
  g_assert_cmpuint (fb_index_model_get_size (model), ==, 0);
  /* of a long list those that somebody holds go last */
  fb_index_model_set_size (model, 5000);
  while (g_list_model_get_n_items (list) < 5000)
    g_main_context_iteration (NULL, TRUE);
  g_autoptr (FbIndexItem) held = g_list_model_get_item (list, 3000);
  g_autoptr (FbIndexItem) last = g_list_model_get_item (list, 3020);
  g_assert_true (fb_index_model_drop_some (model));
  g_assert_true (g_list_model_get_n_items (list) <= 21 && number_at (model, 0) == 3000);
  while (fb_index_model_drop_some (model))
    ;
  fb_index_model_set_size (model, 3);
  g_assert_cmpuint (g_list_model_get_n_items (list), ==, 3);
  g_assert_true (fb_index_model_drop_some (model) == FALSE && !g_list_model_get_n_items (list));
}

/* What somebody holds is the item of its number while it only moves; in a gradual list it then stands for another number, which its
 * version tells, and in others for none. */
static void
test_items (void)
{
  for (int gradual = 0; gradual <= 1; gradual++)
    {
      g_autoptr (FbIndexModel) model = fb_index_model_new ();
      GListModel *list = G_LIST_MODEL (model);
      if (gradual)
        fb_index_model_set_gradual (model, 8);
      fb_index_model_set_size (model, 10);
      g_autoptr (FbIndexItem) two = g_list_model_get_item (list, 2);
      g_autoptr (FbIndexItem) five = g_list_model_get_item (list, 5);
      guint version = fb_index_item_get_version (two);
      const guint between[] = { 20, 21, 22 };
      fb_index_model_splice (model, 1, 2, 3, between);
      g_autoptr (FbIndexItem) moved = g_list_model_get_item (list, 6);
      g_autoptr (FbIndexItem) first = g_list_model_get_item (list, 1);
      g_assert_true (moved == five);
      g_assert_cmpuint (fb_index_item_get (moved), ==, 5);
      g_assert_cmpuint (fb_index_item_get (first), ==, 20);
      g_assert_true ((first == two) == gradual);
      g_assert_true ((fb_index_item_get_version (two) != version) == gradual);
      fb_index_model_set_size (model, 4);
      for (guint i = 0; i < 4; i++)
        g_assert_cmpuint (number_at (model, i), ==, i);
    }
}

static void
test_settings (void)
{
  GSettings *store = fb_preferences_get_settings (fb_preferences_get_default ());
  g_assert_nonnull (store);
  FbSettings stored, read;
  fb_settings_init (&stored, 1440, 1);
  g_assert_cmpint (stored.passes_width, ==, 212);
  g_assert_cmpint (stored.inspector_width, ==, 308);
  stored.passes_width = 300;
  stored.show_drawer = FALSE;
  fb_settings_save (&stored, store);
  fb_settings_init (&read, 1024, 1);
  g_assert_cmpint (read.passes_width, ==, 188);
  fb_settings_load (&read, store);
  g_assert_cmpint (read.passes_width, ==, 300);
  g_assert_false (read.show_drawer);
  /* Nonsense changes nothing. */
  g_settings_set_int (store, "passes-width", -5);
  g_settings_set_int (store, "drawer-height", 99999999);
  fb_settings_init (&read, 1440, 1);
  fb_settings_load (&read, store);
  g_assert_cmpint (read.passes_width, ==, 212);
  g_assert_cmpint (read.drawer_height, ==, 180);
  /* Larger text, wider panels; the canvas keeps its width. */
  fb_settings_init (&read, 2560, 2);
  g_assert_cmpint (read.passes_width, >, 300);
  fb_settings_init (&read, 1024, 2);
  g_assert_cmpint (read.passes_width + read.inspector_width, <=, 1024 - 420);
  g_assert_cmpint (read.passes_width, >, 188);
  /* Nowhere to store. */
  fb_settings_init (&read, 1440, 1);
  fb_settings_save (&read, NULL);
  fb_settings_load (&read, NULL);
  g_assert_cmpint (read.passes_width, ==, 212);
}

/* What is changed is stored, and what is stored takes effect. */
static void
test_preferences (void)
{
  FbPreferences *preferences = fb_preferences_get_default ();
  GSettings *store = fb_preferences_get_settings (preferences);
  g_assert_cmpstr (fb_preferences_get_color_scheme (preferences), ==, "system");
  g_assert_cmpuint (fb_preferences_get_play_speed (preferences), ==, 4);
  g_assert_cmpstr (fb_preferences_get_dot_command (preferences), ==, "dot");
  g_object_set (preferences, "color-scheme", "dark", "play-speed", 9, "animate", FALSE, NULL);
  g_autofree char *scheme = g_settings_get_string (store, "color-scheme");
  g_assert_cmpstr (scheme, ==, "dark");
  g_assert_cmpuint (g_settings_get_uint (store, "play-speed"), ==, 9);
  g_assert_false (g_settings_get_boolean (store, "animate"));
  g_settings_set_string (store, "dot-command", "/opt/graphviz/bin/dot");
  g_assert_cmpstr (fb_preferences_get_dot_command (preferences), ==, "/opt/graphviz/bin/dot");
  g_settings_set_string (store, "dot-command", "");
  g_assert_cmpstr (fb_preferences_get_dot_command (preferences), ==, "dot");
  g_settings_reset (store, "color-scheme");
  g_assert_cmpstr (fb_preferences_get_color_scheme (preferences), ==, "system");
}

/* --- source text --- */

/* @marked: the text with each token in brackets, led by the first letter of its kind: "[kfor] (". */
static void
check_tokens (const char *text, gssize len, const char *marked)
{
  static const char letters[FB_N_SOURCE_KINDS] = { 'k', 't', 'n', 's', 'c', 'd' };
  g_autofree char *copy = g_memdup2 (text, len < 0 ? strlen (text) : (gsize) len); /* not NUL-terminated */
  gsize size = len < 0 ? strlen (text) : (gsize) len, at = 0;
  g_autoptr (GArray) tokens = fb_source_tokens_new (copy, size);
  g_autoptr (GString) out = g_string_new (NULL);
  for (guint i = 0; i < tokens->len; i++)
    {
      const FbSourceToken *token = &g_array_index (tokens, FbSourceToken, i);
      g_assert_cmpuint (token->start, >=, at);
      g_assert_cmpuint (token->len, >, 0);
      g_assert_cmpuint (token->start + token->len, <=, size);
      g_string_append_len (out, text + at, token->start - at);
      g_string_append_printf (out, "[%c%.*s]", letters[token->kind], (int) token->len, text + token->start);
      at = token->start + token->len;
    }
  g_string_append_len (out, text + at, size - at);
  g_assert_cmpstr (out->str, ==, marked);
}

static void
test_source_tokens (void)
{
  check_tokens ("", -1, "");
  check_tokens ("for (int i0 = 0; i0 < 64; i0++)", -1, "[kfor] ([tint] i0 = [n0]; i0 < [n64]; i0++)");
  check_tokens ("float4 v = *((float4*)(data1+4));", -1, "[tfloat4] v = *(([tfloat4]*)(data1+[n4]));");
  check_tokens ("x*-1.5e-05f+.5h+0x1p-3f+7ull-a2", -1, "x*-[n1.5e-05f]+[n.5h]+[n0x1p-3f]+[n7ull]-a2");
  check_tokens ("__kernel void E_4(__global half* a) {", -1, "[k__kernel] [tvoid] E_4([k__global] [thalf]* a) {");
  check_tokens ("kernel void r(device float* a [[buffer(0)]])", -1,
                "[kkernel] [tvoid] r([kdevice] [tfloat]* a [[buffer([n0])]])");
  check_tokens ("extern \"C\" __global__ void __launch_bounds__(8)", -1,
                "[kextern] [s\"C\"] [k__global__] [tvoid] [k__launch_bounds__]([n8])");
  check_tokens ("#include <metal_stdlib> // x\n  #define A \\\n 3\nint", -1,
                "[d#include <metal_stdlib> ][c// x]\n  [d#define A \\\n 3]\n[tint]");
  check_tokens ("a # b /* int\n for */ c", -1, "a # b [c/* int\n for */] c");
  check_tokens ("'\\'' \"a\\\"b\" \"open\nint", -1, "[s'\\''] [s\"a\\\"b\"] [s\"open]\n[tint]");
  check_tokens ("/* never ends", -1, "[c/* never ends]");
  check_tokens ("interior format format4 _Bool int8_t", -1, "interior format format4 [t_Bool] [tint8_t]");
  check_tokens ("\"\\", 2, "[s\"\\]");
  check_tokens ("/", -1, "/");
  check_tokens ("\xff\xfe int", -1, "\xff\xfe [tint]");
}

/* --- the worker --- */

static GMutex gate;

static void
wait_at_gate (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  g_mutex_lock (&gate);
  g_mutex_unlock (&gate);
  g_task_return_boolean (task, TRUE);
}

static void
note_letter (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  g_task_return_int (task, GPOINTER_TO_INT (data));
}

static void
letter_done (GObject *source, GAsyncResult *result, gpointer data)
{
  GString *order = data;
  g_autoptr (GError) error = NULL;
  gssize letter = g_task_propagate_int (G_TASK (result), &error);
  g_string_append_c (order, error ? '!' : (char) letter);
}

static void
push_letter (FbWorker *worker, GString *order, char letter, FbUrgency urgency, GCancellable *cancellable)
{
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, letter_done, order);
  g_task_set_task_data (task, GINT_TO_POINTER (letter), NULL);
  fb_worker_push (worker, task, urgency, note_letter);
}

/* The urgent first; of the idle the newest first; a cancelled job does not run. */
static void
test_worker (void)
{
  FbWorker *worker = fb_worker_new ();
  g_autoptr (GString) order = g_string_new (NULL);
  g_autoptr (GCancellable) cancelled = g_cancellable_new ();
  g_mutex_lock (&gate);
  g_autoptr (GTask) first = g_task_new (NULL, NULL, NULL, NULL);
  fb_worker_push (worker, first, FB_URGENT, wait_at_gate);
  g_usleep (20000);
  push_letter (worker, order, 'i', FB_IDLE, NULL);
  push_letter (worker, order, 'h', FB_IDLE, NULL);
  push_letter (worker, order, 'd', FB_DETAIL, NULL);
  push_letter (worker, order, 'a', FB_URGENT, NULL);
  push_letter (worker, order, 'b', FB_URGENT, NULL);
  push_letter (worker, order, 'x', FB_URGENT, cancelled);
  g_cancellable_cancel (cancelled);
  g_assert_true (fb_worker_should_yield (worker, FB_IDLE));
  g_mutex_unlock (&gate);
  while (order->len < 6)
    g_main_context_iteration (NULL, TRUE);
  g_assert_cmpstr (order->str, ==, "ab!dhi");
  g_assert_false (fb_worker_should_yield (worker, FB_IDLE));
  fb_worker_free (worker);
}

int
main (int argc, char **argv)
{
  g_autofree char *folder = g_dir_make_tmp ("fusebox-test-XXXXXX", NULL);
  g_setenv ("XDG_CONFIG_HOME", folder, TRUE);
  /* Without a session bus preferences go to a file of that folder. */
  g_setenv ("XDG_RUNTIME_DIR", folder, TRUE);
  g_unsetenv ("DBUS_SESSION_BUS_ADDRESS");
  g_unsetenv ("GSETTINGS_BACKEND");
  g_test_init (&argc, &argv, NULL);
  fb_preferences_load_default ();
  g_test_add_func ("/app/parts/count", test_count);
  g_test_add_func ("/app/parts/index-model", test_index_model);
  g_test_add_func ("/app/parts/gradual", test_gradual);
  g_test_add_func ("/app/parts/items", test_items);
  g_test_add_func ("/app/parts/settings", test_settings);
  g_test_add_func ("/app/parts/preferences", test_preferences);
  g_test_add_func ("/app/parts/source-tokens", test_source_tokens);
  g_test_add_func ("/app/parts/worker", test_worker);
  return g_test_run ();
}

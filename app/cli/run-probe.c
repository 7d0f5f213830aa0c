/* fusebox run FILE --probe: a value inside a kernel. */
#include "run-probe.h"

#include <string.h>

#include "backends/probe/unfused.h"
#include "backends/run/agree.h"
#include "backends/run/fill.h"
#include "backends/values/slice.h"

#include "json.h"

/* Index spaces beyond this are not compared with the unfused graph. */
#define MAX_PAIRED ((gint64) 1 << 24)
/* Where the person points: a kernel, from 0, and a node of it; or a node of the graph. */
typedef struct
{
  gboolean in_kernel;
  guint kernel;
  FbUop *node; /* NULL: none was named */
} Target;

static gboolean
has_key (const FbCliProbe *p, FbUop *node, const char *prefix)
{
  char key[17];
  return g_ascii_strncasecmp (fb_uop_key_hex (p->schedule->context, node, key), prefix, strlen (prefix)) == 0;
}

/* The node among @nodes whose key begins so. FALSE: several. */
static gboolean
find_among (const FbCliProbe *p, GPtrArray *nodes, const char *prefix, FbUop **found)
{
  for (guint i = 0; i < nodes->len; i++)
    {
      FbUop *node = g_ptr_array_index (nodes, i);
      if (!has_key (p, node, prefix) || node == *found)
        continue;
      if (*found != NULL)
        return FALSE;
      *found = node;
    }
  return TRUE;
}

/* "3:4c23" */
static gboolean
find_in_kernel (const FbCliProbe *p, const char *what, const char *colon, Target *target)
{
  char *end;
  guint64 number = g_ascii_strtoull (what, &end, 10);
  if (end == what || (*end != '\0' && end != colon) || number < 1 || number > p->schedule->kernels->len)
    {
      fb_cli_error (_ ("%s: row %u has kernels 1 to %u, no “%s”"), p->path, p->row, p->schedule->kernels->len, what);
      return FALSE;
    }
  target->in_kernel = TRUE;
  target->kernel = (guint) number - 1;
  if (colon == NULL)
    return TRUE;
  g_autoptr (GPtrArray) nodes = fb_probe_nodes (p->schedule, target->kernel);
  if (strlen (colon + 1) < 4 || !find_among (p, nodes, colon + 1, &target->node) || target->node == NULL)
    {
      fb_cli_error (_ ("%s: row %u: kernel %u has no single node with a value whose key begins with “%s”"), p->path,
                    p->row, (guint) number, colon + 1);
      return FALSE;
    }
  return TRUE;
}

/* A key alone: of a node of a kernel, else of the graph before or after simplification. */
static gboolean
find_anywhere (const FbCliProbe *p, const char *what, Target *target)
{
  gboolean single = TRUE;
  for (guint k = 0; k < p->schedule->kernels->len && target->node == NULL && single; k++)
    {
      g_autoptr (GPtrArray) nodes = fb_probe_nodes (p->schedule, k);
      single = find_among (p, nodes, what, &target->node);
      target->in_kernel = target->node != NULL;
      target->kernel = k;
    }
  FbUop *sinks[] = { p->schedule->big_sink, fb_schedule_pass (p->schedule, 0)->result };
  for (guint i = 0; i < G_N_ELEMENTS (sinks) && target->node == NULL && single; i++)
    {
      g_autoptr (GPtrArray) nodes = fb_uop_toposort (p->schedule->context, sinks[i]);
      single = find_among (p, nodes, what, &target->node);
    }
  if (single && target->node != NULL)
    return TRUE;
  fb_cli_error (_ ("%s: row %u: no single node has a key that begins with “%s”"), p->path, p->row, what);
  return FALSE;
}

static gboolean
is_number (const char *text)
{
  return *text != '\0' && strspn (text, "0123456789") == strlen (text) && strlen (text) < 10;
}

static gboolean
find_target (const FbCliProbe *p, const char *what, Target *target)
{
  const char *colon = strchr (what, ':');
  if (colon != NULL || is_number (what))
    return find_in_kernel (p, what, colon, target);
  if (strlen (what) >= 4)
    return find_anywhere (p, what, target);
  fb_cli_error (_ ("--probe is KERNEL:KEY, KERNEL or KEY, not “%s”"), what);
  return FALSE;
}

/* What there is to probe in a kernel. */
static int
list_nodes (const FbCliProbe *p, guint kernel)
{
  g_autoptr (GPtrArray) nodes = fb_probe_nodes (p->schedule, kernel);
  g_autoptr (GString) json = p->json ? g_string_new (NULL) : NULL;
  if (json != NULL)
    {
      fb_cli_probe_begin_json (p, json);
      g_string_append_printf (json, ",\"kernel\":%u,\"nodes\":[", kernel + 1);
    }
  for (guint i = 0; i < nodes->len; i++)
    {
      FbUop *node = g_ptr_array_index (nodes, i);
      guint n;
      gint64 size;
      g_autofree gint64 *shape = fb_probe_shape (p->schedule, node, &n, &size, NULL);
      g_autofree char *text = fb_cli_probe_node_text (p, node), *dims = shape ? fb_shape_text (n, shape) : NULL;
      if (json == NULL)
        fb_cli_print ("%-32s %-8s %s\n", text, node->dtype->short_name, dims ? dims : "");
      else
        {
          g_string_append_printf (json, "%s{\"size\":%" G_GINT64_FORMAT, i ? "," : "", shape ? size : -1);
          fb_cli_probe_append_node (p, node, json);
          g_string_append_c (json, '}');
        }
    }
  if (json != NULL)
    {
      g_string_append (json, "]}\n");
      fb_cli_write (json->str, json->len);
    }
  return FB_EXIT_OK;
}

/* The probed value beside the same value of the unfused graph. TRUE: they agree, or there is nothing to compare with. */
static gboolean
compare_unfused (const FbCliProbe *p, const Target *target, const FbProbe *probe, const FbProbeValue *value,
                 FbUnfusedRun *run, GString *json)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GArray) pairs = fb_unfused_new (p->schedule, target->kernel, MAX_PAIRED, &error);
  const FbUnfused *pair = NULL;
  for (guint i = 0; pairs != NULL && i < pairs->len && pair == NULL; i++)
    if (g_array_index (pairs, FbUnfused, i).node == target->node)
      pair = &g_array_index (pairs, FbUnfused, i);
  if (pair == NULL || pair->size != value->size)
    {
      if (json == NULL)
        fb_cli_print (_ ("  it stands for no node of the unfused graph\n"));
      else
        g_string_append (json, ",\"unfused\":null");
      return TRUE;
    }
  const FbGraphValue *graph
      = fb_evaluator_get (fb_unfused_run_evaluator (run, target->kernel), pair->graph, NULL, &error);
  if (graph == NULL)
    {
      if (json == NULL)
        fb_cli_print (_ ("  the unfused graph has no value for it: %s\n"), error->message);
      else
        {
          g_string_append (json, ",\"unfused\":{\"refused\":");
          fb_json_append_string (json, error->message);
          g_string_append_c (json, '}');
        }
      return TRUE;
    }
  FbAgreeRule rule = fb_agree_rule (fb_plan_step (probe->plan, 0)->program);
  FbAgreement g;
  rule.inputs = 1;
  fb_agree (value->type, value->size, graph->data, value->data, pair->elements, &rule, &g);
  if (json == NULL)
    {
      g_autofree char *node = fb_cli_probe_node_text (p, pair->graph);
      if (g.equal == g.size)
        fb_cli_print (_ ("  unfused, as %s: the same bits\n"), node);
      else
        fb_cli_print (_ ("  unfused, as %s: %lld of %lld elements differ, by %.3g at most, where %.3g is allowed; %lld "
                         "by more\n"),
                      node, (long long) (g.size - g.equal), (long long) g.size, g.largest, g.bound,
                      (long long) (g.beyond + g.nan_order));
    }
  else
    {
      g_string_append_printf (json,
                              ",\"unfused\":{\"equal\":%" G_GINT64_FORMAT ",\"within\":%" G_GINT64_FORMAT
                              ",\"rounded\":%" G_GINT64_FORMAT ",\"nan_order\":%" G_GINT64_FORMAT
                              ",\"beyond\":%" G_GINT64_FORMAT,
                              g.equal, g.within, g.rounded, g.nan_order, g.beyond);
      fb_cli_append_member (json, "largest", g.largest);
      fb_cli_append_member (json, "bound", g.bound);
      fb_cli_probe_append_node (p, pair->graph, json);
      g_string_append_c (json, '}');
    }
  return g.beyond + g.nan_order == 0;
}

static gboolean
dump_shown (const FbCliProbe *p, const Target *target, const FbCliShown *shown)
{
  char key[17];
  g_autoptr (GError) error = NULL;
  if (p->dump == NULL)
    return TRUE;
  fb_uop_key_hex (p->schedule->context, target->node, key);
  g_autofree char *name = target->in_kernel ? g_strdup_printf ("probe-k%04u-%s.npy", target->kernel, key)
                                            : g_strdup_printf ("probe-%s.npy", key);
  g_autofree char *path = g_build_filename (p->dump, name, NULL);
  if (fb_npy_write (path, shown->type, shown->size, shown->data, &error))
    return TRUE;
  fb_cli_error ("%s", error->message);
  return FALSE;
}

static int
finish (const FbCliProbe *p, const Target *target, const FbCliShown *shown, GString *json, gboolean agrees)
{
  if (json != NULL)
    {
      g_string_append (json, "}\n");
      fb_cli_write (json->str, json->len);
    }
  if (!dump_shown (p, target, shown))
    return FB_EXIT_FAILED;
  return agrees ? FB_EXIT_OK : FB_EXIT_DIFFERENT;
}

/* Tells the unfused run what each kernel wrote. */
typedef struct
{
  const FbCliProbe *p;
  FbUnfusedRun *unfused;
  guint last;
} Before;

static gboolean
after_kernel (guint kernel, G_GNUC_UNUSED double seconds, gpointer user)
{
  Before *before = user;
  fb_unfused_run_after (before->unfused, kernel, before->p->memory->data);
  return kernel + 1 < before->last;
}

static int
probe_kernel (const FbCliProbe *p, const Target *target)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (FbUnfusedRun) unfused
      = fb_unfused_run_new (p->schedule, p->plan, p->memory->data, &(FbEvaluatorLimits){ .threads = p->run->threads });
  Before before = { p, unfused, target->kernel };
  FbRunOptions run = *p->run;
  run.after = after_kernel;
  run.user = &before;
  g_autoptr (FbProbe) probe = fb_probe_new (p->schedule, p->plan, target->kernel, target->node, 0, &error);
  g_autoptr (FbProbeValue) value = NULL;
  if (probe != NULL && (target->kernel == 0 || fb_run (p->plan, p->memory, &run, NULL, NULL, &error)))
    value = fb_probe_run_memory (probe, p->plan, p->memory->data, &run, NULL, &error);
  if (value == NULL)
    {
      fb_cli_error (_ ("%s: row %u: kernel %u: %s"), p->path, p->row, target->kernel + 1, error->message);
      return FB_EXIT_FAILED;
    }
  const FbCliShown shown
      = { target->kernel + 1, target->node, value->type, value->n_dims, value->shape, value->size, value->data };
  g_autoptr (GString) json = p->json ? g_string_new (NULL) : NULL;
  if (json != NULL)
    {
      fb_cli_probe_begin_json (p, json);
      fb_cli_shown_append (p, &shown, json);
    }
  else
    fb_cli_shown_print (p, &shown);
  gboolean agrees = compare_unfused (p, target, probe, value, unfused, json);
  return finish (p, target, &shown, json, agrees);
}

/* A node of the graph: what the unfused graph makes of the inputs. */
static int
probe_graph (const FbCliProbe *p, const Target *target)
{
  g_autoptr (GError) error = NULL;
  const FbEvaluatorLimits limits = { .bytes = fb_plan_default_limit (), .threads = p->run->threads };
  g_autoptr (FbEvaluator) evaluator = fb_evaluator_new (p->schedule->context, p->schedule->var_vals, &limits);
  fb_unfused_set_inputs (p->schedule, p->plan, p->memory->data, evaluator);
  const FbGraphValue *value = fb_evaluator_get (evaluator, target->node, NULL, &error);
  if (value == NULL)
    {
      fb_cli_error (_ ("%s: row %u: %s"), p->path, p->row, error->message);
      return FB_EXIT_FAILED;
    }
  const FbCliShown shown = { 0, target->node, value->type, value->n_dims, value->shape, value->size, value->data };
  g_autoptr (GString) json = p->json ? g_string_new (NULL) : NULL;
  if (json != NULL)
    {
      fb_cli_probe_begin_json (p, json);
      fb_cli_shown_append (p, &shown, json);
    }
  else
    fb_cli_shown_print (p, &shown);
  return finish (p, target, &shown, json, TRUE);
}

int
fb_cli_probe (const FbCliProbe *probe, const char *what)
{
  Target target = { 0 };
  if (!find_target (probe, what, &target))
    return FB_EXIT_FAILED;
  if (target.node == NULL)
    return list_nodes (probe, target.kernel);
  return target.in_kernel ? probe_kernel (probe, &target) : probe_graph (probe, &target);
}

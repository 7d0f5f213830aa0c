/* fusebox run FILE --reads and --find-nan: what an element was computed from, and where the first NaN comes from. */
#include "run-probe.h"

#include <string.h>

#include "backends/interp/lane.h"
#include "backends/probe/origin.h"
#include "backends/probe/reads.h"
#include "backends/values/slice.h"
#include "backends/values/values.h"

#include "json.h"

#define MAX_READS 100000
#define MAX_PRINTED 200

/* --- --reads --- */

/* An element of a buffer, as asked for. */
typedef struct
{
  gint64 ordinal;
  guint n;
  gint64 at[FB_SLICE_DIMS];
} Element;

/* "3[1,2]" or "b3[1,2]" */
static gboolean
parse_element (const char *text, Element *element)
{
  char *end;
  if (*text == 'b')
    text++;
  element->ordinal = g_ascii_strtoll (text, &end, 10);
  if (end == text || *end != '[')
    return FALSE;
  for (element->n = 0; element->n < FB_SLICE_DIMS && *end != ']'; element->n++)
    {
      text = end + 1;
      element->at[element->n] = g_ascii_strtoll (text, &end, 10);
      if (end == text || element->at[element->n] < 0 || (*end != ',' && *end != ']'))
        return FALSE;
    }
  return element->n > 0 && *end == ']' && end[1] == '\0';
}

/* The last kernel that writes a buffer with that ordinal; -1: none. */
static int
last_writer (const FbCliProbe *p, gint64 ordinal)
{
  for (guint i = p->plan->steps->len; i-- > 0;)
    if (fb_plan_step (p->plan, i)->program != NULL
        && fb_plan_buffer (p->plan, fb_plan_step (p->plan, i)->buffers[0])->ordinal == ordinal)
      return (int) i;
  return -1;
}

/* The number of the element in the kernel's output: by an index of its own shape, or as it is. */
static gboolean
flatten (const FbCliProbe *p, guint kernel, const Element *element, gint64 *flat)
{
  FbUop *stored = fb_schedule_kernel (p->schedule, kernel)->assign->src[1]->arg.kernel->ast;
  guint n;
  gint64 size;
  g_autofree gint64 *shape = fb_probe_shape (p->schedule, stored, &n, &size, NULL);
  *flat = element->at[0];
  if (element->n == 1)
    return TRUE;
  g_autofree char *text = shape ? fb_shape_text (n, shape) : g_strdup ("");
  gboolean inside = shape != NULL && n == element->n;
  *flat = 0;
  for (guint d = 0; inside && d < n; d++)
    {
      inside = element->at[d] < shape[d];
      *flat = *flat * shape[d] + element->at[d];
    }
  if (!inside)
    fb_cli_error (_ ("%s: row %u: what kernel %u writes is %s"), p->path, p->row, kernel + 1, text);
  return inside;
}

static void
print_read (const FbCliProbe *p, const FbPlanStep *step, const FbRead *read)
{
  const FbPlanBuffer *buffer = fb_plan_buffer (p->plan, step->buffers[read->arg]);
  char value[FB_VALUE_TEXT];
  g_autofree char *load = fb_cli_probe_node_text (p, fb_program_inst (step->program, read->inst)->uop);
  g_autofree char *name = g_strdup_printf ("b%d[%" G_GINT64_FORMAT "]", buffer->ordinal, read->element);
  fb_value_text (buffer->type,
                 fb_plan_data (p->plan, p->memory->data, step->buffers[read->arg])
                     + read->element * fb_scalar_size (buffer->type),
                 FB_VALUE_DECIMAL, value);
  fb_cli_print ("  %-16s %14s  ", name, value);
  if (read->times > 1)
    fb_cli_print ("×%-5" G_GINT64_FORMAT, read->times);
  else
    fb_cli_print ("%-6s", "");
  fb_cli_print (" %s\n", load);
}

static void
append_read (const FbCliProbe *p, const FbPlanStep *step, const FbRead *read, GString *json)
{
  const FbPlanBuffer *buffer = fb_plan_buffer (p->plan, step->buffers[read->arg]);
  FbLane lane = fb_lane_read (buffer->type, fb_plan_data (p->plan, p->memory->data, step->buffers[read->arg])
                                                + read->element * fb_scalar_size (buffer->type));
  char key[17];
  g_string_append_printf (json,
                          "{\"ordinal\":%d,\"element\":%" G_GINT64_FORMAT ",\"times\":%" G_GINT64_FORMAT
                          ",\"load\":\"%s\",\"value\":",
                          buffer->ordinal, read->element, read->times,
                          fb_uop_key_hex (p->schedule->context, fb_program_inst (step->program, read->inst)->uop, key));
  fb_cli_append_number (json, fb_scalar_is_float (buffer->type) ? lane.f : (double) lane.i);
  g_string_append_c (json, '}');
}

static void
show_reads (const FbCliProbe *p, guint kernel, gint64 element, GArray *reads, gboolean more)
{
  const FbPlanStep *step = fb_plan_step (p->plan, kernel);
  gint64 ordinal = fb_plan_buffer (p->plan, step->buffers[0])->ordinal;
  if (p->json)
    {
      g_autoptr (GString) json = g_string_new (NULL);
      fb_cli_probe_begin_json (p, json);
      g_string_append_printf (json,
                              ",\"kernel\":%u,\"ordinal\":%" G_GINT64_FORMAT ",\"element\":%" G_GINT64_FORMAT
                              ",\"more\":%s,\"reads\":[",
                              kernel + 1, ordinal, element, more ? "true" : "false");
      for (guint i = 0; i < reads->len; i++)
        {
          g_string_append (json, i ? "," : "");
          append_read (p, step, &g_array_index (reads, FbRead, i), json);
        }
      g_string_append (json, "]}\n");
      fb_cli_write (json->str, json->len);
      return;
    }
  fb_cli_print (_ ("kernel %u: b%lld[%lld] was computed from %u elements\n"), kernel + 1, (long long) ordinal,
                (long long) element, reads->len);
  for (guint i = 0; i < MIN (reads->len, MAX_PRINTED); i++)
    print_read (p, step, &g_array_index (reads, FbRead, i));
  if (reads->len > MAX_PRINTED || more)
    fb_cli_print ("  …\n");
}

int
fb_cli_probe_reads (const FbCliProbe *p, const char *what)
{
  Element element;
  gint64 flat;
  gboolean more;
  g_autoptr (GError) error = NULL;
  if (!parse_element (what, &element))
    {
      fb_cli_error (_ ("--reads is ORDINAL[INDEX,…], not “%s”"), what);
      return FB_EXIT_FAILED;
    }
  int kernel = last_writer (p, element.ordinal);
  if (kernel < 0)
    {
      fb_cli_error (_ ("%s: row %u: no kernel computes buffer %lld"), p->path, p->row, (long long) element.ordinal);
      return FB_EXIT_FAILED;
    }
  if (!flatten (p, (guint) kernel, &element, &flat))
    return FB_EXIT_FAILED;
  g_autoptr (GArray) reads
      = fb_reads_new (fb_plan_step (p->plan, (guint) kernel)->program, flat, MAX_READS, &more, &error);
  if (reads == NULL || !fb_probe_prepare (p->plan, p->memory, (guint) kernel, p->run, NULL, &error))
    {
      fb_cli_error (_ ("%s: row %u: kernel %u: %s"), p->path, p->row, (guint) kernel + 1, error->message);
      return FB_EXIT_FAILED;
    }
  show_reads (p, (guint) kernel, flat, reads, more);
  return FB_EXIT_OK;
}

/* --- --find-nan --- */

/* "[0, 17]" */
static char *
index_text (guint n, const gint64 *shape, gint64 element)
{
  GString *text = g_string_new ("]");
  for (guint d = n; d-- > 0;)
    {
      g_autofree char *one = g_strdup_printf ("%s%" G_GINT64_FORMAT, d ? ", " : "", element % MAX (shape[d], 1));
      g_string_prepend (text, one);
      element /= MAX (shape[d], 1);
    }
  g_string_prepend_c (text, '[');
  return g_string_free (text, FALSE);
}

static void
print_origin (const FbCliProbe *p, const FbOrigin *origin, FbOriginKind kind)
{
  const char *name = kind == FB_ORIGIN_NAN ? "NaN" : "inf";
  if (origin->place == FB_ORIGIN_NOWHERE)
    {
      fb_cli_print (_ ("%s: no kernel makes one\n"), name);
      return;
    }
  if (origin->place == FB_ORIGIN_INPUT)
    {
      fb_cli_print (_ ("%s: first in the input b%d, element %lld, %lld in all\n"), name,
                    fb_plan_buffer (p->plan, origin->buffer)->ordinal, (long long) origin->element,
                    (long long) origin->count);
      return;
    }
  if (origin->place == FB_ORIGIN_KERNEL)
    {
      fb_cli_print (_ ("%s: first in kernel %u, element %lld of b%d; none of its nodes has one by itself\n"), name,
                    origin->kernel + 1, (long long) origin->element, fb_plan_buffer (p->plan, origin->buffer)->ordinal);
      return;
    }
  g_autofree char *node = fb_cli_probe_node_text (p, origin->node),
                  *index = index_text (origin->n_dims, origin->shape, origin->element),
                  *shape = fb_shape_text (origin->n_dims, origin->shape);
  fb_cli_print (_ ("%s: first in kernel %u, %s, element %s of %s, %lld there\n"), name, origin->kernel + 1, node, index,
                shape, (long long) origin->count);
  if (origin->n_sources > 0)
    {
      fb_cli_print ("  %s (", fb_op_name (origin->node->op));
      for (guint i = 0; i < origin->n_sources; i++)
        fb_cli_print ("%s%.9g", i ? ", " : "", origin->sources[i]);
      fb_cli_print (") = %.9g\n", origin->value);
    }
  if (origin->n_skipped > 0)
    fb_cli_print (ngettext ("  %u node before it is too large to be looked at\n",
                            "  %u nodes before it are too large to be looked at\n", origin->n_skipped),
                  origin->n_skipped);
}

static void
append_origin (const FbCliProbe *p, const FbOrigin *origin, FbOriginKind kind, GString *json)
{
  static const char *const places[] = { "nowhere", "input", "kernel", "node" };
  g_string_append_printf (json, ",\"%s\":{\"place\":\"%s\"", kind == FB_ORIGIN_NAN ? "nan" : "inf",
                          places[origin->place]);
  if (origin->place != FB_ORIGIN_NOWHERE)
    g_string_append_printf (json, ",\"element\":%" G_GINT64_FORMAT ",\"count\":%" G_GINT64_FORMAT, origin->element,
                            origin->count);
  if (origin->place == FB_ORIGIN_INPUT || origin->place == FB_ORIGIN_KERNEL)
    g_string_append_printf (json, ",\"ordinal\":%d", fb_plan_buffer (p->plan, origin->buffer)->ordinal);
  if (origin->place == FB_ORIGIN_KERNEL || origin->place == FB_ORIGIN_NODE)
    g_string_append_printf (json, ",\"kernel\":%u", origin->kernel + 1);
  if (origin->place == FB_ORIGIN_NODE)
    {
      fb_cli_probe_append_node (p, origin->node, json);
      g_string_append (json, ",\"shape\":[");
      for (guint d = 0; d < origin->n_dims; d++)
        g_string_append_printf (json, "%s%" G_GINT64_FORMAT, d ? "," : "", origin->shape[d]);
      g_string_append (json, "],\"sources\":[");
      for (guint i = 0; i < origin->n_sources; i++)
        {
          g_string_append (json, i ? "," : "");
          fb_cli_append_number (json, origin->sources[i]);
        }
      g_string_append_printf (json, "],\"skipped\":%u", origin->n_skipped);
    }
  g_string_append_c (json, '}');
}

/* As the buffers were filled, once more. */
static guint8 *
copy_memory (const FbCliProbe *p)
{
  return g_memdup2 (p->memory->data, p->plan->memory);
}

int
fb_cli_probe_origin (const FbCliProbe *p)
{
  g_autoptr (GString) json = g_string_new (NULL);
  g_autofree guint8 *filled = copy_memory (p);
  gboolean found = FALSE;
  fb_cli_probe_begin_json (p, json);
  for (FbOriginKind kind = FB_ORIGIN_NAN; kind <= FB_ORIGIN_INF; kind++)
    {
      g_autoptr (GError) error = NULL;
      FbOrigin origin;
      if (filled != NULL)
        memcpy (p->memory->data, filled, p->plan->memory);
      if (!fb_find_origin (p->schedule, p->plan, p->memory, kind, p->run, 0, &origin, NULL, &error))
        {
          fb_cli_error (_ ("%s: row %u: %s"), p->path, p->row, error->message);
          fb_origin_clear (&origin);
          return FB_EXIT_FAILED;
        }
      if (p->json)
        append_origin (p, &origin, kind, json);
      else
        print_origin (p, &origin, kind);
      found |= origin.place != FB_ORIGIN_NOWHERE;
      fb_origin_clear (&origin);
    }
  g_string_append (json, "}\n");
  if (p->json)
    fb_cli_write (json->str, json->len);
  return found ? FB_EXIT_DIFFERENT : FB_EXIT_OK;
}

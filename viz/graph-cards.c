/* Cards and their text. */
#include "graph-build.h"

#include "core/ir/text.h"

/* More chips than this are told as a count. */
#define CHIPS_MAX 6
/* Characters on a card, and in the text that is shown on hover: what a file holds can be of any length. */
#define CHIP_MAX 24
#define TYPE_MAX 80
#define FULL_MAX 2000

typedef struct
{
  FbArg value;
  const char *text, *full; /* kept by the graph */
} NumberText;

/* The text so far, kept for the life of the graph. Bytes of a file that are no UTF-8 become replacement characters. */
static const char *
keep (FbGraphBuilder *b)
{
  if (b->text->len == 0)
    return "";
  if (g_utf8_validate_len (b->text->str, b->text->len, NULL))
    return g_string_chunk_insert_len (b->full->texts, b->text->str, (gssize) b->text->len);
  g_autofree char *valid = g_utf8_make_valid (b->text->str, (gssize) b->text->len);
  return g_string_chunk_insert (b->full->texts, valid);
}

/* The texts of a number, made once for each value that fits a word. */
static NumberText
number_texts (FbGraphBuilder *b, FbArg value)
{
  gboolean plain = value.kind == FB_ARG_INT || value.kind == FB_ARG_FLOAT || value.kind == FB_ARG_BOOL;
  guint64 bits = 0;
  NumberText texts = { .value = value };

  if (plain)
    {
      /* the bits of a float, so that 0.0 and -0.0 are two */
      bits = (guint64) value.i ^ (guint64) value.kind * G_GUINT64_CONSTANT (0x9E3779B97F4A7C15);
      const NumberText *known = g_hash_table_lookup (b->numbers, &bits);
      if (known && known->value.kind == value.kind && known->value.i == value.i)
        return *known;
    }
  g_string_truncate (b->text, 0);
  fb_graph_append_number (value, b->text);
  fb_graph_cut (b->text, 0, CHIP_MAX);
  texts.text = keep (b);
  g_string_truncate (b->text, 0);
  fb_arg_append_repr (b->context, value, b->text);
  fb_graph_cut (b->text, 0, FULL_MAX);
  texts.full = keep (b);
  if (plain)
    g_hash_table_insert (b->numbers, g_memdup2 (&bits, sizeof bits), g_memdup2 (&texts, sizeof texts));
  return texts;
}

static FbGraphChip
make_chip (FbGraphBuilder *b, FbUop *source, guint32 port, gboolean indexed)
{
  NumberText texts = number_texts (b, fb_graph_constant_of (source)->arg);
  FbGraphChip chip = { .uop = source, .port = port, .text = texts.text, .full = texts.full };

  if (indexed)
    {
      g_string_printf (b->text, "#%u %s", port, texts.text);
      fb_graph_cut (b->text, 0, CHIP_MAX);
      chip.text = keep (b);
    }
  return chip;
}

/* A source that shows as a chip: not devices and the like. */
static gboolean
is_chip (FbGraphBuilder *b, const FbUop *source)
{
  return fb_graph_source_is_folded (b, source) && fb_graph_constant_of (source);
}

static void
add_chips (FbGraphBuilder *b, FbGraphNode *node, GArray *chips)
{
  FbUop *uop = node->uop;
  gboolean indexed = fb_graph_order_counts (uop);
  guint32 n = 0;

  /* a constant that has a card shows its value the same way */
  if (fb_op_like (uop->op) == FB_OP_CONST || uop->op == FB_OP_VCONST)
    {
      FbGraphChip chip = make_chip (b, uop, FB_GRAPH_NONE, FALSE);
      g_array_append_val (chips, chip);
      node->n_chips++;
      return;
    }
  for (guint32 s = 0; s < uop->n_src; s++)
    n += is_chip (b, uop->src[s]);
  guint32 shown = n > CHIPS_MAX ? CHIPS_MAX - 1 : n;
  for (guint32 s = 0; s < uop->n_src && node->n_chips < shown; s++)
    if (is_chip (b, uop->src[s]))
      {
        FbGraphChip chip = make_chip (b, uop->src[s], s, indexed);
        g_array_append_val (chips, chip);
        node->n_chips++;
      }
  if (n > shown)
    {
      FbGraphChip chip = { .port = FB_GRAPH_NONE };
      g_string_printf (b->text, "+%u", n - shown);
      chip.text = keep (b);
      g_string_printf (b->text, "%u more constants", n - shown);
      chip.full = keep (b);
      g_array_append_val (chips, chip);
      node->n_chips++;
    }
}

void
fb_graph_make_nodes (FbGraphBuilder *b)
{
  FbGraph *graph = &b->full->graph;
  g_autoptr (GArray) chips = g_array_new (FALSE, FALSE, sizeof (FbGraphChip));
  guint32 n = 0;

  b->card = g_new (guint32, MAX (b->n_items, 1));
  for (guint32 i = 0; i < b->n_items; i++)
    b->card[i] = b->items[i].folded && !b->items[i].shown ? FB_GRAPH_NONE : n++;
  graph->n_nodes = n;
  graph->n_folded = b->n_items - n;
  graph->nodes = g_new0 (FbGraphNode, MAX (n, 1));
  for (guint32 i = 0; i < b->n_items; i++)
    {
      const FbGraphItem *item = &b->items[i];
      if (b->card[i] == FB_GRAPH_NONE)
        continue;
      FbGraphNode *node = &graph->nodes[b->card[i]];
      node->uop = item->uop;
      node->op = item->uop->op;
      node->kind = fb_op_kind (node->op);
      node->mark = item->mark;
      node->key = item->key;
      node->was_key = item->was_key;
      node->becomes = FB_GRAPH_NONE;
      node->n_members = 1;
      node->title = fb_op_name (node->op);
      g_string_truncate (b->text, 0);
      fb_graph_append_argument (b->context, item->uop, b->text);
      node->argument = keep (b);
      g_string_truncate (b->text, 0);
      fb_graph_append_type (b->context, item->uop, b->text);
      fb_graph_cut (b->text, 0, TYPE_MAX);
      node->type = keep (b);
      add_chips (b, node, chips);
      graph->n_marks[item->mark]++;
      if (item->uop == b->root)
        graph->root = b->card[i];
    }

  /* the array has stopped moving: let the nodes point into it */
  b->full->chips = (FbGraphChip *) g_array_steal (chips, NULL);
  FbGraphChip *next = b->full->chips;
  for (guint32 i = 0; i < n; i++)
    {
      graph->nodes[i].chips = next;
      next += graph->nodes[i].n_chips;
    }
}

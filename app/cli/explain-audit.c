/* fusebox explain --audit FILE...: is every verdict known, does the ledger give the realizes, is every statement true? */
#include "explain-private.h"

typedef struct
{
  guint rows, verdicts, realized, fused, unknown, statements, wrong, unreplayed, failed;
} Counts;

typedef struct
{
  const char *path;
  Counts all;
  int status;
} Audit;

typedef struct
{
  Counts counts;
  char *fault; /* the first, NULL for none */
} RowAudit;

static void
row_audit_free (gpointer data)
{
  RowAudit *audit = data;
  g_free (audit->fault);
  g_free (audit);
}

static void
blame (RowAudit *audit, const char *path, guint row, const char *what, FbContext *context, FbUop *node)
{
  char key[17] = "";

  if (audit->fault)
    return;
  if (node)
    fb_uop_key_hex (context, node, key);
  audit->fault = g_strdup_printf ("%s: row %u: %s%s%s", path, row, what, *key ? " " : "", key);
}

static void
audit_statements (RowAudit *audit, FbCounterfactuals *tries, const FbScenarioRow *row, guint number, FbUop *node)
{
  FbContext *context = fb_counterfactuals_base (tries)->context;
  g_autoptr (GPtrArray) statements = fb_counterfactuals_of (tries, node, NULL);
  char key[17];

  fb_uop_key_hex (context, node, key);
  for (guint i = 0; i < statements->len; i++)
    {
      audit->counts.statements++;
      if (fb_counterfactual_holds (row, g_ptr_array_index (statements, i), key))
        continue;
      audit->counts.wrong++;
      blame (audit, row->what, number, _ ("a statement does not hold for node"), context, node);
    }
}

static RowAudit *
audit_bytes (const FbScenarioRow *row, guint number)
{
  RowAudit *audit = g_new0 (RowAudit, 1);
  g_autoptr (GError) error = NULL;
  g_autoptr (FbCounterfactuals) tries = fb_counterfactuals_new (row, NULL, &error);

  audit->counts.rows = 1;
  if (tries == NULL)
    {
      audit->counts.failed = 1;
      audit->fault = g_strdup_printf ("%s: row %u: %s", row->what, number, error->message);
      return audit;
    }
  const FbScenarioRun *base = fb_counterfactuals_base (tries);
  g_autoptr (FbWhy) why = fb_why_new (base->schedule);
  FbLedgerAudit ledger = fb_why_audit (why);
  audit->counts.verdicts = ledger.n_verdicts;
  audit->counts.realized = base->schedule->realizes->len;
  audit->counts.fused = ledger.n_verdicts - base->schedule->realizes->len;
  audit->counts.unknown = ledger.n_unknown;
  audit->counts.unreplayed = !ledger.replays;
  if (!ledger.replays)
    blame (audit, row->what, number, _ ("the ledger does not give the realizes"), NULL, NULL);
  if (ledger.n_unknown)
    blame (audit, row->what, number, _ ("a verdict has no known reason"), NULL, NULL);
  for (guint i = 0; i < base->schedule->realizes->len; i++)
    audit_statements (audit, tries, row, number, g_ptr_array_index (base->schedule->realizes, i));
  return audit;
}

/* Rows are read by the loop only so that their number is known; the audit schedules them itself, from their bytes. */
typedef struct
{
  Audit *audit;
  FbCapture *capture;
  FbRowKind kind;
  const char *release;
  GMutex mutex; /* of the capture */
} Work;

static gpointer
audit_row (FbContext *context, FbCaptureRow *row, const GError *error, gpointer user)
{
  Work *work = user;
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (GError) reading = NULL;

  if (row != NULL)
    {
      g_mutex_lock (&work->mutex);
      bytes = fb_capture_read_blob (work->capture, work->kind, row->row, &reading);
      g_mutex_unlock (&work->mutex);
    }
  if (bytes == NULL)
    {
      RowAudit *audit = g_new0 (RowAudit, 1);
      audit->counts.rows = audit->counts.failed = 1;
      audit->fault = g_strdup (row == NULL ? error->message : reading->message);
      return audit;
    }
  const FbScenarioRow scenario_row = { bytes, work->audit->path, work->release };
  return audit_bytes (&scenario_row, row->row);
}

static gboolean
add_row (guint row, gpointer result, gpointer user)
{
  Audit *audit = ((Work *) user)->audit;
  RowAudit *one = result;
  Counts *all = &audit->all;

  all->rows += one->counts.rows;
  all->verdicts += one->counts.verdicts;
  all->realized += one->counts.realized;
  all->fused += one->counts.fused;
  all->unknown += one->counts.unknown;
  all->statements += one->counts.statements;
  all->wrong += one->counts.wrong;
  all->unreplayed += one->counts.unreplayed;
  all->failed += one->counts.failed;
  if (one->fault)
    fb_cli_error ("%s", one->fault);
  if (one->counts.failed)
    audit->status = FB_EXIT_FAILED;
  else if (one->counts.unknown + one->counts.wrong + one->counts.unreplayed)
    audit->status = MAX (audit->status, FB_EXIT_DIFFERENT);
  row_audit_free (one);
  return TRUE;
}

static void
audit_file (Audit *audit, const char *release, guint jobs)
{
  g_autoptr (FbCapture) capture = fb_cli_open (audit->path, release);
  FbRowKind kind = capture ? fb_capture_main_kind (capture) : FB_ROW_SCHEDULE;

  if (capture == NULL)
    {
      audit->status = FB_EXIT_FAILED;
      return;
    }
  if (kind == FB_ROW_KERNEL)
    return;
  Work work = { .audit = audit, .capture = capture, .kind = kind, .release = release };
  g_mutex_init (&work.mutex);
  fb_cli_loop (&(FbCliLoop){
      .capture = capture,
      .release = release,
      .kind = kind,
      .first = 1,
      .last = fb_capture_n_rows (capture, kind),
      .jobs = jobs,
      .work = audit_row,
      .deliver = add_row,
      .drop = row_audit_free,
      .user = &work,
  });
  g_mutex_clear (&work.mutex);
}

int
fb_cli_explain_audit (const char *const *paths, const char *release, guint jobs, gboolean json)
{
  Audit audit = { 0 };
  const Counts *all = &audit.all;

  for (; *paths; paths++)
    {
      audit.path = *paths;
      audit_file (&audit, release, jobs);
    }
  if (json)
    fb_cli_print ("{\"rows\":%u,\"failed\":%u,\"verdicts\":%u,\"realized\":%u,\"fused\":%u,\"unknown\":%u,"
                  "\"unreplayed\":%u,\"statements\":%u,\"false\":%u}\n",
                  all->rows, all->failed, all->verdicts, all->realized, all->fused, all->unknown, all->unreplayed,
                  all->statements, all->wrong);
  else
    fb_cli_print (_ ("audited %u rows, %u failed: %u verdicts (%u realized, %u fused), %u unknown; ledger and realizes "
                     "differ in %u rows; %u statements of what would fuse a node tried again, %u false\n"),
                  all->rows, all->failed, all->verdicts, all->realized, all->fused, all->unknown, all->unreplayed,
                  all->statements, all->wrong);
  return audit.status;
}

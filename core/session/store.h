/* A session file, open. One thread at a time. */
#pragma once

#include "core/capture/capture.h"
#include "core/explain/scenario.h"
#include "core/schedule.h"

typedef enum
{
  FB_SESSION_ERROR_OPEN,        /* missing, not a regular file, no permission, no folder */
  FB_SESSION_ERROR_NOT_SESSION, /* something else */
  FB_SESSION_ERROR_VERSION,     /* written by a later version of this program */
  FB_SESSION_ERROR_CORRUPT,     /* damaged or cut short */
  FB_SESSION_ERROR_READ_ONLY,   /* the file or its medium cannot be written */
  FB_SESSION_ERROR_FULL,        /* no room left */
  FB_SESSION_ERROR_LOCKED,      /* another program is writing it */
  FB_SESSION_ERROR_WRITE,       /* any other failure to write */
  FB_SESSION_ERROR_CAPTURE,     /* what was to be stored cannot be read */
} FbSessionError;
#define FB_SESSION_ERROR (fb_session_error_quark ())
GQuark fb_session_error_quark (void);

typedef struct _FbStore FbStore;

/* The version of files written now (`PRAGMA user_version`). */
guint fb_store_current_version (void);
/* TRUE when the first 100 bytes of a file, in @head, are those of a session. */
gboolean fb_store_sniff (const guint8 *head, gsize len);
/* The same for a file; FALSE also when it cannot be read. */
gboolean fb_store_is_session (const char *path);

typedef enum
{
  FB_STORE_READ,   /* nothing is written, not even beside it; files of earlier versions stay what they are */
  FB_STORE_SHARE,  /* read while another connection of this program writes it */
  FB_STORE_WRITE,  /* brought to the current version */
  FB_STORE_CREATE, /* made; must not exist */
} FbStoreMode;
FbStore *fb_store_open (const char *path, FbStoreMode mode, GError **error);
/* Nothing is left beside the file when this was the last one that had it open. */
void fb_store_free (FbStore *store);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FbStore, fb_store_free)
/* The file is of no more use: closing it need not bring it to the disk. */
void fb_store_abandon (FbStore *store);
const char *fb_store_path (const FbStore *store);
/* Of the file when it was opened. */
guint fb_store_version (const FbStore *store);

/* A change of several tables. Not nested. */
gboolean fb_store_begin (FbStore *store, GError **error);
gboolean fb_store_commit (FbStore *store, GError **error);
void fb_store_rollback (FbStore *store);

/* Every page read and its structure checked. FALSE with what is wrong. */
gboolean fb_store_check (FbStore *store, GError **error);
/* Writes all of it into @path as one closed file, in place of what may be there: made beside it, brought to the disk, then renamed,
 * so that @path is at any moment either the old file or the new one. No transaction may be open. */
gboolean fb_store_save_as (FbStore *store, const char *path, GError **error);

/* --- the capture --- */

typedef struct
{
  char *path;      /* where it was opened */
  gint64 size;     /* bytes of that file */
  gint64 modified; /* µs since 1970 */
  gboolean stored; /* its rows are in here */
} FbStoreCapture;
void fb_store_capture_clear (FbStoreCapture *capture);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (FbStoreCapture, fb_store_capture_clear)
/* Says where the capture of this session is from. */
gboolean fb_store_set_capture (FbStore *store, const FbStoreCapture *capture, GError **error);
/* TRUE with @capture zeroed when none was set. */
gboolean fb_store_get_capture (FbStore *store, FbStoreCapture *capture, GError **error);
/* Copies every row of @capture, byte by byte and with its number. A row that cannot be read becomes one that cannot. */
gboolean fb_store_put_rows (FbStore *store, FbCapture *capture, GCancellable *cancellable, GError **error);

/* --- where one is, and what one looks at: texts by name --- */

/* NULL when it is not there, or on error. */
char *fb_store_get_state (FbStore *store, const char *name, GError **error);
/* @value NULL: forgets it. */
gboolean fb_store_set_state (FbStore *store, const char *name, const char *value, GError **error);
/* name → value, both owned by the table. */
GHashTable *fb_store_get_states (FbStore *store, GError **error);

/* --- bookmarks and notes --- */

typedef struct
{
  FbRowKind kind;
  guint row;        /* from 1, among rows of that kind */
  guint pass, step; /* pass from 0; step from 0, the input of the pass */
} FbStorePlace;

typedef struct
{
  gint64 id; /* 0: not stored yet */
  FbStorePlace place;
  guint64 node;   /* KEY of the node it is about; 0: about the step. Bookmarks: 0 */
  char *text;     /* name of the bookmark, text of the note */
  gint64 changed; /* µs since 1970 */
} FbStoreMark;
FbStoreMark *fb_store_mark_copy (const FbStoreMark *mark);
void fb_store_mark_free (FbStoreMark *mark);

typedef enum
{
  FB_STORE_BOOKMARK,
  FB_STORE_NOTE,
} FbStoreMarkKind;
/* All, in the order they were made; of FbStoreMark. */
GPtrArray *fb_store_get_marks (FbStore *store, FbStoreMarkKind kind, GError **error);
/* Stores @mark under its id, which the caller chooses (from 1). */
gboolean fb_store_put_mark (FbStore *store, FbStoreMarkKind kind, const FbStoreMark *mark, GError **error);
gboolean fb_store_remove_mark (FbStore *store, FbStoreMarkKind kind, gint64 id, GError **error);

/* --- traces --- */

/* Writes the passes, steps, nodes, lineage, decisions and kernels of a scheduled row. A row that has been written is left as it is,
 * unless it was written by version 2: then the decisions and the figures of kernels are added. */
gboolean fb_store_put_trace (FbStore *store, FbRowKind kind, guint row, FbContext *context, const FbSchedule *schedule,
                             GCancellable *cancellable, GError **error);
gboolean fb_store_has_trace (FbStore *store, FbRowKind kind, guint row);

typedef struct
{
  char *rule;            /* its name */
  guint64 before, after; /* KEYs */
} FbStoreStep;
void fb_store_step_clear (FbStoreStep *step);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (FbStoreStep, fb_store_step_clear)
/* @place with a step from 1. FALSE with an error when it is not there. */
gboolean fb_store_get_step (FbStore *store, const FbStorePlace *place, FbStoreStep *step, GError **error);

typedef struct
{
  guint64 key;
  char *op, *dtype, *arg; /* as Python prints them */
  guint n_src;
  guint64 *src; /* KEYs */
} FbStoreNode;
void fb_store_node_clear (FbStoreNode *node);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (FbStoreNode, fb_store_node_clear)
gboolean fb_store_get_node (FbStore *store, guint64 key, FbStoreNode *node, GError **error);

/* --- differences that were looked at --- */

/* A line as it is shown. The meaning of the numbers is the caller's. */
typedef struct
{
  guint8 kind;
  guint32 old_line, new_line, pair;
  guint32 first_span, n_spans; /* of the spans */
  const char *text;            /* NULL: none, and then len is a number like the others */
  guint32 len;                 /* bytes */
} FbStoreDiffLine;

typedef struct
{
  guint32 n_removed, n_added, n_same;
  gboolean exact;
  guint n_lines, n_spans;
  FbStoreDiffLine *lines;
  guint32 (*spans)[2];
  GBytes *texts; /* what the texts of lines point into; NULL in what is put */
} FbStoreDiff;
/* Of the texts of two nodes and all below them, by their KEYs. One that is there stays. */
gboolean fb_store_put_diff (FbStore *store, guint64 before, guint64 after, const FbStoreDiff *diff, GError **error);
/* NULL when it is not there (no error), or on error. */
FbStoreDiff *fb_store_get_diff (FbStore *store, guint64 before, guint64 after, GError **error);
void fb_store_diff_free (FbStoreDiff *diff);

/* --- scenarios: a row under other options or choices, and what it cost --- */

typedef struct
{
  FbRowKind kind;
  guint row;            /* from 1, among rows of that kind */
  char *text;           /* "FUSE_ARANGE=1", one of its kind in a row; "" as captured */
  FbScenario *scenario; /* NULL: as captured */
  FbScheduleCost cost;
  char *name;     /* what a person calls it; NULL: nothing in particular */
  char *backend;  /* where its kernels were run last; NULL: nowhere */
  double seconds; /* that they took there */
} FbStoreScenario;
FbStoreScenario *fb_store_scenario_copy (const FbStoreScenario *scenario);
void fb_store_scenario_free (FbStoreScenario *scenario);
/* All, in the order they were stored; of FbStoreScenario. What this program does not know, such as an option of a later version, is
 * left out. */
GPtrArray *fb_store_get_scenarios (FbStore *store, GError **error);
/* In place of the one of the same row and text, if there is one. */
gboolean fb_store_put_scenario (FbStore *store, const FbStoreScenario *scenario, GError **error);
/* The one of the same row and text; nothing where there is none. */
gboolean fb_store_remove_scenario (FbStore *store, const FbStoreScenario *scenario, GError **error);
/* The same row and text. */
gboolean fb_store_scenario_matches (const FbStoreScenario *a, const FbStoreScenario *b);
/* Everything else, too, but what it costs, which follows from that. */
gboolean fb_store_scenario_equal (const FbStoreScenario *a, const FbStoreScenario *b);

/* --- layouts that a person asked for --- */

/* Where a card stands. */
typedef struct
{
  guint64 node; /* key of the card, as whoever stores it tells cards */
  float x, y;   /* px */
  guint32 layer;
} FbStorePlaced;

/* Of a pass: where the cards of one of its steps stand. */
typedef struct
{
  FbStorePlace place;
  guint side;     /* which graph of the step; the meaning of the number is the caller's */
  GArray *placed; /* of FbStorePlaced, by node */
} FbStoreLayout;
void fb_store_layout_free (FbStoreLayout *layout);
/* In place of what the pass had; with nothing placed: forgets it. */
gboolean fb_store_put_layout (FbStore *store, const FbStoreLayout *layout, GError **error);
/* All; of FbStoreLayout. NULL on error. */
GPtrArray *fb_store_get_layouts (FbStore *store, GError **error);

/* --- places of cards that were found: a blob, whose meaning is the caller's, by a number for what it follows from --- */

/* One that is there stays. */
gboolean fb_store_put_places (FbStore *store, guint64 digest, GBytes *data, GError **error);
/* NULL when they are not there (no error), or on error. */
GBytes *fb_store_get_places (FbStore *store, guint64 digest, GError **error);

/* --- what is inside, for people --- */

typedef struct
{
  guint version;
  gint64 bookmarks, notes, traces, passes, steps, nodes, kernels, decisions, diffs, layouts, scenarios;
} FbStoreCounts;
gboolean fb_store_count (FbStore *store, FbStoreCounts *counts, GError **error);

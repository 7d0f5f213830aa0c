/* Inside core/session. */
#pragma once

#include <sqlite3.h>

#include "store.h"

/* "Fuse", in the header of every session file (offset 68). */
#define FB_SESSION_APPLICATION_ID 0x46757365

struct _FbStore
{
  char *path;
  sqlite3 *db;
  FbStoreMode mode;
  guint version;
  GHashTable *statements; /* SQL literal → sqlite3_stmt, kept */
};

/* Sets the error from what SQLite says; "FILE cannot be written: no room is left (while DOING)". Returns FALSE. */
gboolean fb_store_fail (FbStore *store, const char *doing, GError **error);
/* One or more statements without parameters. */
gboolean fb_store_exec (FbStore *store, const char *sql, const char *doing, GError **error);
/* Ready to be bound; owned by the store. @sql: a literal. NULL with the error set. */
sqlite3_stmt *fb_store_prepare (FbStore *store, const char *sql, GError **error);
/* Runs it to its end and resets it. */
gboolean fb_store_done (FbStore *store, sqlite3_stmt *stmt, const char *doing, GError **error);
/* TRUE: a row is there. FALSE: none, or the error is set; the statement was reset. */
gboolean fb_store_row (FbStore *store, sqlite3_stmt *stmt, const char *doing, GError **error);
/* A number of a stranger's file, at least 0. */
guint fb_store_column_guint (sqlite3_stmt *stmt, int column);
gboolean fb_store_has_table (FbStore *store, const char *name);
/* Binds kind, row, pass and step to four parameters from @at. */
void fb_store_bind_place (sqlite3_stmt *stmt, int at, const FbStorePlace *place);

/* The first 64 bits of a node's key, as a number. */
guint64 fb_store_key_of (FbContext *context, FbUop *uop);
/* The ledger of a row, entry by entry. */
gboolean fb_store_put_decisions (FbStore *store, FbRowKind kind, guint row, FbContext *context,
                                 const FbSchedule *schedule, GCancellable *cancellable, GError **error);
/* The kernels of a row in run order, with what each costs, in place of those that are there. */
gboolean fb_store_put_kernels (FbStore *store, FbRowKind kind, guint row, FbContext *context,
                               const FbSchedule *schedule, GCancellable *cancellable, GError **error);

/* From whatever version to the current one, a transaction a version. */
gboolean fb_store_migrate (FbStore *store, GError **error);

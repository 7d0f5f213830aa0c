/* The rows of a process-replay database, read without writing anything beside it.
 *
 * Private to core/capture. The ladder: a file without a write-ahead log or journal is opened immutable; a live one
 * read-only, sharing the log; one whose log only a writer could recover is copied to a private folder and read there. */
#pragma once

#include "capture.h"

typedef struct
{
  FbRowInfo info;
  guint8 is_blob;
} FbDatabaseRow;

typedef struct _FbDatabase FbDatabase;

/* TRUE when @header (at least 16 bytes of a file) begins as SQLite files do. */
gboolean fb_database_sniff (const guint8 *header, gsize len);
/* Opens and lists; errors name the file. */
FbDatabase *fb_database_open (const char *path, GError **error);
void fb_database_free (FbDatabase *database);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FbDatabase, fb_database_free)
/* Of FbDatabaseRow, in rowid order. Borrowed. */
const GArray *fb_database_rows (FbDatabase *database, FbRowKind kind);
/* It is a session of this program's (core/session), which holds rows as captures do. */
gboolean fb_database_is_session (FbDatabase *database);
/* Where a session keeps the row of a bare pickle, or a whole VIZ trace; NULL for kernels, which are never bare. */
const char *fb_database_bare_table (FbRowKind kind);
/* The table the rows of a kind came from, NULL if there is none; and the N of its name. */
const char *fb_database_table (FbDatabase *database, FbRowKind kind);
/* -1 for a bare pickle's. */
int fb_database_version (FbDatabase *database, FbRowKind kind);
/* The value of a listed row. */
GBytes *fb_database_read (FbDatabase *database, FbRowKind kind, guint row, GError **error);

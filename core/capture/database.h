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
/* Of FbDatabaseRow, in rowid order; FB_ROW_SCHEDULE or FB_ROW_KERNEL. Borrowed. */
const GArray *fb_database_rows (FbDatabase *database, FbRowKind kind);
/* The table the rows of a kind came from, NULL if there is none; and the N of its name. */
const char *fb_database_table (FbDatabase *database, FbRowKind kind);
int fb_database_version (FbDatabase *database, FbRowKind kind);
/* The value of a listed row. */
GBytes *fb_database_read (FbDatabase *database, FbRowKind kind, guint row, GError **error);

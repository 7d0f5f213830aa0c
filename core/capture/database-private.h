/* Inside of a database: its connection and its tables. */
#pragma once

#include <sqlite3.h>

#include "database.h"

#define FB_DATABASE_KINDS 4

typedef struct
{
  char *name; /* NULL when the file has none */
  int version;
  GArray *rows;
  sqlite3_blob *blob; /* of the last read */
} FbDatabaseTable;

struct _FbDatabase
{
  char *path;
  char *copy_folder; /* of the private copy, NULL when the file itself is open */
  gboolean shared;   /* another program may be writing */
  gboolean session;
  sqlite3 *db;
  GStringChunk *keys;
  FbDatabaseTable tables[FB_DATABASE_KINDS];
};

/* Opens the file read-only, or a private copy of it where reading needs a recovery; `shared` and `session` are set. */
gboolean fb_database_connect (FbDatabase *database, GError **error);
/* Removes the private copy, if there is one. The connection is closed. */
void fb_database_remove_copy (FbDatabase *database);
/* What SQLite says went wrong while @doing. Gives FALSE. */
gboolean fb_database_fail (FbDatabase *database, const char *doing, GError **error);

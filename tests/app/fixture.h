/* Files for tests of the window: captures that are made up, folders of sessions. */
#pragma once

#include "util.h"

/* A temporary file with @content (NULL: empty); remove it and free its path. */
char *test_file_new (const char *content);
void test_run_sql (const char *path, const char *sql);
/* A database with the first row of a sample @n times. */
char *test_many_rows (const char *sample, guint n);

/* A folder for sessions, saved and private; one at a time. */
void test_folder_make (void);
/* With all that is in it. */
void test_folder_drop (void);
const char *test_folder_get (void);
/* Free with g_free. */
char *test_in_folder (const char *name);
/* Opens @path in a window whose private session is in the folder. */
FbWindow *test_open_in_folder (const char *path, const char *pass, guint step);
/* The private session is closed, or gone, when this returns. */
void test_close_session (FbWindow *window);
/* Runs the main loop until all is written down. */
void test_settle_session (FbWindow *window);
void test_save_as (FbWindow *window, const char *path);
FbSessionFile *test_session_of (FbWindow *window);

/* What the tests of sessions share. */
#pragma once

#include "core/session/session.h"

/* A folder of the test's own; test_folder_free removes it with what is inside. */
char *test_folder_new (void);
void test_folder_free (char *folder);
char *test_sample (const char *name);

/* A scheduled row of a sample. */
typedef struct
{
  FbCapture *capture;
  FbContext *context;
  FbCaptureRow *row;
  FbSchedule *schedule;
} TestRow;
void test_row_init (TestRow *row, const char *path);
void test_row_clear (TestRow *row);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (TestRow, test_row_clear)

/* Changes @count bytes of a file at @offset. */
void test_scribble (const char *path, gsize offset, gsize count);
/* A new session with the rows of the sample and the trace of the first, closed. */
char *test_session_new (const char *folder, const char *sample);

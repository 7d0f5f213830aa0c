/* Pictures, reports and text of what the window shows, made off the main loop. */
#pragma once

#include "app/document.h"

typedef enum
{
  FB_EXPORT_SVG,
  FB_EXPORT_PNG,
  FB_EXPORT_DOT,
  FB_EXPORT_HTML, /* the pass, step by step */
  FB_EXPORT_TEXT, /* the graph as Python prints it */
  FB_EXPORT_DIFF, /* what the step changed, or what is different since the step it is compared with, as text */
  FB_N_EXPORT_FORMATS
} FbExportFormat;

/* "svg" */
const char *fb_export_format_extension (FbExportFormat format);
/* The format that the name of @path ends in. FALSE: none. */
gboolean fb_export_format_of (const char *path, FbExportFormat *format);

/* Writes what is on the screen, or the pass, to @path; of two graphs side by side one picture with both. Progress and Cancel as for any work of the document. What was at @path stays
 * when it fails. */
void fb_document_export (FbDocument *doc, FbExportFormat format, const char *path, gboolean dark,
                         GAsyncReadyCallback done, gpointer data);
gboolean fb_document_export_finish (FbDocument *doc, GAsyncResult *result, GError **error);

/* @uops, of the view's graph, as text: each in a line, or, @deep, with everything it is made of, as Python prints it. */
void fb_document_print (FbDocument *doc, const GPtrArray *uops, gboolean deep, GAsyncReadyCallback done, gpointer data);
/* Free with g_free. */
char *fb_document_print_finish (FbDocument *doc, GAsyncResult *result, GError **error);

/* A table of a few columns whose cells are made from a row's number. For tables with nothing of their own. */
#pragma once

#include <gtk/gtk.h>

typedef struct
{
  const char *title; /* translated; NULL for none */
  int width;         /* px at the usual text size; 0: what is left; below 0: what its cells need */
  gboolean number;   /* sorted by value; right-aligned where the width is given */
  gboolean code;
} FbTableColumn;

typedef struct
{
  /* Free with g_free. */
  char *(*text) (guint row, guint column, gpointer data);
  /* What a number column sorts by. */
  double (*value) (guint row, guint column, gpointer data);
  gpointer data; /* outlives the table */
} FbTableCells;

#define FB_TYPE_TABLE (fb_table_get_type ())
G_DECLARE_FINAL_TYPE (FbTable, fb_table, FB, TABLE, GtkWidget)

/* Signals: `selected` (row): by the person; `activated` (row): Enter or a double click. @columns are copied, titles borrowed. */
GtkWidget *fb_table_new (const char *label, guint n_columns, const FbTableColumn *columns, const FbTableCells *cells);
/* All rows are new. */
void fb_table_set_n_rows (FbTable *table, guint n);
/* Without a signal. G_MAXUINT: none. */
void fb_table_select (FbTable *table, guint row);
/* G_MAXUINT: none. */
guint fb_table_get_selected (FbTable *table);
/* Without titles of columns. */
void fb_table_hide_head (FbTable *table);
void fb_table_show_column (FbTable *table, guint column, gboolean shown);

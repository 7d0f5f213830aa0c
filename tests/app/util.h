/* A window of the program itself, driven from a test. */
#pragma once

#include "app/window-private.h"

/* FALSE, and the test is skipped, when there is no display. */
gboolean test_has_display (void);
/* Path of a shipped sample; free with g_free. */
char *test_sample (const char *name);
/* A window of 1440×900 that shows @path (NULL: nothing) when this returns; close with test_close. */
FbWindow *test_open (const char *path, guint row, const char *pass, guint step);
void test_close (FbWindow *window);
/* The first widget of @type in @root, which may be itself; NULL: there is none. */
GtkWidget *test_find (GtkWidget *root, GType type);
/* Runs the main loop until all work is done. */
void test_settle (FbWindow *window);
/* Runs the main loop for that long. */
void test_wait (guint ms);
/* Activates win.@action and waits until everything is done. @parameter: as g_variant_parse reads it, or NULL. */
void test_do (FbWindow *window, const char *action, const char *parameter);
#define test_assert_at(window, p, s)                                      \
  G_STMT_START                                                            \
  {                                                                       \
    guint pass_, step_;                                                   \
    fb_document_get_position ((window)->doc, &pass_, &step_);             \
    g_assert_cmpuint (pass_, ==, p);                                      \
    g_assert_cmpuint (step_, ==, s);                                      \
    g_assert_cmpuint (fb_document_get_view ((window)->doc)->pass, ==, p); \
    g_assert_cmpuint (fb_document_get_view ((window)->doc)->step, ==, s); \
  }                                                                       \
  G_STMT_END
/* Removes it with what is in it. */
void test_remove_folder (const char *path);

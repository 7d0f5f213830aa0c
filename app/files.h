/* Files a person may want to open: the samples that come with Fusebox, and those opened lately. */
#pragma once

#include <gtk/gtk.h>

/* Paths of the shipped samples, by name; empty when they are not installed. Of char *. */
GPtrArray *fb_files_samples (void);
/* Paths opened lately, the latest first, at most @most; files that are gone are left out. Of char *. */
GPtrArray *fb_files_recent (guint most);
void fb_files_note_opened (const char *path);
/* What a sample shows, in a few words; NULL: nothing is known about the file. Static. */
const char *fb_files_sample_about (const char *path);
/* How a menu calls the file: its name, with its folder when another of @paths has the same name. Underscores are doubled, as menus
 * ask for. Free with g_free. */
char *fb_files_menu_name (const char *path, GPtrArray *paths);
/* "~/folder" of a file, for people. Free with g_free. */
char *fb_files_folder_name (const char *path);
/* What was chosen in a file chooser that answered with @response; NULL: nothing, or no local file. Free with g_free. */
char *fb_files_chosen (GtkNativeDialog *dialog, int response);

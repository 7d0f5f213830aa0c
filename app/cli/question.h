/* One row of a capture, scheduled and ready for questions: what `search` and `lineage` share. */
#pragma once

#include "core/query/query.h"

#include "cli-private.h"

typedef struct
{
  const char *path;
  FbContext *context;
  FbCaptureRow *row;
  FbSchedule *schedule; /* NULL: a row without passes */
  FbHistory *history;
  FbQueryIndex *index;
} FbQuestion;

/* The row that @rows names, or the only one. FALSE: the error was printed. */
gboolean fb_question_init (FbQuestion *question, FbCapture *capture, const FbCliRows *rows);
void fb_question_clear (FbQuestion *question);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (FbQuestion, fb_question_clear)

/* "VIEW float 64×64"; free with g_free. */
char *fb_question_describe (const FbQuestion *question, FbUop *uop);
/* "pass 1 simplify", "pass 5 views left of kernel 1"; free with g_free. */
char *fb_question_pass (const FbQuestion *question, guint pass);
/* Appends {"op":"VIEW","dtype":"float","shape":[64,64],"key":"6aec94726098872e"} without the braces. */
void fb_question_append_node (const FbQuestion *question, FbUop *uop, GString *json);
/* Appends "pass":1,"title":"simplify","kernel":0,"step":12. */
void fb_question_append_place (const FbQuestion *question, guint pass, guint step, GString *json);
/* Appends ,"rule":"movement-to-view","location":"schedule.py:77" for a rule. */
void fb_question_append_rule (const FbRule *rule, GString *json);

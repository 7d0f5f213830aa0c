/* Which pass, and which rewrite of it. */
#pragma once

#include "verify.h"

/* A kernel with what its arguments held before it ran. */
typedef struct
{
  const FbSchedule *schedule;
  const FbPlan *plan;
  guint kernel;
  guint8 *memory;
  const guint8 *before; /* of what it writes */
  const FbAgreeRule *rule;
  const FbEvaluatorLimits *limits;
  GCancellable *cancellable;
} FbVerifyPlace;

/* The verdict on an agreement. */
FbOutcome fb_outcome_of (const FbAgreement *agreement);
/* The pass of the kernel's own after which what it writes is no longer @want, @n elements of the buffer's; -1: none, the program
 * itself does. @step: the rewrite, from 1, or 0. */
int fb_verify_find_pass (const FbVerifyPlace *place, const guint8 *want, guint *step);
/* The first rewrite of @pass, from 1, before and after which values differ; 0: none. @evaluator has values for what the pass's graph
 * is made of. */
guint fb_verify_find_step (const FbPass *pass, FbEvaluator *evaluator, const FbVerifyPlace *place);
/* Elements of its buffer that an ASSIGN to @target writes, as fb_unfused_written() gives them. */
gint64 *fb_unfused_target (FbEvaluator *evaluator, FbUop *target, gint64 *n, GError **error);

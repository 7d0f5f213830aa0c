/* Do the kernels compute what the graph says?
 *
 * The same inputs go through the captured graph and through the kernels made of it. Every kernel's output is compared with the value
 * of the simplified graph, made from what earlier kernels wrote, so that a difference belongs to the kernel that shows it. Where there
 * is one, the graph is followed pass by pass from its simplified form into the kernel, to the first pass, and in it the first rewrite,
 * before and after which the numbers differ. Or the outputs are compared with those of another backend, run on the same inputs. */
#pragma once

#include "backends/run/agree.h"
#include "unfused.h"

typedef enum
{
  FB_OUTCOME_EQUAL,     /* the same bits */
  FB_OUTCOME_WITHIN,    /* within the bound of agree.h */
  FB_OUTCOME_NAN_ORDER, /* a MAX met a NaN: what it gives depends on the order (agree.h) */
  FB_OUTCOME_DIFFERENT,
  FB_OUTCOME_REFUSED, /* not compared: .why */
  FB_N_OUTCOMES
} FbOutcome;
/* "equal", "within", "nan-order", "different", "refused"; static text. */
const char *fb_outcome_name (FbOutcome outcome);

typedef struct
{
  FbOutcome outcome;
  FbAgreement agreement; /* a: the graph or the other backend; b: the backend */
  char *why;             /* of REFUSED; owned */
  guint buffer;          /* in the plan: what the kernel writes */
} FbVerifiedKernel;

typedef struct
{
  gboolean against_graph;
  FbBackend other;          /* the other backend, unless against the graph */
  FbRunOptions run;         /* of the backend; .after is not used */
  FbEvaluatorLimits limits; /* of the graph */
  /* Called after each kernel, from 0; FALSE stops. */
  gboolean (*after) (guint kernel, const FbVerifiedKernel *verified, gpointer user);
  gpointer user;
} FbVerifyOptions;

typedef struct
{
  GArray *kernels; /* of FbVerifiedKernel, by kernel */
  guint n_outcomes[FB_N_OUTCOMES];
  /* Against the graph: simplification, whole, from the inputs. */
  FbVerifiedKernel simplified;
  int kernel; /* the first whose output differs, -1: none */
  /* Where numbers differ first. */
  int pass;   /* of the schedule; -1: in no pass, or none differs */
  guint step; /* the rewrite, from 1; 0: it could not be told */
} FbVerification;

/* Runs @plan over @memory, filled. Uses the schedule's context. NULL: the run failed, or it was cancelled. */
FbVerification *fb_verify (const FbSchedule *schedule, const FbPlan *plan, FbMemory *memory,
                           const FbVerifyOptions *options, GCancellable *cancellable, GError **error);
void fb_verification_free (FbVerification *verification);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FbVerification, fb_verification_free)

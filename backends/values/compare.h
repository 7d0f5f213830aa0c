/* Two buffers of the same type and size, element by element. */
#pragma once

#include <gio/gio.h>

typedef struct
{
  gint64 element;
  double a, b;
  double abs, rel; /* rel: of the larger magnitude */
  guint64 ulp;     /* numbers of the type between them, + 1; of integers the difference */
} FbValueDifference;

#define FB_VALUE_WORST 16
/* Zeros of both signs are equal, and so are NaNs. What is NaN or infinite in one only, or of another sign, differs without a distance. */
typedef struct
{
  gint64 size, n_differ;
  gint64 n_special, n_special_differ; /* NaN or infinite in either; and then not the same in both */
  gint64 first;                       /* the first element that differs; -1: none */
  double max_abs, max_rel;
  guint64 max_ulp;
  gint64 at_abs, at_rel, at_ulp; /* elements; -1: none */
  guint n_worst;                 /* by ULP, the largest first; those without a distance before all others */
  FbValueDifference worst[FB_VALUE_WORST];
} FbValueComparison;

/* Of @n elements of @type. FALSE: cancelled. */
gboolean fb_compare (guint type, gint64 n, const guint8 *a, const guint8 *b, FbValueComparison *comparison,
                     GCancellable *cancellable);

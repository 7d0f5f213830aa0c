/* The tests behind a decision, in the order in which the scheduler makes them. */
#pragma once

#include "app/row-why.h"

/* Of FbWhyTest; empty for NULL, and where there was nothing to test. Free with g_array_unref. Worker only. */
GArray *fb_why_tests (const FbSchedule *schedule, const FbDecision *decision);

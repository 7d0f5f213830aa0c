/* The entry point libFuzzer calls, and replay.c without libFuzzer. */
#pragma once

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size);

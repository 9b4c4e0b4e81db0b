// SPDX-License-Identifier: Apache-2.0
// Tells memcheck that it knows nothing of these bytes.
#include <valgrind/memcheck.h>

void make_undefined(void *start, long count) { VALGRIND_MAKE_MEM_UNDEFINED(start, count); }

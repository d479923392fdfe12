// Marks the few functions that race on purpose: they read or write statistics that other threads may be writing.
//
// Aligned 32-bit loads and stores are atomic on every processor we build for, and a lost update of a statistic is
// repaired by the next visit. The thread sanitizer ignores these functions and no others.
#pragma once

#if defined(__GNUC__) || defined(__clang__)
#define TESUJI_BENIGN_RACE __attribute__((no_sanitize("thread")))
#else
#define TESUJI_BENIGN_RACE
#endif

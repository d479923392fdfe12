// For the few functions that read or write numbers which other threads may be writing.
//
// On every processor we build for, an aligned number of 32 bits is read and written whole. A stale one is as good as
// a visit that came a moment later, and the next visit rewrites it. So the thread sanitizer is told to look away
// there, and only there.
#pragma once

#if defined(__GNUC__) || defined(__clang__)
#define TESUJI_RACY_ON_PURPOSE __attribute__((no_sanitize("thread")))
#else
#define TESUJI_RACY_ON_PURPOSE
#endif

/* usage.c: the time that a machine uses. */
#pragma once

#include "vm.h"

uint64_t moon_monotonic_ns(void);
/* The processor's time stamp counter. A system call would cost twice as much as all other
 * bookkeeping of a call. */
static inline uint64_t moon_tick(void) {
#if defined(__x86_64__)
  return __builtin_ia32_rdtsc();
#elif defined(__aarch64__)
  uint64_t ticks;
  __asm__ volatile("mrs %0, cntvct_el0" : "=r"(ticks));
  return ticks;
#else
  return moon_monotonic_ns();
#endif
}
void moon_open_usage(moon_vm *vm);

/* Time used by a machine. Calls are timed with the processor's counter, which is cheap. Only a
 * query reads the system's clock, to convert ticks of the counter into nanoseconds. */
#include "usage.h"

#include <time.h>

uint64_t moon_monotonic_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

void moon_open_usage(moon_vm *vm) {
  vm->created_ns = moon_monotonic_ns();
  vm->first_tick = moon_tick();
}

moon_usage moon_vm_usage(const moon_vm *vm) {
  uint64_t ticks = moon_tick() - vm->first_tick;
  uint64_t nanoseconds = moon_monotonic_ns() - vm->created_ns;
  double tick = ticks > 0 ? (double)nanoseconds / (double)ticks : 0;
  return (moon_usage){.calls = vm->calls, .nanoseconds = (uint64_t)((double)vm->ticks * tick)};
}

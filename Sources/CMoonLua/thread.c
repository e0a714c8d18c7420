/* Threads for Lua to run on. */
#define _GNU_SOURCE
#include "watchdog.h"

#include <malloc.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/resource.h>

typedef struct {
  void (*body)(void *);
  void *context;
} thread_start;

static void *run_thread(void *context) {
  thread_start start = *(thread_start *)context;
  free(context);
  moon_watch_own_thread();
  start.body(start.context);
  return NULL;
}

/* malloc reserves 64 MB of address space for each thread's arena. Where that is limited, all
 * threads share one arena. This has to be said before the first thread starts. */
__attribute__((constructor)) static void spare_addresses(void) {
#ifdef M_ARENA_MAX
  struct rlimit limit;
  if (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY) mallopt(M_ARENA_MAX, 1);
#endif
}

bool moon_thread_start(size_t stack_bytes, void (*body)(void *), void *context) {
  thread_start *start = malloc(sizeof *start);
  pthread_attr_t attributes;
  pthread_t thread;
  if (start == NULL) return false;
  *start = (thread_start){body, context};
  pthread_attr_init(&attributes);
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  bool started = pthread_attr_setstacksize(&attributes, stack_bytes) == 0 &&
                 pthread_create(&thread, &attributes, run_thread, start) == 0;
  pthread_attr_destroy(&attributes);
  if (!started) free(start);
  return started;
}

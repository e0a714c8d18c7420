/* Threads for Lua to run on: with a stack of their own size, and in the C locale. Letters, numbers
 * and the order of strings would otherwise be those of the locale that a line editor has set. */
#define _GNU_SOURCE
#include "internal.h"

#include <malloc.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/resource.h>

__thread bool moon_thread_is_own;

static locale_t c_locale;
static void make_c_locale(void) { c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0); }

locale_t moon_c_locale(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, make_c_locale);
  return c_locale;
}

typedef struct {
  void (*body)(void *);
  void *context;
} thread_start;

static void *run_thread(void *context) {
  thread_start start = *(thread_start *)context;
  free(context);
  uselocale(moon_c_locale());
  moon_thread_is_own = true;
  start.body(start.context);
  return NULL;
}

/* An arena of malloc's reserves 64 MB of addresses for a thread. Where those are limited, all
 * threads share the first. */
static void spare_addresses(void) {
#ifdef M_ARENA_MAX
  struct rlimit limit;
  if (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY)
    mallopt(M_ARENA_MAX, 1);
#endif
}

bool moon_thread_start(size_t stack_bytes, void (*body)(void *), void *context) {
  thread_start *start = malloc(sizeof *start);
  pthread_attr_t attributes;
  pthread_t thread;
  if (start == NULL) return false;
  spare_addresses();
  *start = (thread_start){body, context};
  pthread_attr_init(&attributes);
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  bool started = pthread_attr_setstacksize(&attributes, stack_bytes) == 0 &&
                 pthread_create(&thread, &attributes, run_thread, start) == 0;
  pthread_attr_destroy(&attributes);
  if (!started) free(start);
  return started;
}

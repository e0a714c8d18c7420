/* Threads with a stack of their own size, for Lua to run on. */
#define _GNU_SOURCE
#include "internal.h"

#include <pthread.h>
#include <stdlib.h>

typedef struct {
  void (*body)(void *);
  void *context;
} thread_start;

static void *run_thread(void *context) {
  thread_start start = *(thread_start *)context;
  free(context);
  start.body(start.context);
  return NULL;
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

// Signals about the terminal, while a line is being read.

#include "medit_internal.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

// Most editors that read at the same time. Further ones get no signals.
enum { watchers_max = 8 };

enum { continued_index = 2, watched_count = 3 };
static const int watched[watched_count] = {SIGWINCH, SIGTSTP, SIGCONT};

// The descriptors of the pipes, each plus one so that 0 means none. Atomic because handlers read
// them.
static atomic_int watchers[watchers_max];
static struct sigaction previous[watched_count];
static int watching_count = 0;
static _Atomic(medit_stop_hook) before_stop;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

// The handler. Calls nothing but write, which is safe in a handler.
static void tell_watchers(int number) {
  int saved = errno;
  char byte = medit_wake_continued;
  if (number == SIGWINCH) byte = medit_wake_resized;
  if (number == SIGTSTP) byte = medit_wake_stop;
  for (int i = 0; i < watchers_max; i++) {
    int pipe = atomic_load(&watchers[i]);
    if (pipe == 0) continue;
    ssize_t ignored = write(pipe - 1, &byte, 1);
    (void)ignored;
  }
  // The program's own handler is told that the program goes on, too.
  if (number == SIGCONT) {
    void (*own)(int) = previous[continued_index].sa_handler;
    if (own != SIG_DFL && own != SIG_IGN) own(number);
  }
  errno = saved;
}

void medit_before_stop(medit_stop_hook hook) { atomic_store(&before_stop, hook); }

// Installs the handlers, except where the process was told to ignore a signal.
static void install(void) {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = tell_watchers;
  action.sa_flags = SA_RESTART;
  sigemptyset(&action.sa_mask);
  for (int i = 0; i < watched_count; i++) {
    sigaction(watched[i], NULL, &previous[i]);
    if (previous[i].sa_handler != SIG_IGN) sigaction(watched[i], &action, NULL);
  }
}

void medit_watch_signals(const medit *m) {
  pthread_mutex_lock(&mutex);
  if (watching_count == 0) install();
  watching_count += 1;
  for (int i = 0; i < watchers_max; i++) {
    int none = 0;
    if (atomic_compare_exchange_strong(&watchers[i], &none, m->wake[1] + 1)) break;
  }
  pthread_mutex_unlock(&mutex);
}

void medit_unwatch_signals(const medit *m) {
  pthread_mutex_lock(&mutex);
  for (int i = 0; i < watchers_max; i++) {
    int mine = m->wake[1] + 1;
    if (atomic_compare_exchange_strong(&watchers[i], &mine, 0)) break;
  }
  watching_count -= 1;
  for (int i = 0; i < watched_count && watching_count == 0; i++) {
    sigaction(watched[i], &previous[i], NULL);
  }
  pthread_mutex_unlock(&mutex);
}

bool medit_stop_process_group(void) {
  struct sigaction ours;
  sigaction(SIGTSTP, NULL, &ours);
  if (ours.sa_handler == SIG_IGN) return false;
  medit_stop_hook hook = atomic_load(&before_stop);
  if (hook != NULL) hook();
  struct sigaction plain;
  memset(&plain, 0, sizeof plain);
  sigemptyset(&plain.sa_mask);
  // Stops the other processes of the group first, while this one ignores the signal. Otherwise
  // another thread could receive it, and this thread would run on until the process stops.
  plain.sa_handler = SIG_IGN;
  sigaction(SIGTSTP, &plain, NULL);
  kill(0, SIGTSTP);
  plain.sa_handler = SIG_DFL;
  sigaction(SIGTSTP, &plain, NULL);
  // The thread of a dispatch queue blocks all signals, and what it raises would wait forever.
  sigset_t stop;
  sigset_t before;
  sigemptyset(&stop);
  sigaddset(&stop, SIGTSTP);
  pthread_sigmask(SIG_UNBLOCK, &stop, &before);
  raise(SIGTSTP);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  sigaction(SIGTSTP, &ours, NULL);
  return true;
}

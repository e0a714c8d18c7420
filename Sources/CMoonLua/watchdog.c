/* The watchdog ends calls into Lua that run too long, at no cost to those that don't.
 *
 * A count hook that is always on doubles the time of every script. Here a call only writes down
 * that it began. A thread of the watchdog's looks every few milliseconds; when the same call has
 * run longer than its budget, it signals the thread that runs Lua, and the handler, on that very
 * thread, arms a hook that raises at the next instruction and at each one after it.
 *
 * Some things that Lua does for a script have no next instruction for minutes: its compiler looks a
 * name up in all functions around it, its collector marks weak tables with the square of their
 * entries, os.date writes what a format of megabytes says. So when a killed call hasn't ended after
 * a grace, the handler leaves Lua in the middle of what it does, by a jump. Nothing that is
 * not Lua's is skipped: it jumps only where the signal has stopped the code of liblua itself, above
 * which there are only frames of Lua's and of this target's C, up to the door. What that code has
 * left half done is the machine's own memory, and nobody looks at that again. */
#define _GNU_SOURCE
#include "internal.h"

#include <errno.h>
#include <link.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <time.h>
#include <ucontext.h>

/* How often the watchdog looks while a call is under way: the error of a budget. */
#define TICK_MS 4
/* How long it goes on looking when nothing runs, before it sleeps until woken. */
#define IDLE_TICKS 64
/* Calls within calls, of several machines on one thread, whose times are told apart. */
#define NESTED_MAX 16
/* How long a killed call may take to end by itself: longer than a collection of a full machine. */
#define GRACE_MS 300

struct moon_watchdog {
  pthread_t thread;
  pthread_mutex_t lock;
  pthread_cond_t wake;
  bool stopping;
  _Atomic bool asleep;
  _Atomic uint64_t next_serial;
  /* The call under way. Written by the thread that runs Lua, read under `lock` by the watchdog:
   * moon_watch_end takes the lock when a kill is being delivered, so `vm` stays alive meanwhile. */
  _Atomic(moon_vm *) vm;
  _Atomic uint64_t serial;
  _Atomic uint64_t budget_ms;
  _Atomic uint32_t level; /* calls of other machines that wait for it; right while serial stays */
  uint64_t interrupted; /* serial of the call that a person has ended; under `lock` */
  _Atomic uint64_t delivering; /* serial of the call that is being killed */
  pthread_t lua_thread;
};

/* The machine whose call runs on this thread: all that the signal handler may look at. */
static __thread moon_vm *volatile running_vm;
/* Whether this thread lets the signal through. Threads of libdispatch, and those they start, block
 * it; asking the kernel at every call would cost more than the call. */
static __thread bool hears_signal;

static void hear_signal(void) {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGURG);
  pthread_sigmask(SIG_UNBLOCK, &signals, NULL);
  hears_signal = true;
}

static uint64_t now_ms(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (uint64_t)t.tv_sec * 1000 + (uint64_t)t.tv_nsec / 1000000;
}

/* The addresses of liblua's code; none when they aren't known apart from those of this target. */
static uintptr_t lua_code_start, lua_code_end;

static int find_code(struct dl_phdr_info *object, size_t size, void *context) {
  (void)size, (void)context;
  for (int i = 0; i < object->dlpi_phnum; i++) {
    const ElfW(Phdr) *part = &object->dlpi_phdr[i];
    uintptr_t start = object->dlpi_addr + part->p_vaddr, end = start + part->p_memsz;
    uintptr_t theirs = (uintptr_t)&lua_newstate, ours = (uintptr_t)&find_code;
    if (part->p_type != PT_LOAD || theirs < start || theirs >= end) continue;
    if (ours >= start && ours < end) return 1; /* one program with Lua in it */
    lua_code_start = start;
    lua_code_end = end;
    return 1;
  }
  return 0;
}

static void find_lua_code(void) { dl_iterate_phdr(find_code, NULL); }

/* Whether the signal has stopped the code of liblua itself: not what it calls, such as the
 * allocator, the C library or a function of this target's. */
static bool is_in_lua(const ucontext_t *context) {
#if defined(__x86_64__)
  uintptr_t at = (uintptr_t)context->uc_mcontext.gregs[REG_RIP];
#elif defined(__aarch64__)
  uintptr_t at = (uintptr_t)context->uc_mcontext.pc;
#else
  uintptr_t at = 0;
#endif
  return at >= lua_code_start && at < lua_code_end;
}

/* Runs on the thread that runs Lua, between any two of its instructions. lua_sethook is made to be
 * called so. */
static void on_signal(int number, siginfo_t *info, void *context) {
  (void)number, (void)info;
  int saved = errno;
  moon_vm *vm = running_vm;
  if (vm != NULL && moon_is_killed(vm) && vm->running != NULL) {
    moon_arm(vm->running);
    uint64_t now = now_ms();
    if (vm->kill_noticed_ms == 0) vm->kill_noticed_ms = now;
    if (now - vm->kill_noticed_ms >= GRACE_MS && is_in_lua(context)) {
      vm->abandoned = true;
      siglongjmp(vm->escape, 1);
    }
  }
  errno = saved;
}

moon_vm *moon_watch_pause(void) {
  moon_vm *paused = running_vm;
  running_vm = NULL;
  return paused;
}

void moon_watch_resume(moon_vm *paused) { running_vm = paused; }

/* The signal is blocked while it is handled, and the handler wasn't left by its end. */
void moon_watch_landed(void) { hear_signal(); }

/* With the lock held. */
static void deliver(moon_watchdog *w, uint64_t serial, moon_status reason) {
  atomic_store(&w->delivering, serial);
  moon_vm *vm = atomic_load(&w->vm);
  if (vm != NULL && atomic_load(&w->serial) == serial && atomic_load(&vm->serial) == serial) {
    if (atomic_load(&vm->killed_serial) != serial) atomic_store(&vm->kill_reason, reason);
    atomic_store(&vm->killed_serial, serial);
    pthread_kill(w->lua_thread, SIGURG);
  }
  atomic_store(&w->delivering, 0);
}

static void *watch(void *context) {
  moon_watchdog *w = context;
  /* By level, so that a call's time goes on after one within it. */
  uint64_t seen[NESTED_MAX] = {0}, since[NESTED_MAX] = {0};
  int idle = 0;
  pthread_mutex_lock(&w->lock);
  while (!w->stopping) {
    uint64_t serial = atomic_load(&w->serial);
    uint64_t budget = atomic_load(&w->budget_ms);
    uint32_t level = atomic_load(&w->level);
    if (level >= NESTED_MAX) level = NESTED_MAX - 1;
    if (serial != atomic_load(&w->serial)) {
      idle = 0; /* budget and level may be another call's */
    } else if (serial != 0) {
      if (serial != seen[level]) {
        seen[level] = serial;
        since[level] = now_ms();
      } else if (serial == w->interrupted) {
        deliver(w, serial, MOON_INTERRUPTED);
      } else if (budget != 0 && now_ms() - since[level] >= budget) {
        deliver(w, serial, MOON_TIMEOUT);
      }
      idle = 0;
    } else if (++idle > IDLE_TICKS) {
      idle = 0;
      atomic_store(&w->asleep, true);
      if (atomic_load(&w->serial) == 0) pthread_cond_wait(&w->wake, &w->lock);
      atomic_store(&w->asleep, false);
      continue;
    }
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_nsec += TICK_MS * 1000000;
    if (until.tv_nsec >= 1000000000) {
      until.tv_nsec -= 1000000000;
      until.tv_sec++;
    }
    pthread_cond_timedwait(&w->wake, &w->lock, &until);
  }
  pthread_mutex_unlock(&w->lock);
  return NULL;
}

moon_watchdog *moon_watchdog_new(void) {
  moon_watchdog *w = calloc(1, sizeof *w);
  if (w == NULL) return NULL;
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, find_lua_code);
  struct sigaction action = {.sa_sigaction = on_signal, .sa_flags = SA_RESTART | SA_SIGINFO};
  sigaction(SIGURG, &action, NULL);
  atomic_store(&w->next_serial, 1);
  pthread_mutex_init(&w->lock, NULL);
  pthread_condattr_t attributes;
  pthread_condattr_init(&attributes);
  pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
  pthread_cond_init(&w->wake, &attributes);
  pthread_condattr_destroy(&attributes);
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  int failed = pthread_create(&w->thread, NULL, watch, w);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  if (failed) {
    free(w);
    return NULL;
  }
  return w;
}

void moon_watchdog_free(moon_watchdog *w) {
  if (w == NULL) return;
  pthread_mutex_lock(&w->lock);
  w->stopping = true;
  pthread_cond_signal(&w->wake);
  pthread_mutex_unlock(&w->lock);
  pthread_join(w->thread, NULL);
  pthread_cond_destroy(&w->wake);
  pthread_mutex_destroy(&w->lock);
  free(w);
}

bool moon_watchdog_interrupt(moon_watchdog *w, void (*before)(void *), void *context) {
  pthread_mutex_lock(&w->lock);
  uint64_t serial = atomic_load(&w->serial);
  if (serial != 0 && before != NULL) before(context);
  if (serial != 0) {
    w->interrupted = serial;
    deliver(w, serial, MOON_INTERRUPTED);
  }
  pthread_mutex_unlock(&w->lock);
  return serial != 0;
}

void moon_watch_begin(moon_vm *vm, uint32_t budget_ms, moon_watch *outer) {
  moon_watchdog *w = vm->watchdog;
  if (!hears_signal) hear_signal();
  outer->vm = running_vm;
  vm->kill_noticed_ms = 0;
  running_vm = vm;
  if (w == NULL) {
    atomic_store_explicit(&vm->serial, 1, memory_order_relaxed);
    return;
  }
  outer->serial = atomic_load_explicit(&w->serial, memory_order_relaxed);
  outer->budget_ms = atomic_load_explicit(&w->budget_ms, memory_order_relaxed);
  if (outer->serial == 0)
    w->lua_thread = pthread_self();
  else
    atomic_fetch_add_explicit(&w->level, 1, memory_order_relaxed);
  uint64_t serial = atomic_fetch_add_explicit(&w->next_serial, 1, memory_order_relaxed);
  atomic_store_explicit(&vm->serial, serial, memory_order_relaxed);
  atomic_store_explicit(&w->vm, vm, memory_order_relaxed);
  atomic_store_explicit(&w->budget_ms, budget_ms, memory_order_relaxed);
  atomic_store_explicit(&w->serial, serial, memory_order_seq_cst);
  if (atomic_load_explicit(&w->asleep, memory_order_seq_cst)) {
    pthread_mutex_lock(&w->lock);
    pthread_cond_signal(&w->wake);
    pthread_mutex_unlock(&w->lock);
  }
}

void moon_watch_end(moon_vm *vm, const moon_watch *outer) {
  moon_watchdog *w = vm->watchdog;
  atomic_store_explicit(&vm->serial, 0, memory_order_relaxed);
  running_vm = outer->vm;
  if (w == NULL) return;
  atomic_store_explicit(&w->vm, outer->vm, memory_order_relaxed);
  atomic_store_explicit(&w->budget_ms, outer->budget_ms, memory_order_relaxed);
  atomic_store_explicit(&w->serial, outer->serial, memory_order_seq_cst);
  if (outer->serial != 0) atomic_fetch_sub_explicit(&w->level, 1, memory_order_relaxed);
  if (atomic_load_explicit(&w->delivering, memory_order_seq_cst) != 0) {
    pthread_mutex_lock(&w->lock); /* until the watchdog has let go of this machine */
    pthread_mutex_unlock(&w->lock);
  }
}

/* ---- Threads with a stack of their own size ---- */

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

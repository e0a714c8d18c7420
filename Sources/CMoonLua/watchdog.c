/* The watchdog ends calls into Lua that run too long, at no cost to those that don't.
 *
 * A permanent count hook would double the time of every script. Here a call only records that it
 * has begun. The watchdog's thread checks every few milliseconds. When a call has exceeded its
 * budget, the thread signals the one that runs Lua, and the signal handler arms a hook that raises
 * an error at the next instruction and at each one after it.
 *
 * Some of Lua's own work takes minutes without reaching another instruction: the compiler looks a
 * name up in all enclosing functions, the collector visits ephemeron tables with the square of
 * their entries, os.date expands a format of megabytes. A killed call that hasn't ended after a
 * grace period is therefore abandoned: the handler jumps out of it. The jump skips frames of liblua
 * and of this target only. It is made when the signal has interrupted code of liblua, and never
 * while a callback in Swift is running. The state that it leaves inconsistent is the machine's own
 * memory, which is never used again. */
#define _GNU_SOURCE
#include "watchdog.h"
#include "quota.h"
#include "usage.h"

#include <link.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <time.h>
#include <ucontext.h>

/* Checks without a call under way before the watchdog sleeps until it is woken. */
#define IDLE_LOOKS 64
/* Most intervals that the time between two checks counts as. A longer gap means that the process
 * was stopped; a budget is time in which the call could run. */
#define LATE_LOOKS 10
/* Nested calls, of several machines on one thread, whose times are kept apart. */
#define NESTED_MAX 16

struct moon_watchdog {
  pthread_t thread;
  pthread_mutex_t lock;
  pthread_cond_t wake;
  uint64_t interval_us, grace_us;
  bool stopping;
  _Atomic bool asleep;
  _Atomic uint64_t next_serial;
  /* The call under way. The thread that runs Lua writes these; the watchdog reads them under
   * `lock`. moon_watch_end waits for the lock while a kill is being delivered, which keeps `vm`
   * alive. */
  _Atomic(moon_vm *) vm;
  _Atomic uint64_t serial;
  _Atomic uint64_t budget_ms;
  _Atomic uint32_t level; /* number of outer calls; valid while serial is unchanged */
  uint64_t interrupted;   /* call to interrupt, by serial; protected by `lock` */
  /* The clock of budgets, which stands still while the process is stopped, and when it was moved
   * on; who wants it to run without a call. Protected by `lock`. */
  uint64_t clock_us, last_us;
  int holders;
  _Atomic uint64_t delivering; /* call being killed, by serial */
  pthread_t lua_thread;
};

/* The machine whose call runs on this thread. The signal handler uses nothing else. */
static __thread moon_vm *volatile running_vm;
/* Active Swift callbacks on this thread; only debug builds count them. */
static __thread volatile int swift_frames;
/* Whether this thread was prepared for good, which spares each call from doing it. */
static __thread bool is_own_thread;
/* Whether this thread has unblocked the signal. Threads of libdispatch, and those they start, block
 * it. A system call for each call into Lua would cost more than the call. */
static __thread bool hears_signal;

static void hear_signal(void) {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGURG);
  pthread_sigmask(SIG_UNBLOCK, &signals, NULL);
  hears_signal = true;
}

/* In Lua, character classes, numbers and the order of strings always follow the C locale, whatever
 * locale a line editor or another part of the program has set. */
static locale_t c_locale;

static void make_c_locale(void) { c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0); }

locale_t moon_watch_set_locale(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  if (is_own_thread) return (locale_t)0;
  pthread_once(&once, make_c_locale);
  return uselocale(c_locale);
}

void moon_watch_restore_locale(locale_t locale) {
  if (locale != (locale_t)0) uselocale(locale);
}

void moon_watch_own_thread(void) {
  hear_signal();
  moon_watch_set_locale();
  is_own_thread = true;
}

static void prepare_thread(moon_watch *outer) {
  if (!hears_signal) hear_signal();
  outer->locale = moon_watch_set_locale();
}

void moon_count_swift_frame(int change) { swift_frames += change; }

/* ---- The signal ---- */

/* Address range of liblua's code; empty if Lua is linked into the program itself. */
static uintptr_t lua_code_start, lua_code_end;

static int find_code(struct dl_phdr_info *object, size_t size, void *context) {
  (void)size, (void)context;
  for (int i = 0; i < object->dlpi_phnum; i++) {
    const ElfW(Phdr) *part = &object->dlpi_phdr[i];
    uintptr_t start = object->dlpi_addr + part->p_vaddr, end = start + part->p_memsz;
    uintptr_t theirs = (uintptr_t)&lua_newstate, ours = (uintptr_t)&find_code;
    if (part->p_type != PT_LOAD || theirs < start || theirs >= end) continue;
    if (ours >= start && ours < end) return 1; /* linked statically */
    lua_code_start = start;
    lua_code_end = end;
    return 1;
  }
  return 0;
}

static void find_lua_code(void) { dl_iterate_phdr(find_code, NULL); }

static void locate_lua_code(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, find_lua_code);
}

/* The address of the interrupted instruction; 0 on other processors. */
static uintptr_t stopped_at(const ucontext_t *context) {
#if defined(__x86_64__)
  return (uintptr_t)context->uc_mcontext.gregs[REG_RIP];
#elif defined(__aarch64__)
  return (uintptr_t)context->uc_mcontext.pc;
#else
  (void)context;
  return 0;
#endif
}

bool moon_watchdog_can_abandon(void) {
#if defined(__x86_64__) || defined(__aarch64__)
  locate_lua_code();
  return lua_code_start < lua_code_end;
#else
  return false;
#endif
}

/* Checks invariant 3 of Sources/README.md against the count of the callbacks themselves. */
static void check_no_swift_above(const moon_vm *vm) {
#ifdef DEBUG
  if (swift_frames != vm->swift_frames) abort();
#else
  (void)vm;
#endif
}

/* Runs on the thread that runs Lua, between any two machine instructions. lua_sethook may be called
 * there. */
static void on_signal(int number, siginfo_t *info, void *context) {
  (void)number, (void)info;
  moon_vm *vm = running_vm;
  if (vm == NULL || vm->abandoned || !moon_is_killed(vm)) return;
  if (vm->in_host) {
    vm->must_arm = true;
    return;
  }
  uintptr_t at = stopped_at(context);
  moon_arm(vm->running);
  if (atomic_load(&vm->abandon_serial) != atomic_load(&vm->serial)) return;
  if (at < lua_code_start || at >= lua_code_end) return;
  check_no_swift_above(vm);
  vm->abandoned = true;
  siglongjmp(vm->escape, 1);
}

/* The handler didn't return, so the signal is still blocked. */
void moon_watch_abandoned(void) { hear_signal(); }

/* ---- The watchdog's thread ---- */

static uint64_t now_us(void) { return moon_monotonic_ns() / 1000; }

/* Kills the call, unless it has ended. Requires the lock. */
static void deliver(moon_watchdog *w, uint64_t serial, moon_status reason, bool may_abandon) {
  atomic_store(&w->delivering, serial);
  moon_vm *vm = atomic_load(&w->vm);
  if (vm != NULL && atomic_load(&w->serial) == serial && atomic_load(&vm->serial) == serial) {
    if (atomic_load(&vm->killed_serial) != serial) atomic_store(&vm->kill_reason, reason);
    atomic_store(&vm->killed_serial, serial);
    if (may_abandon) atomic_store(&vm->abandon_serial, serial);
    pthread_kill(w->lua_thread, SIGURG);
  }
  atomic_store(&w->delivering, 0);
}

/* The call last seen at a nesting level. The time of a call includes the calls within it. */
typedef struct {
  uint64_t serial, since_us;
  bool is_killed;
  uint64_t killed_us;
} sighting;

/* Checks the call under way at the time `clock_us`. Requires the lock. */
static void look(moon_watchdog *w, sighting *sightings, uint64_t clock_us) {
  uint64_t serial = atomic_load(&w->serial);
  uint64_t budget = atomic_load(&w->budget_ms) * 1000;
  uint32_t level = atomic_load(&w->level);
  if (serial != atomic_load(&w->serial)) return; /* budget and level may belong to another call */
  sighting *s = &sightings[level < NESTED_MAX ? level : NESTED_MAX - 1];
  if (s->serial != serial) {
    *s = (sighting){.serial = serial, .since_us = clock_us};
    return;
  }
  bool is_interrupted = serial == w->interrupted;
  bool is_late = budget != 0 && clock_us - s->since_us >= budget;
  if (!s->is_killed && !is_interrupted && !is_late) return;
  if (!s->is_killed) s->killed_us = clock_us;
  s->is_killed = true;
  deliver(w, serial, is_interrupted ? MOON_INTERRUPTED : MOON_TIMEOUT,
          clock_us - s->killed_us >= w->grace_us);
}

/* The time since the clock was moved on, as far as it counts. Requires the lock. */
static uint64_t passed_us(const moon_watchdog *w, uint64_t now) {
  uint64_t passed = now - w->last_us, late = LATE_LOOKS * w->interval_us;
  return passed < late ? passed : late;
}

/* Waits for the next check and moves the clock on. Requires the lock. */
static void wait_interval(moon_watchdog *w) {
  uint64_t until_us = w->last_us + w->interval_us;
  struct timespec until = {.tv_sec = (time_t)(until_us / 1000000),
                           .tv_nsec = (long)(until_us % 1000000) * 1000};
  pthread_cond_timedwait(&w->wake, &w->lock, &until);
  uint64_t now = now_us();
  w->clock_us += passed_us(w, now);
  w->last_us = now;
}

static void *watch(void *context) {
  moon_watchdog *w = context;
  sighting sightings[NESTED_MAX] = {0};
  int idle = 0;
  pthread_mutex_lock(&w->lock);
  w->last_us = now_us();
  while (!w->stopping) {
    if (atomic_load(&w->serial) != 0) {
      look(w, sightings, w->clock_us);
      idle = 0;
    } else if (w->holders == 0 && ++idle > IDLE_LOOKS) {
      atomic_store(&w->asleep, true);
      if (atomic_load(&w->serial) == 0) pthread_cond_wait(&w->wake, &w->lock);
      atomic_store(&w->asleep, false);
      if (w->holders == 0) w->last_us = now_us();
      idle = 0;
      continue;
    }
    wait_interval(w);
  }
  pthread_mutex_unlock(&w->lock);
  return NULL;
}

static bool start_watching(moon_watchdog *w) {
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  bool started = pthread_create(&w->thread, NULL, watch, w) == 0;
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  return started;
}

moon_watchdog *moon_watchdog_new(uint32_t interval_us, uint32_t grace_ms) {
  moon_watchdog *w = calloc(1, sizeof *w);
  if (w == NULL) return NULL;
  locate_lua_code();
  struct sigaction action = {.sa_sigaction = on_signal, .sa_flags = SA_RESTART | SA_SIGINFO};
  sigaction(SIGURG, &action, NULL);
  w->interval_us = interval_us;
  w->grace_us = (uint64_t)grace_ms * 1000;
  atomic_store(&w->next_serial, 1);
  pthread_mutex_init(&w->lock, NULL);
  pthread_condattr_t attributes;
  pthread_condattr_init(&attributes);
  pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
  pthread_cond_init(&w->wake, &attributes);
  pthread_condattr_destroy(&attributes);
  if (start_watching(w)) return w;
  free(w);
  return NULL;
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
    deliver(w, serial, MOON_INTERRUPTED, false);
  }
  pthread_mutex_unlock(&w->lock);
  return serial != 0;
}

uint64_t moon_watchdog_clock_us(moon_watchdog *w) {
  pthread_mutex_lock(&w->lock);
  uint64_t clock = w->clock_us;
  if (!atomic_load(&w->asleep) || w->holders > 0) clock += passed_us(w, now_us());
  pthread_mutex_unlock(&w->lock);
  return clock;
}

void moon_watchdog_hold_clock(moon_watchdog *w, int change) {
  pthread_mutex_lock(&w->lock);
  w->holders += change;
  if (atomic_load(&w->asleep)) {
    if (w->holders == 1 && change > 0)
      w->last_us = now_us(); /* it runs from now on, whenever the thread wakes */
    pthread_cond_signal(&w->wake);
  }
  pthread_mutex_unlock(&w->lock);
}

/* ---- Entry and exit of a call ---- */

void moon_watch_begin(moon_vm *vm, uint32_t budget_ms, moon_watch *outer) {
  moon_watchdog *w = vm->watchdog;
  outer->locale = (locale_t)0;
  if (!is_own_thread) prepare_thread(outer);
  outer->vm = running_vm;
  vm->swift_frames = swift_frames;
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
  /* No other thread writes it, so that no locked instruction is needed. */
  uint64_t serial = atomic_load_explicit(&w->next_serial, memory_order_relaxed);
  atomic_store_explicit(&w->next_serial, serial + 1, memory_order_relaxed);
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
  moon_watch_restore_locale(outer->locale);
  if (w == NULL) return;
  atomic_store_explicit(&w->vm, outer->vm, memory_order_relaxed);
  atomic_store_explicit(&w->budget_ms, outer->budget_ms, memory_order_relaxed);
  atomic_store_explicit(&w->serial, outer->serial, memory_order_seq_cst);
  if (outer->serial != 0) atomic_fetch_sub_explicit(&w->level, 1, memory_order_relaxed);
  if (atomic_load_explicit(&w->delivering, memory_order_seq_cst) != 0) {
    pthread_mutex_lock(&w->lock); /* until the watchdog is done with this machine */
    pthread_mutex_unlock(&w->lock);
  }
}

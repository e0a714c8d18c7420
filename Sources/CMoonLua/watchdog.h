/* watchdog.c: the thread that ends calls that run too long. */
#pragma once

#include <locale.h>

#include "vm.h"

typedef struct {
  moon_vm *vm;
  uint64_t serial;
  uint64_t budget_ms;
  locale_t locale; /* to be restored; 0 if the thread keeps the C locale */
} moon_watch;
/* Prepares the calling thread for good: it receives the signal and has the C locale. */
void moon_watch_own_thread(void);
/* Sets the calling thread's locale to C. Returns the one to restore, or 0. */
locale_t moon_watch_set_locale(void);
void moon_watch_restore_locale(locale_t locale);
/* Entry and exit of a call. `outer` holds the call that was under way on this thread. */
void moon_watch_begin(moon_vm *vm, uint32_t budget_ms, moon_watch *outer);
void moon_watch_end(moon_vm *vm, const moon_watch *outer);
/* Called where the jump out of an abandoned call lands. */
void moon_watch_abandoned(void);

/* The machine, which all files of this target know. No other header includes Lua's. */
#pragma once

#include <lauxlib.h>
#include <lua.h>
#include <lualib.h>
#include <setjmp.h>
#include <stdatomic.h>
#include <string.h>

#include "CMoonLua.h"

/* Registry keys: the addresses of these bytes. */
extern char moon_key_globals;    /* the globals before any script ran, for the host's libraries */
extern char moon_key_list;       /* metatable that marks a table as a list */
extern char moon_key_libraries;  /* table: library name -> its result */
extern char moon_key_context;    /* table that registrations get as `self` */
extern char moon_key_console;    /* environment of evaluated text */
extern char moon_key_killed;     /* error value of a killed call, as light userdata */
extern char moon_key_order;      /* sorted keys of the table that `next` traverses */
extern char moon_key_metatables; /* set of all tables that scripts use as metatables */
extern char moon_key_effect;     /* function that calls an effect and handles its results */
extern char moon_key_secret;     /* metatable of secrets */
extern char moon_key_refusal;    /* function that raises the error of a service */
extern char moon_key_loaded;     /* table `package.loaded` of scripts */
extern char moon_key_preload;    /* table `package.preload` */
extern char moon_key_shown;      /* function that makes a text of any value */
extern char moon_key_refused;    /* metatable of the errors of moon.refuse */
extern char moon_key_wait;       /* mark of a coroutine that waits, as light userdata */

/* Size classes of the machine's pool. Larger blocks than their product come from malloc. The
 * entries of a table with 16 of them are the largest block of the pool. */
#define MOON_POOL_GRAIN 16
#define MOON_POOL_CLASSES 24

/* Header of each block that Lua has from malloc. The list of headers is what frees the blocks of an
 * abandoned machine. */
typedef struct moon_block {
  struct moon_block *next, *previous;
} moon_block;

/* A coroutine that resumed another one. */
typedef struct moon_resumer {
  lua_State *L;
  struct moon_resumer *outer;
} moon_resumer;

struct moon_vm {
  lua_State *main;
  lua_State *volatile running; /* coroutine that runs: a kill arms its hook there */
  lua_State *task;             /* coroutine of the task that runs; NULL for none. See tasks.c */
  moon_resumer *resumer;       /* chain of coroutines that resumed `running` */
  moon_callbacks callbacks;
  void *context;
  moon_watchdog *watchdog;

  size_t memory, memory_peak;
  uint8_t *pool; /* see memory.c; NULL until first use */
  size_t pool_used;
  void *pool_free[MOON_POOL_CLASSES]; /* free lists, linked through the blocks */
  moon_block *blocks;                 /* Lua's blocks outside the pool */
  size_t quota;                       /* 0: none; without what other machines use of a shared one */
  size_t quota_max;                   /* the same with it */
  size_t *shared;         /* memory of all machines that share the quota; NULL if none does */
  size_t shared_part;     /* this machine's part of it, as of its last call */
  size_t fresh_memory;    /* memory in use before any script ran, which isn't shared */
  size_t alarm_level;     /* memory use from which the allocator reports growth */
  size_t collect_level;   /* memory use that is due for a collection; SIZE_MAX: Lua decides */
  size_t block_max;       /* largest block that raises no alarm */
  size_t nodes_max;       /* most elements of one encoded value */
  size_t host_memory;     /* part of `memory` that the host holds for this call */
  size_t growth_memory;   /* part of `host_memory` that drafts have grown by */
  bool is_alarmed;        /* a collection is due at the next safe point */
  bool is_full;           /* the quota was exceeded: the collection must free enough */
  bool growth_refused;    /* a buffer was refused growth */
  bool is_recorded;       /* the error under way is in `message` and `frames` */
  bool is_memory_error;   /* the error under way was one of memory, in a coroutine */
  bool failed_with_value; /* the results of the call are the table that it raised */
  bool is_refusal;        /* the error under way is one of moon.refuse */
  int closing;            /* depth of nested coroutine.close */
  int library_count;      /* libraries required so far */
  uint64_t allocations, fail_allocation;
  bool fail_after;

  uint64_t calls, ticks;           /* completed calls and their time; see usage.c */
  uint64_t first_tick, created_ns; /* time of creation on both clocks */

  uint64_t epoch;     /* handle of draft 0 in the epoch of live drafts; see items.c */
  const void *null;   /* moon.null, a full userdata */
  int null_reference; /* of moon.null, in the registry */
  const moon_call *call;
  struct moon_entry *entry; /* arguments of the call; see machine.c */
  uint64_t random[2];       /* generator state within a pure call */
  uint64_t host_random[2];  /* and outside of one */
  bool refuses_clocks;      /* also outside of one */

  _Atomic uint64_t serial;         /* current call; 0 when idle */
  _Atomic uint64_t killed_serial;  /* call that must end */
  _Atomic int kill_reason;         /* moon_status */
  _Atomic uint64_t abandon_serial; /* call that may be abandoned within liblua */
  bool dead;
  bool abandoned;    /* left within liblua; the lua_State is never used again */
  sigjmp_buf escape; /* target of abandoning */
  /* Whether a callback in Swift is running. The signal handler then only sets `must_arm`. */
  volatile bool in_host;
  volatile bool must_arm; /* the hook is armed when the callback returns */
  int swift_frames;       /* callbacks active below this call; debug builds check it */

  /* Traversal by `next`: number of sorted keys, position of the last one returned. */
  size_t order_count, order_position;

  moon_buffer scratch, reply, message, frames;
  char failure[MOON_MESSAGE_MAX];
  size_t failure_length;
};

static inline moon_vm *moon_vm_of(lua_State *L) { return *(moon_vm **)lua_getextraspace(L); }
static inline bool moon_is_killed(moon_vm *vm) {
  return atomic_load_explicit(&vm->killed_serial, memory_order_relaxed) != 0 &&
         atomic_load_explicit(&vm->killed_serial, memory_order_relaxed) ==
             atomic_load_explicit(&vm->serial, memory_order_relaxed);
}

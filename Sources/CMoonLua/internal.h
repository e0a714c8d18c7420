/* What the files of this target share. The only header that includes Lua's. */
#ifndef MOON_INTERNAL_H
#define MOON_INTERNAL_H

#include <lauxlib.h>
#include <locale.h>
#include <lua.h>
#include <lualib.h>
#include <setjmp.h>
#include <stdatomic.h>
#include <string.h>

#include "CMoonLua.h"

/* What errors call the text of the library `moonwire`. */
#define MOON_PRELUDE "@moonwire"

/* Keys of the registry: addresses of these bytes. */
extern char moon_key_list;     /* metatable that marks a table as a list */
extern char moon_key_libraries; /* name -> what require answered */
extern char moon_key_context;   /* what registrations get as `self` */
extern char moon_key_console;  /* environment of evaluated text */
extern char moon_key_null;     /* its address is moon.null */
extern char moon_key_killed;   /* its address is the error of a killed call */
extern char moon_key_order;    /* sorted keys of the table that `next` walks */
extern char moon_key_metatables; /* set of the tables that scripts have made metatables */

/* Blocks up to their product come from the machine's pool. */
#define MOON_POOL_GRAIN 16
#define MOON_POOL_CLASSES 8

/* So many drafts of a call have a place of their own in the registry: most calls make no more. */
#define MOON_NEAR_DRAFTS 8

/* Stands before each block of Lua's that malloc gave: an abandoned machine's are freed by them. */
typedef struct moon_block {
  struct moon_block *next, *previous;
} moon_block;

struct moon_vm {
  lua_State *main;
  lua_State *volatile running; /* the coroutine that runs: where a kill arms its hook */
  moon_callbacks callbacks;
  void *context;
  moon_watchdog *watchdog;

  size_t memory, memory_peak;
  uint8_t *pool; /* see memory.c; NULL until it is needed */
  size_t pool_used;
  void *pool_free[MOON_POOL_CLASSES]; /* by size; each free block begins with the next one */
  moon_block *blocks; /* those of Lua's that aren't in the pool */
  size_t quota;       /* 0: none */
  size_t alarm_level; /* use above which the allocator asks whether to sound the alarm */
  size_t collect_level; /* use above which garbage is collected; SIZE_MAX while Lua does that */
  size_t block_max;   /* a block larger than that sounds the alarm */
  size_t nodes_max;   /* elements in one crossing value */
  uint64_t written;   /* bytes that have gone into drafts, roughly */
  size_t host_memory; /* the part of `memory` that the host holds until the call ends */
  size_t growth_memory; /* the part of that which drafts have grown by */
  bool is_alarmed;    /* a collection is due at the next safe point */
  bool is_full;       /* it was due since the quota was passed: it must free enough */
  bool is_over;       /* a buffer wasn't allowed to grow */
  int closing;        /* coroutines being closed, one within the other */
  int library_count;  /* required so far */
  uint64_t allocations, fail_allocation;
  bool fail_after;

  uint64_t calls, ticks;       /* that have ended; see usage.c */
  uint64_t first_tick, born_ns; /* when the machine was made, on both clocks */

  uint64_t epoch;      /* of live drafts */
  uint32_t draft_mark; /* above all drafts that this epoch has given to Lua */
  /* In the registry, by number, as those are looked up at each draft. */
  int near_drafts[MOON_NEAR_DRAFTS]; /* userdata of the first drafts */
  int drafts_reference;              /* index + 1 -> userdata of another draft */
  int draft_metatable_reference;     /* what makes a userdata look like a table */
  const moon_call *call;
  struct moon_entry *entry; /* what the call does; see machine.c */
  uint64_t random[2];      /* of the pure call under way */
  uint64_t host_random[2]; /* outside */

  _Atomic uint64_t serial;        /* of the call under way; 0 when idle */
  _Atomic uint64_t killed_serial; /* the call that shall end */
  _Atomic int kill_reason;        /* moon_status */
  _Atomic uint64_t abandon_serial; /* the call that may be left in the middle of Lua's code */
  bool dead;
  /* Lua's own code was left in the middle of something; its state is never looked at again. */
  bool abandoned;
  sigjmp_buf escape; /* where abandoning it leads to */
  /* Whether a callback in Swift is under way. The signal handler only sets `must_arm` then. */
  volatile bool in_host;
  volatile bool must_arm; /* a hook is due when the callback has returned */
  int swift_frames;       /* callbacks below the door, for the check in debug builds */

  /* `next` on plain tables: the keys in order, and the one it stands on. */
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

/* [-0, +0, -] Calls a function of the host's. `in_host` is set meanwhile: there are frames of
 * Swift above the door, and nothing may jump over them. */
#define moon_ask(vm, function, ...) \
  (moon_enter_host(vm),             \
   moon_leave_host(vm, (vm)->callbacks.function((vm)->context, __VA_ARGS__)))
void moon_arm(lua_State *L);
static inline void moon_enter_host(moon_vm *vm) { vm->in_host = true; }
static inline int moon_leave_host(moon_vm *vm, int status) {
  vm->in_host = false;
  if (vm->must_arm) {
    vm->must_arm = false;
    moon_arm(vm->running);
  }
  return status;
}

/* memory.c */
void *moon_allocate(void *vm, void *block, size_t old_size, size_t new_size);
/* Frees all that Lua still has, the pool included: after lua_close, or instead of it. */
void moon_free_all(moon_vm *vm);

/* quota.c: memory. A machine's allocator always grants; too much use ends the call at the next
 * place where that is safe. */
void moon_set_quota(moon_vm *vm, size_t quota);
/* [-0, +0, -] Called by the allocator when use has become large, with the size of the new block. */
void moon_sound_alarm(moon_vm *vm, size_t block);
/* [-0, +0, v] Called by the allocator before a large string is made. One `..` joins up to 250
 * strings, each maybe as large as the quota: what takes use past twice the quota ends the call
 * instead. */
void moon_refuse_string(moon_vm *vm, size_t size);
/* [-0, +0, v] Never returns. Ends the call with that status. */
void moon_kill(lua_State *L, moon_status reason);
/* The hook that ends calls; moon_arm sets it, on the coroutine that runs. */
void moon_hook(lua_State *L, lua_Debug *frame);
/* [-0, +0, m] The table at `index` becomes a script's metatable, and could make tables weak. */
void moon_note_metatable(lua_State *L, int index);
/* [-0, +0, v] Whether one crossing value may have so many elements; ends a killed call. */
bool moon_may_hold(lua_State *L, size_t nodes);
/* Whether a buffer may grow by so much. */
bool moon_may_buffer(moon_vm *vm, size_t bytes);
/* Takes back what moon_charge_host has counted: the call has ended. */
void moon_forgive_host(moon_vm *vm);
/* [-0, +0, v] A place where it is safe: collects garbage if the alarm was sounded, and ends the
 * call if that doesn't help, or if it was killed. */
void moon_safe_point(lua_State *L);
/* [-0, +0, v] Ends the call if `bytes` more aren't to be had. To be called before they are taken.
 * */
void moon_charge(lua_State *L, size_t bytes);
/* What an element of a list or an entry of a map takes in the state, roughly. */
#define MOON_ENTRY_BYTES 32
/* What an element takes as the host holds it, beside its text: between 20 bytes in a long list and
 * 110 as the only one of a list of its own. */
#define MOON_NODE_BYTES 64
/* [-0, +0, v] Counts what the host keeps for the script until the call ends. */
void moon_charge_host(lua_State *L, size_t bytes);

/* encode.c — comments give [-popped, +pushed, errors] as Lua's manual does. */
typedef enum { MOON_AS_VALUE, MOON_AS_FORM } moon_shape;
/* [-0, +0, v] Appends the value at `index` and returns what it costs the host, roughly. Raises what
 * can't be kept; `root`, unless NULL, is the place in the state that it's for. */
size_t moon_encode(lua_State *L, int index, moon_shape shape, const char *root, moon_buffer *out);
/* [-0, +0, v] As moon_encode for a value that is written at `key` of a draft: errors name the
 * path. */
size_t moon_encode_at(lua_State *L, int index, uint32_t draft, const moon_item *key,
                      moon_buffer *out);
/* decode.c */
/* [-0, +n, m] Pushes all values; returns n. To be called with at most four slots in use. */
int moon_decode_all(lua_State *L, const uint8_t *bytes, size_t length);
/* [-0, +0, -] */
bool moon_utf8_is_valid(const char *bytes, size_t length);
/* [-0, +0, v] Raises a memory error if the buffer couldn't grow. */
void moon_check_buffer(lua_State *L, moon_buffer *buffer);

/* usage.c */
uint64_t moon_monotonic_ns(void);
/* The processor's own clock, in units of its own: asking the system would cost a call twice what
 * its bookkeeping does. */
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

/* drafts.c */
/* [-0, +1, m] */
void moon_push_draft(lua_State *L, uint32_t draft);
/* [-0, +1, m] Pushes a value that a callback answered. */
void moon_push_item(lua_State *L, const moon_item *item);
/* [-0, +0, v] True and the index when the value is a draft; a dead one raises. */
bool moon_to_draft(lua_State *L, int index, uint32_t *draft);
/* [-0, +0, -] The same without looking at its life. */
bool moon_is_draft(lua_State *L, int index);
/* [-0, +0, -] Whether a draft can still be used. */
bool moon_is_live(lua_State *L, int index);
/* [-0, +0, v] Reads a table key; false if nothing can be stored under such a key. */
bool moon_key_at(lua_State *L, int index, moon_item *key);
/* [-0, +1, m] Pushes `file:line: ` of the innermost code that isn't the host's own library. */
void moon_where(lua_State *L);
/* [-0, +0, v] Never returns. Raises what the callback said. */
int moon_raise_failure(lua_State *L);
/* [-0, +0, v] draft[key] = value at index */
void moon_draft_write(lua_State *L, uint32_t draft, const moon_item *key, int index);
/* [-0, +0, v] False, and nothing done, if the draft isn't a list. */
bool moon_draft_insert(lua_State *L, uint32_t draft, lua_Integer position, int index);
void moon_open_drafts(lua_State *L);

/* order.c: pairs, next; tables.c: `table` and raw access */
void moon_open_order(lua_State *L);
void moon_open_tables(lua_State *L);
/* [-0, +1, m] A table of the keys of the table at `index`, in order; *count of them. */
void moon_push_sorted_keys(lua_State *L, int index, size_t *count);

/* lengths.c */
/* Begins the strings that stand for the operator `#`. */
#define MOON_LENGTH_MARK '\1'
/* [-0, +0, -] The border of the table at `index` that its keys decide, whatever its metatable. */
lua_Integer moon_border(lua_State *L, int index);
/* [-0, +0, e] As luaL_len. */
lua_Integer moon_length(lua_State *L, int index);
void moon_open_lengths(lua_State *L);

/* guard.c: pcall, xpcall, coroutines that let a kill through */
void moon_open_guard(lua_State *L);
/* quota.c */
/* [-0, +0, v] Raises again if the call was killed: no handler of the script's swallows that. */
void moon_pass_kill(lua_State *L);

/* matching.c: string.find, match, gmatch, gsub; texts.c: what else of `string` could take too long
 * */
void moon_open_matching(lua_State *L);
void moon_open_texts(lua_State *L);

/* source.c */
/* [-0, +1, m] As luaL_loadbufferx of text only, for all text that scripts or people bring. */
int moon_compile(lua_State *L, const char *text, size_t length, const char *name);

/* sandbox.c: builds the globals from an allow-list; libraries.c: require, host functions, moon */
void moon_open_sandbox(lua_State *L);
/* `tostring`, without addresses */
int moon_to_text(lua_State *L);
void moon_open_library(lua_State *L, const moon_options *options);
/* [-0, +0, v] Raises inside a pure call: `what` isn't available there. */
void moon_refuse_in_pure(lua_State *L, const char *what);
uint64_t moon_random_next(moon_vm *vm);

/* watchdog.c */
typedef struct {
  moon_vm *vm;
  uint64_t serial;
  uint64_t budget_ms;
  locale_t locale; /* the thread's own, to be restored; 0 on a thread that is Lua's */
} moon_watch;
/* Makes the calling thread Lua's: it lets the signal through, and its locale is C. */
void moon_watch_own_thread(void);
/* Sets the calling thread's locale to C; returns what it was, or 0 on a thread that is Lua's. */
locale_t moon_watch_set_locale(void);
void moon_watch_restore_locale(locale_t locale);
/* Entry and exit of a call; `outer` keeps what was under way on this thread. */
void moon_watch_begin(moon_vm *vm, uint32_t budget_ms, moon_watch *outer);
void moon_watch_end(moon_vm *vm, const moon_watch *outer);
/* To be called where abandoning a call has led to. */
void moon_watch_landed(void);

#endif

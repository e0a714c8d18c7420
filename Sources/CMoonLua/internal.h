/* Declarations shared by the files of this target. No other header includes Lua's. */
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

/* Chunk name of the library `moonwire`. */
#define MOON_PRELUDE "@moonwire"

/* Registry keys: the addresses of these bytes. */
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
extern char moon_key_wait;       /* mark of a coroutine that waits, as light userdata */

/* Longest file or function name in a frame. Scripts choose both. */
#define MOON_FRAME_TEXT_MAX 4096

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
  size_t quota;                       /* 0: none */
  size_t alarm_level;                 /* memory use from which the allocator reports growth */
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
  bool failed_with_value; /* the results of the call are the table that its task raised */
  int closing;            /* depth of nested coroutine.close */
  int library_count;      /* libraries required so far */
  uint64_t allocations, fail_allocation;
  bool fail_after;

  uint64_t calls, ticks;           /* completed calls and their time; see usage.c */
  uint64_t first_tick, created_ns; /* time of creation on both clocks */

  uint64_t epoch;                 /* handle of draft 0 in the epoch of live drafts; see drafts.c */
  const void *null;               /* moon.null, a full userdata */
  int null_reference;             /* of moon.null, in the registry */
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

/* [-0, +0, -] Calls a function of the host. `in_host` is set meanwhile: Swift has frames on the
 * stack, and no jump may skip them. */
#define moon_callback(vm, function, ...) \
  (moon_enter_host(vm), moon_leave_host(vm, (vm)->callbacks.function((vm)->context, __VA_ARGS__)))
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
/* Frees all of Lua's blocks and the pool; called after lua_close, or in place of it. */
void moon_free_all(moon_vm *vm);

/* quota.c. The allocator always grants; excessive use ends the call at the next safe point. */
void moon_set_quota(moon_vm *vm, size_t quota);
/* [-0, +0, -] Called when memory use is above alarm_level. `block` is the size of a new block. */
void moon_raise_alarm(moon_vm *vm, size_t block);
/* [-0, +0, v] Called before a large string is allocated. A single `..` joins up to 250 strings,
 * each possibly as large as the quota, so use beyond twice the quota ends the call here. */
void moon_check_string(moon_vm *vm, size_t size);
/* [-0, +0, v] Ends the call with that status. Never returns. */
void moon_kill(lua_State *L, moon_status reason);
/* The hook that ends calls. moon_arm sets it on a coroutine. */
void moon_hook(lua_State *L, lua_Debug *frame);
/* [-0, +0, m] Notes that a script uses the table at `index` as a metatable. */
void moon_note_metatable(lua_State *L, int index);
/* [-0, +0, v] Whether an encoded value may have `nodes` elements. Ends a killed call. */
bool moon_can_encode(lua_State *L, size_t nodes);
/* Whether a buffer may grow by `bytes`. */
bool moon_can_grow(moon_vm *vm, size_t bytes);
/* Releases what moon_charge_host has counted; called when the call ends. */
void moon_release_host(moon_vm *vm);
/* [-0, +0, v] A safe point. Ends a killed call. After an alarm it collects garbage, and ends the
 * call if that doesn't free enough. */
void moon_safe_point(lua_State *L);
/* [-0, +0, v] Ends the call if the quota has no room for `bytes` more. Called before allocating. */
void moon_charge(lua_State *L, size_t bytes);
/* Approximate size of an element in the host's memory, not counting text: 20 bytes in a long list,
 * 110 as the only element of a list. */
#define MOON_NODE_BYTES 64
/* [-0, +0, v] Counts memory that the host holds for the script until the call ends. */
void moon_charge_host(lua_State *L, size_t bytes);

/* libraries.c. Stack slot of the name of a service's function in a call of the host. */
#define MOON_SERVICE_SLOT 2
/* [-1, +0, v] Raises the error of a service that gets what can't be passed to it, with the reason
 * on top of the stack. Never returns. */
void moon_refuse_argument(lua_State *L, const char *code);

/* machine.c. [-0, +0, -] Encodes the error on top of L as the result of the call under way, if it
 * is a table of plain data. */
void moon_encode_failure(lua_State *L);

/* encode.c. Comments give [-popped, +pushed, errors] as Lua's manual does. */
typedef enum { MOON_AS_VALUE, MOON_AS_FORM, MOON_AS_BYTES } moon_shape;
/* [-0, +0, v] Appends the value at `index`. Returns its approximate size in the host's memory.
 * Raises an error for a value that can't be kept. `root` is its place in the state, or NULL. */
size_t moon_encode(lua_State *L, int index, moon_shape shape, const char *root, moon_buffer *out);
/* [-0, +0, v] Like moon_encode, for a value that is stored under `key` of a draft. */
size_t moon_encode_at(lua_State *L, int index, uint32_t draft, const moon_item *key,
                      moon_buffer *out);
/* marks.c */
/* [-0, +0, -] Whether the table at `index` was made by moon.list(). */
bool moon_is_marked_list(lua_State *L, int index);
/* [-0, +0, -] Whether the table at `index` is a secret. */
bool moon_is_secret(lua_State *L, int index);
/* [-0, +0, m] Replaces the key at `key`, of the only entry of the table at `index`, if the table
 * looks like a secret and is none: data that scripts get or make can't pass for one. */
void moon_mark_copy(lua_State *L, int index, int key);
/* decode.c */
/* [-0, +n, m] Pushes all values and returns n. Requires at most four stack slots in use. */
int moon_decode_all(lua_State *L, const uint8_t *bytes, size_t length);
/* [-0, +0, -] */
bool moon_utf8_is_valid(const char *bytes, size_t length);
/* [-0, +0, v] Raises a memory error if the buffer has failed to grow. */
void moon_check_buffer(lua_State *L, moon_buffer *buffer);

/* usage.c */
uint64_t moon_monotonic_ns(void);
/* The processor's time stamp counter. A system call would cost twice as much as all other
 * bookkeeping of a call. */
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
/* [-0, +1, -] Pushes the handle of a draft, which is the same value until the call ends. */
void moon_push_draft(lua_State *L, uint32_t draft);
/* [-0, +1, -] Pushes moon.null. */
void moon_push_null(lua_State *L);
/* [-0, +0, -] Whether the value is moon.null. */
bool moon_is_null(lua_State *L, int index);
/* Longest text that an item can hold itself. */
#define MOON_SMALL_MAX 15
/* Packs a text of at most MOON_SMALL_MAX bytes. Returns false unless it is ASCII, and so certainly
 * UTF-8. */
bool moon_pack_small(moon_item *item, const char *bytes, size_t length);
/* [-0, +1, m] Pushes a value returned by a callback. */
void moon_push_item(lua_State *L, const moon_item *item);
/* [-0, +0, v] Whether the value is a draft, and its index. Raises an error for a dead draft. */
bool moon_to_draft(lua_State *L, int index, uint32_t *draft);
/* [-0, +0, -] Whether the value is a draft, live or dead. */
bool moon_is_draft(lua_State *L, int index);
/* [-0, +0, -] Whether a draft is live. */
bool moon_is_live(lua_State *L, int index);
/* [-0, +0, v] Reads a table key. Returns false for a key that the state can't have. */
bool moon_key_at(lua_State *L, int index, moon_item *key);
/* [-0, +1, m] Pushes `file:line: ` of the innermost code outside the library `moonwire`. */
void moon_where(lua_State *L);
/* [-0, +0, v] Raises the error that a callback has reported. Never returns. */
int moon_raise_failure(lua_State *L);
/* [-0, +0, v] draft[key] = value at index */
void moon_draft_write(lua_State *L, uint32_t draft, const moon_item *key, int index);
/* [-0, +0, v] Returns false and does nothing if the draft isn't a list. */
bool moon_draft_insert(lua_State *L, uint32_t draft, lua_Integer position, int index);
void moon_open_drafts(lua_State *L);

/* order.c: pairs, next; tables.c: `table` and raw access */
void moon_open_order(lua_State *L);
void moon_open_tables(lua_State *L);
/* [-0, +1, m] Pushes a list of the keys of the table at `index`, in order; sets *count. */
void moon_push_sorted_keys(lua_State *L, int index, size_t *count);

/* lengths.c */
/* First byte of the strings that stand for the operator `#`. */
#define MOON_LENGTH_MARK '\1'
/* [-0, +0, -] The border of the table at `index`, without metamethods. Keys alone decide. */
lua_Integer moon_border(lua_State *L, int index);
/* [-0, +0, e] Like luaL_len. */
lua_Integer moon_length(lua_State *L, int index);
void moon_open_lengths(lua_State *L);

/* guard.c: pcall, xpcall and coroutines that don't catch a kill */
void moon_open_guard(lua_State *L);
/* Results of moon_resume besides a number of results. */
#define MOON_RESUME_FAILED (-1)
#define MOON_RESUME_WAITS (-2)
/* [-count, +results or 1 message, v] Resumes `co` with the arguments on top of L. A waiting
 * coroutine keeps the values that it yielded. */
int moon_resume(lua_State *L, lua_State *co, int count);
/* [-0, +0, v] Like lua_resetthread, on `co`. */
int moon_close_coroutine(lua_State *L, lua_State *co);

/* tasks.c: waits, which pass through all coroutines of a task */
/* Whether a coroutine is suspended in a wait. */
bool moon_waits(lua_State *co);
/* Removes the mark of a waiting coroutine; does nothing for others. */
void moon_end_wait(lua_State *co);
/* [v] Yields because `co`, which L resumed, waits. Keeps `kept` values of the stack; `again` is
 * called with the answer above them. */
int moon_pass_wait(lua_State *L, lua_State *co, int kept, lua_KFunction again);
/* The operation on a task; see moon_vm_start, moon_vm_resume and moon_vm_cancel. */
typedef enum {
  MOON_NO_TASK,
  MOON_START,
  MOON_START_EFFECT,
  MOON_CONTINUE,
  MOON_CANCEL
} moon_task_step;
/* [-count, +results, v] Starts or continues a task with the arguments on top of L. Sets *task to
 * its reference if it waits, else to LUA_NOREF. */
int moon_run_task(lua_State *L, moon_task_step step, int32_t *task, int count);
/* wait(function, …): calls the host, and waits unless the host answers immediately. */
int moon_wait(lua_State *L);
/* begin(f, …): returns the reference of a new task that calls f. */
int moon_begin_task(lua_State *L);
/* drop(task): releases a task that hasn't begun. */
int moon_drop_task(lua_State *L);

/* errors.c */
/* [-0, +0, m] Records the message of the error at `index`, and the traceback of L from `level`
 * unless that is negative. The handler of `enter` does this too, unless vm->is_recorded. */
void moon_record_error(lua_State *L, int index, int level);
/* [-0, +0, m] Lua's messages about wrong operands call a draft "userdata". Replaces such a message
 * at `index` by one that calls it "table". */
void moon_name_draft(lua_State *L, int index);
/* libraries.c */
/* [-n, +results, v] Calls the host function whose number is the first value on the stack, with the
 * other values. */
int moon_call_host(lua_State *L);

/* quota.c */
/* [-0, +0, v] Raises the kill again if the call was killed. */
void moon_rethrow_kill(lua_State *L);

/* matching.c: string.find, match, gmatch, gsub; texts.c: string.format, rep, pack */
void moon_open_matching(lua_State *L);
void moon_open_texts(lua_State *L);

/* source.c */
/* [-0, +1, v] Like luaL_loadbufferx, for text from scripts and people. */
int moon_compile(lua_State *L, const char *text, size_t length, const char *name);

/* sandbox.c: builds the globals from an allow-list; libraries.c: require, host functions, moon */
void moon_open_sandbox(lua_State *L);
/* The function `tostring`, without addresses. */
int moon_to_text(lua_State *L);
void moon_open_library(lua_State *L, const moon_options *options);
/* [-0, +0, v] In a pure call, raises the error that `what` isn't available. */
void moon_refuse_in_pure(lua_State *L, const char *what);
uint64_t moon_random_next(moon_vm *vm);

/* watchdog.c */
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

#endif

/* The border between Swift and Lua.
 *
 * Swift never sees a lua_State. Every function declared here returns normally, whatever Lua does
 * inside: calls that can raise are made under lua_pcall in this target. A Swift callback returns a
 * status; the C code that called it raises after the Swift frame is gone.
 *
 * Values cross as flat bytes (see moon_tag), whole trees in one crossing. A draft's single fields
 * cross as a moon_item.
 */
#ifndef CMOONLUA_H
#define CMOONLUA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct moon_vm moon_vm;
typedef struct moon_watchdog moon_watchdog;

/* Deepest nesting of a value that crosses; equal to Value.depthMax on the Swift side. */
#define MOON_DEPTH_MAX 64
/* Most elements in one crossing value: a script can't make the host build an endless tree. */
#define MOON_NODES_MAX 4000000
/* Longest message and traceback that an error keeps. */
#define MOON_MESSAGE_MAX 4096
#define MOON_FRAMES_MAX 24

/* How a call ended. */
typedef enum {
  MOON_OK = 0,
  MOON_RUNTIME = 1,     /* the script raised; moon_vm_message and moon_vm_frames say what */
  MOON_SYNTAX = 2,      /* the text isn't Lua; nothing ran */
  MOON_MEMORY = 3,      /* an allocation failed */
  MOON_TIMEOUT = 4,     /* the budget was spent; the machine is dead */
  MOON_INTERRUPTED = 5, /* moon_watchdog_interrupt; the machine is dead */
  MOON_DEAD = 6,        /* the machine was killed before */
  MOON_QUOTA = 8,       /* more memory was in use than the quota; the machine is dead */
  MOON_BUSY = 7         /* a call on this machine is under way */
} moon_status;

/* One byte before each encoded value. Integers and doubles follow in native byte order, lengths as
 * uint32. A map's keys are encoded as values (integer or string). */
typedef enum {
  MOON_NIL = 0,
  MOON_FALSE = 1,
  MOON_TRUE = 2,
  MOON_INTEGER = 3, /* int64 */
  MOON_NUMBER = 4,  /* double */
  MOON_TEXT = 5,    /* uint32 length, bytes of valid UTF-8 */
  MOON_LIST = 6,    /* uint32 count, values */
  MOON_MAP = 7,     /* uint32 count, key and value in turn */
  MOON_NULL = 8,    /* moon.null */
  MOON_DRAFT = 9,   /* uint32 index of a draft */
  MOON_FUNCTION = 10, /* int32 reference, uint32 line, uint8 parameters, vararg, source text */
  MOON_SMALL = 11,    /* in a moon_item only: a text of at most 15 bytes, packed */
  MOON_TREE = 12,     /* in a moon_item only: encoded bytes */
  MOON_FORM = 13,     /* uint32 count, pairs: a table that a state couldn't keep (mixed keys) */
  MOON_CONTEXT = 15,  /* the table given to native.context: a registration's `self` */
  MOON_OPAQUE = 14    /* text: what it is; a thread, userdata or address in a form */
} moon_tag;

/* One value on its way between a draft and Lua. `high` and `low` pack a text as MoonValues does:
 * bytes 0-7 big-endian in `high`, bytes 8-14 in the upper seven bytes of `low`, length in its
 * lowest byte. `bytes` is read before the next callback and never kept. */
typedef struct {
  uint8_t tag;
  uint32_t draft;
  union {
    int64_t integer;
    double number;
    struct {
      uint64_t high;
      uint64_t low;
    } small;
    struct {
      const uint8_t *bytes;
      size_t length;
    } text;
  };
} moon_item;

/* A growing byte buffer. `failed` is set when growing failed, until it's cleared. Those of
 * a machine name it as `owner`: their growth counts as its allocations. */
typedef struct {
  uint8_t *bytes;
  size_t length;
  size_t capacity;
  bool failed;
  moon_vm *owner;
} moon_buffer;

void moon_buffer_reserve(moon_buffer *buffer, size_t extra);
void moon_buffer_append(moon_buffer *buffer, const void *bytes, size_t length);
void moon_buffer_free(moon_buffer *buffer);
/* Gives back the memory of a buffer that once became larger than is worth keeping. */
#define MOON_BUFFER_KEPT_MAX (256 * 1024)
void moon_buffer_trim(moon_buffer *buffer);
static inline void moon_buffer_clear(moon_buffer *buffer) {
  buffer->length = 0;
  buffer->failed = false;
}

/* What a Swift callback answers. After MOON_FAILED, C raises the text given to moon_vm_fail.
 * MOON_NOT_A_LIST: nothing was done; draft_insert and draft_remove only know lists. */
#define MOON_DONE 0
#define MOON_FAILED 1
#define MOON_NOT_A_LIST 2

typedef struct {
  /* out: MOON_NIL when absent, a scalar, or MOON_DRAFT for a container. */
  int (*draft_get)(void *context, uint32_t draft, const moon_item *key, moon_item *out);
  /* value: MOON_NIL removes. */
  int (*draft_set)(void *context, uint32_t draft, const moon_item *key, const moon_item *value);
  int (*draft_length)(void *context, uint32_t draft, int64_t *out);
  /* key: NULL asks for the first. next: MOON_NIL at the end. */
  int (*draft_next)(void *context, uint32_t draft, const moon_item *key, moon_item *next,
                    moon_item *value);
  int (*draft_insert)(void *context, uint32_t draft, int64_t position, const moon_item *value);
  int (*draft_remove)(void *context, uint32_t draft, int64_t position, moon_item *out);
  /* The path of the draft, and of `key` in it unless NULL, for an error's text. */
  int (*draft_path)(void *context, uint32_t draft, const moon_item *key, moon_buffer *out);
  /* A function of the host: encoded arguments in, encoded results out. */
  int (*host_call)(void *context, int32_t function, const uint8_t *arguments, size_t length,
                   moon_buffer *out);
  /* Finds a library. out: uint32 length and bytes of its chunk name, then its source. */
  int (*find_library)(void *context, const uint8_t *name, size_t length, moon_buffer *out);
} moon_callbacks;

/* ---- The watchdog: one thread that ends what runs too long ---- */

/* It looks at the call under way every `interval_us`, which is the error of a budget, and abandons
 * a killed call that hasn't ended after `grace_ms`. NULL when no thread could be started. */
moon_watchdog *moon_watchdog_new(uint32_t interval_us, uint32_t grace_ms);
/* Whether a killed call can be abandoned in the middle of Lua's own code: the processor is known,
 * and Lua's code lies in a library of its own. Otherwise such a call ends when that code does. */
bool moon_watchdog_can_abandon(void);
/* For debug builds: each callback adds 1 when it begins and takes it back at its end. Abandoning a
 * call then checks that it skips none. */
void moon_count_swift_frame(int change);
void moon_watchdog_free(moon_watchdog *watchdog);
/* Ends the call that runs now, if one does; any thread may call it. `before`, unless NULL, is
 * called when one does, and before it can notice. */
bool moon_watchdog_interrupt(moon_watchdog *watchdog, void (*before)(void *), void *context);

/* ---- The machine ---- */

typedef struct {
  /* Text of the library that `require "moonwire"` answers with. It is called with the table of
   * native functions and, decoded from `settings`, what else it needs to know. */
  const uint8_t *prelude;
  size_t prelude_length;
  const uint8_t *settings;
  size_t settings_length;
  /* Bytes that scripts may use, what the host holds for them included; 0: as many as there are. */
  size_t memory_quota;
  /* For tests of exhaustion: the n-th allocation fails, and with `fail_after` all later ones.
   * 0 never fails. */
  uint64_t fail_allocation;
  bool fail_after;
  /* Seeds randomness outside of pure calls. */
  uint64_t seed;
} moon_options;

/* On failure *out is NULL and the status says why (MOON_MEMORY, or an error of the prelude, whose
 * text is then in `message`, at most `message_size` bytes with its end). The watchdog may be NULL:
 * then nothing is ever interrupted. The callbacks are copied. */
moon_status moon_vm_new(const moon_options *options, const moon_callbacks *callbacks,
                        moon_watchdog *watchdog, moon_vm **out, char *message,
                        size_t message_size);
/* What callbacks get first; to be set before anything is called, and to outlive the machine. */
void moon_vm_set_context(moon_vm *vm, void *context);
void moon_vm_close(moon_vm *vm);

/* How a call is made. */
typedef struct {
  uint32_t budget_ms; /* 0: no limit */
  bool pure;          /* clocks, host randomness and effects raise */
  uint64_t random;    /* the seed of moon.random during a pure call */
  const char *entry;  /* what runs, for errors of pure calls: "a reducer" */
  const char *place;  /* where the results will be kept, for errors: "counter"; else NULL */
} moon_call;

/* Compiles and runs `source`. Results are encoded into `out`, tables as forms with function
 * references. A `name` such as "counter.lua" is what errors call the chunk. */
moon_status moon_vm_run(moon_vm *vm, const moon_call *call, const uint8_t *source, size_t length,
                        const char *name, moon_buffer *out);
/* Calls a referenced function with encoded arguments; results are encoded one after the other. */
moon_status moon_vm_call(moon_vm *vm, const moon_call *call, int32_t function,
                         const uint8_t *arguments, size_t length, moon_buffer *out);
/* Compiles `source` as an expression, else as statements, and runs it with global names looked up
 * in the console's environment; results as with moon_vm_run. */
moon_status moon_vm_evaluate(moon_vm *vm, const moon_call *call, const uint8_t *source,
                             size_t length, const char *name, moon_buffer *out);

/* Whether a call is under way, so that another would end with MOON_BUSY. */
bool moon_vm_is_busy(const moon_vm *vm);

/* Whether a call was abandoned in the middle of Lua's own code. */
bool moon_vm_is_abandoned(const moon_vm *vm);

/* Ends the life of every draft handed out so far. */
void moon_vm_retire_drafts(moon_vm *vm);
/* Called by a callback: by how many entries the drafts of this call have grown in all. They count
 * as memory of the machine's until the call ends. */
void moon_vm_note_growth(moon_vm *vm, uint64_t entries);
/* Called by a callback before it answers MOON_FAILED. Cut at MOON_MESSAGE_MAX. */
void moon_vm_fail(moon_vm *vm, const uint8_t *text, size_t length);

/* Of the last call that failed: the error's text, and "source\tline\tname\n" for each Lua frame,
 * innermost first. Valid until the next call. */
const moon_buffer *moon_vm_message(const moon_vm *vm);
const moon_buffer *moon_vm_frames(const moon_vm *vm);

/* Bytes that Lua holds now and held at most, and how often it allocated. */
size_t moon_vm_memory(const moon_vm *vm);
size_t moon_vm_memory_peak(const moon_vm *vm);
uint64_t moon_vm_allocations(const moon_vm *vm);
/* Bytes that have gone from Lua into drafts so far, roughly and never too few. */
uint64_t moon_vm_written(const moon_vm *vm);

/* What all calls into a machine have cost so far, the one under way left out. */
typedef struct {
  uint64_t calls;
  uint64_t nanoseconds;
} moon_usage;
moon_usage moon_vm_usage(const moon_vm *vm);

/* Calls `body` on a new thread with `stack_bytes` of stack. False when none could be started. */
bool moon_thread_start(size_t stack_bytes, void (*body)(void *), void *context);

#endif

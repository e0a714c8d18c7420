/* The interface between Swift and Lua.
 *
 * Swift never sees a lua_State. Every function declared here returns normally: calls that can raise
 * a Lua error are made under lua_pcall in this target. A Swift callback returns a status, and the C
 * code that called it raises the error after the Swift frame is gone.
 *
 * Values are passed as flat bytes (see moon_tag), a whole tree at a time. Single fields of a draft
 * are passed as a moon_item.
 */
#ifndef CMOONLUA_H
#define CMOONLUA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct moon_vm moon_vm;
typedef struct moon_watchdog moon_watchdog;

/* Deepest nesting of an encoded value. Equal to Value.depthMax in Swift. */
#define MOON_DEPTH_MAX 64
/* Most drafts of a call. */
#define MOON_DRAFTS_MAX 4000000
/* Most elements of an encoded value, so that a script can't make the host build an endless tree. */
#define MOON_NODES_MAX 4000000
/* Longest message of an error, and most frames of its traceback. */
#define MOON_MESSAGE_MAX 4096
#define MOON_FRAMES_MAX 24

/* How a call ended. */
typedef enum {
  MOON_OK = 0,
  MOON_RUNTIME = 1,     /* the script raised; see moon_vm_message and moon_vm_frames */
  MOON_SYNTAX = 2,      /* the text isn't Lua; nothing ran */
  MOON_MEMORY = 3,      /* an allocation failed */
  MOON_TIMEOUT = 4,     /* the budget was spent; the machine is dead */
  MOON_INTERRUPTED = 5, /* moon_watchdog_interrupt; the machine is dead */
  MOON_DEAD = 6,        /* the machine was killed by an earlier call */
  MOON_QUOTA = 8,       /* the memory quota was exceeded; the machine is dead */
  MOON_BUSY = 7         /* a call on this machine is under way */
} moon_status;

/* First byte of each encoded value. Integers and doubles follow in native byte order, lengths as
 * uint32. Keys of a map are encoded as values, integers or strings. */
typedef enum {
  MOON_NIL = 0,
  MOON_FALSE = 1,
  MOON_TRUE = 2,
  MOON_INTEGER = 3,   /* int64 */
  MOON_NUMBER = 4,    /* double */
  MOON_TEXT = 5,      /* uint32 length, bytes of valid UTF-8 */
  MOON_LIST = 6,      /* uint32 count, values */
  MOON_MAP = 7,       /* uint32 count, keys and values alternating */
  MOON_NULL = 8,      /* moon.null */
  MOON_DRAFT = 9,     /* uint32 index of a draft */
  MOON_FUNCTION = 10, /* int32 reference; from Lua: uint32 line, uint8 parameters, vararg, file */
  MOON_SMALL = 11,    /* moon_item only: a text of at most 15 bytes, packed */
  MOON_TREE = 12,     /* moon_item only: encoded bytes */
  MOON_FORM = 13,     /* uint32 count, keys and values: a table that the state can't keep */
  MOON_CONTEXT = 15,  /* the table given to native.context: a registration's `self` */
  MOON_OPAQUE = 14    /* text: description of a thread, userdata or address in a form */
} moon_tag;

/* One value between a draft and Lua. `high` and `low` hold a packed text as in MoonValues: bytes
 * 0-7 big-endian in `high`, bytes 8-14 in the upper seven bytes of `low`, the length in its lowest
 * byte. `bytes` is valid until the next callback. */
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

/* Functions of the host from this number on take strings that aren't UTF-8. Such a string is
 * encoded as a map of one entry: under MOON_BYTES_KEY, a text with a code point for each byte. */
#define MOON_TAKES_BYTES 100
#define MOON_BYTES_KEY "\0bytes"

/* A growing byte buffer. `failed` is set when it couldn't grow, until it is cleared. The growth of
 * a buffer with an `owner` counts as an allocation of that machine. */
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
/* Frees the memory of a buffer that has grown beyond this size. */
#define MOON_BUFFER_KEPT_MAX (256 * 1024)
void moon_buffer_trim(moon_buffer *buffer);
static inline void moon_buffer_clear(moon_buffer *buffer) {
  buffer->length = 0;
  buffer->failed = false;
}

/* Results of a Swift callback. After MOON_FAILED, C raises the text given to moon_vm_fail.
 * MOON_NOT_A_LIST: draft_insert or draft_remove found no list and did nothing. */
#define MOON_DONE 0
#define MOON_FAILED 1
#define MOON_NOT_A_LIST 2

typedef struct {
  /* out: MOON_NIL if absent, a scalar, or MOON_DRAFT for a container. */
  int (*draft_get)(void *context, uint32_t draft, const moon_item *key, moon_item *out);
  /* value: MOON_NIL removes. */
  int (*draft_set)(void *context, uint32_t draft, const moon_item *key, const moon_item *value);
  int (*draft_length)(void *context, uint32_t draft, int64_t *out);
  /* key: NULL for the first entry. next: MOON_NIL at the end. */
  int (*draft_next)(void *context, uint32_t draft, const moon_item *key, moon_item *next,
                    moon_item *value);
  int (*draft_insert)(void *context, uint32_t draft, int64_t position, const moon_item *value);
  int (*draft_remove)(void *context, uint32_t draft, int64_t position, moon_item *out);
  /* The path of the draft, or of `key` in it unless NULL, for error messages. */
  int (*draft_path)(void *context, uint32_t draft, const moon_item *key, moon_buffer *out);
  /* A function of the host: encoded arguments in, encoded results out. */
  int (*host_call)(void *context, int32_t function, const uint8_t *arguments, size_t length,
                   moon_buffer *out);
  /* Finds a library. out: uint32 length of its chunk name, uint32 whether what follows the name is
   * the compiled form of a text of the program's own, the name, and its source. */
  int (*find_library)(void *context, const uint8_t *name, size_t length, moon_buffer *out);
} moon_callbacks;

/* ---- The watchdog: a thread that ends calls that run too long ---- */

/* Checks the call under way every `interval_us`, which is the error of a budget, and abandons a
 * killed call that hasn't ended after `grace_ms`. Returns NULL if no thread could be started. */
moon_watchdog *moon_watchdog_new(uint32_t interval_us, uint32_t grace_ms);
/* Whether a killed call can be abandoned within liblua: the processor is supported, and Lua is a
 * shared library. Otherwise such a call ends only when liblua's own work does. */
bool moon_watchdog_can_abandon(void);
/* Counts Swift callbacks in debug builds: 1 at the beginning of each, -1 at its end. Abandoning a
 * call then checks that it skips none. */
void moon_count_swift_frame(int change);
void moon_watchdog_free(moon_watchdog *watchdog);
/* Ends the call under way, if any; may be called on any thread. `before`, unless NULL, is called
 * first if there is one. */
bool moon_watchdog_interrupt(moon_watchdog *watchdog, void (*before)(void *), void *context);
/* The clock that budgets are measured with, in microseconds. It stands still while the process is
 * stopped, and may do so while no call is under way unless it is held. */
uint64_t moon_watchdog_clock_us(moon_watchdog *watchdog);
/* Holds the clock (1) or lets go of it (-1). */
void moon_watchdog_hold_clock(moon_watchdog *watchdog, int change);

/* ---- The machine ---- */

typedef struct {
  /* Source of the library `moonwire`, or its compiled form. It gets a table of native functions and
   * the values encoded in `settings`. */
  const uint8_t *prelude;
  size_t prelude_length;
  const uint8_t *settings;
  size_t settings_length;
  /* Bytes that scripts may use, including what the host holds for them; 0 for no limit. */
  size_t memory_quota;
  /* Adds up the memory of all machines that share the quota, 0 before the first one; NULL if this
   * machine has all of it. What a machine has in use before any script runs isn't counted. It must
   * outlive the machines, which are confined to one thread. */
  size_t *shared_memory;
  /* For tests: number of the allocation that fails, or 0. With `fail_after` all later ones fail. */
  uint64_t fail_allocation;
  bool fail_after;
  /* Seed of random numbers outside pure and repeatable calls. */
  uint64_t seed;
} moon_options;

/* Opens a machine. On failure *out is NULL, and the status is MOON_MEMORY or that of an error in
 * the prelude, whose text is then in `message`, at most `message_size` bytes including the final
 * zero. Without a watchdog (NULL), nothing is ever interrupted. The callbacks are copied. */
moon_status moon_vm_new(const moon_options *options, const moon_callbacks *callbacks,
                        moon_watchdog *watchdog, moon_vm **out, char *message, size_t message_size);
/* Sets the first argument of callbacks, before the first call. It must outlive the machine. */
void moon_vm_set_context(moon_vm *vm, void *context);
/* Refuses the machine's own clocks for good: what its code does may depend on its calls of the host
 * alone. */
void moon_vm_refuse_clocks(moon_vm *vm);
/* Writes the place of the code that calls the host, "file:line", outside the library `moonwire`;
 * an empty text if there is none. At most `size` bytes including the final zero. */
void moon_vm_place(moon_vm *vm, char *text, size_t size);
void moon_vm_close(moon_vm *vm);

/* Parameters of a call. */
typedef struct {
  uint32_t budget_ms; /* 0: no limit */
  bool pure;          /* clocks, host randomness and effects raise errors */
  bool repeatable;    /* the clock of the host stands at `time` */
  double time;        /* seconds since 1970, in a repeatable call */
  uint64_t random;    /* seed of moon.random in a pure or repeatable call */
  const char *entry;  /* what runs, for error messages: "a reducer" */
  const char *place;  /* where the results are kept, for error messages: "counter"; or NULL */
} moon_call;

/* Compiles and runs `source`. Encodes the results into `out`, tables as forms with references to
 * functions. `name` is the chunk's name in error messages, such as "counter.lua". */
moon_status moon_vm_run(moon_vm *vm, const moon_call *call, const uint8_t *source, size_t length,
                        const char *name, moon_buffer *out);
/* Calls a function by reference, with encoded arguments. Encodes each result in turn. */
moon_status moon_vm_call(moon_vm *vm, const moon_call *call, int32_t function,
                         const uint8_t *arguments, size_t length, moon_buffer *out);
/* Calls a function by reference, with one to three items that are no texts or trees: pushing such
 * an item allocates nothing. Encodes each result in turn. */
moon_status moon_vm_call_items(moon_vm *vm, const moon_call *call, int32_t function,
                               const moon_item *items, int count, moon_buffer *out);
/* Like moon_vm_run, for an expression or else statements, in the environment of the console. With
 * `task`, the text can wait: it runs as a task, as moon_vm_start says. */
moon_status moon_vm_evaluate(moon_vm *vm, const moon_call *call, const uint8_t *source,
                             size_t length, const char *name, int32_t *task, moon_buffer *out);

/* ---- Tasks: coroutines that wait for answers of the host ---- */

/* No task; otherwise a reference is positive. */
#define MOON_NO_REFERENCE (-2)

/* Calls a function as a task. If it waits, sets *task to its reference and leaves `out` empty; the
 * host function that it called has received the reason. Otherwise sets *task to MOON_NO_REFERENCE
 * and encodes the results. The results of an effect are dispatched by the library instead. */
moon_status moon_vm_start(moon_vm *vm, const moon_call *call, int32_t function, bool is_effect,
                          const uint8_t *arguments, size_t length, int32_t *task, moon_buffer *out);
/* Begins a task made by `begin`, or resumes a waiting one. The first argument is whether the wait
 * succeeded. The others are the results of the wait, or the message of the error to raise. Sets
 * *task as moon_vm_start does; a failure also ends the task. With `is_evaluation`, it is one of
 * moon_vm_evaluate, and its results are encoded as there. */
moon_status moon_vm_resume(moon_vm *vm, const moon_call *call, int32_t *task, bool is_evaluation,
                           const uint8_t *arguments, size_t length, moon_buffer *out);
/* Ends a task: runs the __close handlers of its coroutines, innermost first. */
moon_status moon_vm_cancel(moon_vm *vm, const moon_call *call, int32_t *task);

/* Whether a call is under way. Another would end with MOON_BUSY. */
bool moon_vm_is_busy(const moon_vm *vm);

/* Whether a call was abandoned within liblua. */
bool moon_vm_is_abandoned(const moon_vm *vm);

/* Ends the life of all drafts. */
void moon_vm_retire_drafts(moon_vm *vm);
/* Called by a callback: number of entries that the drafts of this call have gained in total. They
 * count as memory of the machine until the call ends. */
void moon_vm_note_growth(moon_vm *vm, uint64_t entries);
/* Called by a callback before it returns MOON_FAILED. The text is cut at MOON_MESSAGE_MAX. */
void moon_vm_fail(moon_vm *vm, const uint8_t *text, size_t length);

/* Text of the last call's error, and "source\tline\tname\n" for each Lua frame, innermost first.
 * Valid until the next call. */
const moon_buffer *moon_vm_message(const moon_vm *vm);
const moon_buffer *moon_vm_frames(const moon_vm *vm);
/* Whether the last call ended with an error of moon.refuse. */
bool moon_vm_has_refused(const moon_vm *vm);
/* Whether the results of the last call are a table that it raised: one of plain data that its task
 * raised, or an error of moon.refuse. */
bool moon_vm_failed_with_value(const moon_vm *vm);

/* Memory in use, its peak, and the number of allocations. */
size_t moon_vm_memory(const moon_vm *vm);
size_t moon_vm_memory_peak(const moon_vm *vm);
uint64_t moon_vm_allocations(const moon_vm *vm);

/* Number and total time of completed calls. */
typedef struct {
  uint64_t calls;
  uint64_t nanoseconds;
} moon_usage;
moon_usage moon_vm_usage(const moon_vm *vm);

/* Begins or ends counting the lines that run, in machines that are made from then on. */
void moon_coverage_set(bool is_on);
/* Receives how often a line of a file has run. */
typedef void (*moon_line_receiver)(void *context, const char *file, int line, uint32_t count);
/* Passes on the lines that have run. The receiver must not use Lua. */
void moon_coverage_read(moon_line_receiver receive, void *context);
/* A text in compiled form, of `*size` bytes, which the caller frees; NULL if it doesn't compile.
 * Machines can run it if it is the program's own, with the name of its chunk; NULL for others. */
unsigned char *moon_compiled(const char *text, size_t length, const char *name, size_t *size);

/* A text that begins with the release of the loaded liblua, and a space. */
const char *moon_lua_release(void);

/* Calls `body` on a new thread with `stack_bytes` of stack, prepared for Lua. Returns false if it
 * couldn't be started. */
bool moon_thread_start(size_t stack_bytes, void (*body)(void *), void *context);

#endif

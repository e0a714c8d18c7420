/* A machine: one lua_State, its life cycle, and the single function that enters its code. */
#include "coverage.h"
#include "decode.h"
#include "drafts.h"
#include "encode.h"
#include "errors.h"
#include "guard.h"
#include "items.h"
#include "lengths.h"
#include "libraries.h"
#include "matching.h"
#include "memory.h"
#include "order.h"
#include "quota.h"
#include "sandbox.h"
#include "source.h"
#include "tables.h"
#include "tasks.h"
#include "texts.h"
#include "usage.h"
#include "watchdog.h"

#include <stdio.h>
#include <stdlib.h>

/* What one call into Lua does. */
typedef struct moon_entry {
  const uint8_t *source; /* text to run; NULL to call `function` */
  size_t source_length;
  const char *name;
  bool is_console;
  int32_t function;
  const uint8_t *arguments;
  size_t arguments_length;
  const moon_item *items; /* arguments of another form; NULL for `arguments` */
  int item_count;
  moon_buffer *out;
  bool is_syntax_error;
  moon_task_step step;
  int32_t *task; /* reference of the task that `step` is about */
  bool as_forms; /* the results are encoded as forms */
} entry;

/* Message handler of the host. Records the error and its traceback before the stack unwinds. It
 * must not call metamethods, since hooks may be off here. */
static int handle_error(lua_State *L) {
  if (!moon_vm_of(L)->is_recorded) moon_record_error(L, 1, L, 1);
  return 1;
}

/* Whether a message of the compiler is about an unexpected end of the text. */
static bool ends_early(lua_State *L, int index) {
  static const char mark[] = "<eof>";
  size_t length, mark_length = sizeof mark - 1;
  const char *text = lua_tolstring(L, index, &length);
  return text != NULL && length >= mark_length &&
         memcmp(text + length - mark_length, mark, mark_length) == 0;
}

/* [-0, +1, m] Pushes the function, or a message and returns false. Console text is tried as an
 * expression first. */
static bool compile(lua_State *L, entry *e) {
  const char *source = (const char *)e->source;
  if (e->is_console) {
    lua_pushliteral(L, "return ");
    lua_pushlstring(L, source, e->source_length);
    lua_concat(L, 2);
    size_t length;
    const char *expression = lua_tolstring(L, -1, &length);
    int status = moon_compile(L, expression, length, e->name);
    lua_remove(L, -2);
    if (status == LUA_OK) return true;
    if (status == LUA_ERRMEM) lua_error(L);
  }
  int status = e->is_console ? moon_compile(L, source, e->source_length, e->name)
                             : moon_compile_file(L, source, e->source_length, e->name);
  if (status == LUA_ERRMEM) lua_error(L);
  if (e->is_console) {
    /* For an incomplete expression, "<eof>" is more useful than "not a statement". */
    bool is_cut = status != LUA_OK && ends_early(L, -2) && !ends_early(L, -1);
    lua_remove(L, is_cut ? -1 : -2);
  }
  return status == LUA_OK;
}

/* [-0, +1 + items, -] Pushes the function and its arguments. */
static int push_items(lua_State *L, const entry *e) {
  lua_rawgeti(L, LUA_REGISTRYINDEX, e->function);
  for (int i = 0; i < e->item_count; i++) moon_push_item(L, &e->items[i]);
  return e->item_count;
}

/* [-0, +0, v] Encodes all values on the stack as the results of the call. */
static int encode_results(lua_State *L) {
  entry *e = moon_vm_of(L)->entry;
  int results = lua_gettop(L);
  size_t cost = 0;
  for (int i = 1; i <= results; i++)
    cost += moon_encode(L, i, e->as_forms ? MOON_AS_FORM : MOON_AS_VALUE,
                        moon_vm_of(L)->call->place, e->out);
  if (cost > 0) moon_charge(L, cost); /* the host decodes it while Lua still holds the values */
  return 0;
}

/* [-0, +0, -] Encodes the error on top of L as the result of the call, if it is a table of plain
 * data or an error of moon.refuse. */
static void encode_failure(lua_State *L) {
  moon_vm *vm = moon_vm_of(L);
  int error = lua_gettop(L);
  if (vm->entry->out == NULL || lua_type(L, error) != LUA_TTABLE || !lua_checkstack(L, 3)) return;
  vm->entry->as_forms = false;
  /* A metatable would be lost, and with it the text of the error. */
  if (vm->is_refusal || !lua_getmetatable(L, error)) {
    moon_buffer_clear(vm->entry->out);
    lua_pushcfunction(L, encode_results);
    lua_pushvalue(L, error);
    vm->failed_with_value = lua_pcall(L, 1, 0, 0) == LUA_OK;
    /* A refusal of the encoder has made its text where the message is. */
    if (!vm->failed_with_value) moon_record_error(L, error, L, -1);
  }
  lua_settop(L, error);
}

static int run_entry(lua_State *L) {
  entry *e = moon_vm_of(L)->entry;
  int count = 0;
  /* Memory may have grown since the last call. */
  moon_safe_point(L);
  if (e->source != NULL) {
    if (!compile(L, e)) {
      e->is_syntax_error = true;
      return lua_error(L);
    }
    if (e->is_console) {
      lua_rawgetp(L, LUA_REGISTRYINDEX, &moon_key_console);
      if (lua_setupvalue(L, -2, 1) == NULL) lua_pop(L, 1);
    }
  } else if (e->items != NULL) {
    count = push_items(L, e);
  } else {
    if (e->step <= MOON_START_EFFECT) lua_rawgeti(L, LUA_REGISTRYINDEX, e->function);
    count = moon_decode_all(L, e->arguments, e->arguments_length);
  }
  if (e->step == MOON_NO_TASK) {
    lua_call(L, count, LUA_MULTRET);
  } else if (moon_run_task(L, e->step, e->task, count) == MOON_RESUME_FAILED) {
    encode_failure(L);
    return lua_error(L);
  }
  if (e->out != NULL) encode_results(L);
  return 0;
}

/* Stack slot of handle_error, for the life of the machine. */
#define HANDLER_SLOT 1

/* Calls a function with items. Pushing those raises no error, so that only the call itself, and
 * then its results, need protection. */
static int call_with_items(lua_State *L, entry *e) {
  int count = push_items(L, e);
  int status = lua_pcall(L, count, LUA_MULTRET, HANDLER_SLOT);
  if (status != LUA_OK) return status;
  int results = lua_gettop(L) - HANDLER_SLOT;
  if (results == 0) return LUA_OK;
  if (!lua_checkstack(L, 1)) return LUA_ERRMEM;
  lua_pushcfunction(L, encode_results);
  lua_insert(L, HANDLER_SLOT + 1);
  return lua_pcall(L, results, 0, HANDLER_SLOT);
}

/* The only way into Lua: every instruction of a module runs below this function. */
static moon_status enter(moon_vm *vm, const moon_call *call, entry *e) {
  lua_State *L = vm->main;
  if (vm->dead) return MOON_DEAD;
  if (vm->call != NULL) return MOON_BUSY;
  uint64_t begun = moon_tick();
  vm->call = call;
  vm->running = L;
  moon_begin_share(vm);
  if (call->pure || call->repeatable) {
    vm->random[0] = call->random ^ 0x9e3779b97f4a7c15u;
    vm->random[1] = call->random * 0xbf58476d1ce4e5b9u + 1;
  }
  moon_buffer_clear(&vm->message);
  moon_buffer_clear(&vm->frames);
  moon_buffer_trim(&vm->scratch);
  moon_buffer_trim(&vm->reply);
  if (e->out != NULL) {
    moon_buffer_trim(e->out);
    moon_buffer_clear(e->out);
  }
  moon_watch outer;
  moon_watch_begin(vm, call->budget_ms, &outer);
  vm->entry = e;
  vm->task = NULL;
  vm->resumer = NULL;
  vm->is_recorded = vm->is_memory_error = vm->failed_with_value = vm->is_refusal = false;
  int status;
  if (sigsetjmp(vm->escape, 0) == 0) {
    /* After an alarm, run_entry collects garbage first. */
    if (e->items != NULL && !vm->is_alarmed) {
      status = call_with_items(L, e);
    } else {
      lua_pushcfunction(L, run_entry);
      status = lua_pcall(L, 0, 0, HANDLER_SLOT);
    }
    /* A task has encoded the error that it raised. Here other errors are never looked at. */
    if (status == LUA_ERRRUN && vm->is_refusal && !vm->failed_with_value) encode_failure(L);
    /* Before moon_watch_end: afterwards a signal applies to the outer call, whose callback in Swift
     * has frames between here and there. */
    if (status != LUA_OK) lua_settop(L, HANDLER_SLOT);
    if (status == LUA_OK && moon_crowds_share(vm)) {
      lua_pushcfunction(L, moon_collect);
      lua_pcall(L, 0, 0, 0);
      lua_settop(L, HANDLER_SLOT);
    }
  } else {
    moon_watch_abandoned();
    status = LUA_ERRRUN;
  }
  bool killed = moon_is_killed(vm);
  moon_watch_end(vm, &outer);
  vm->call = NULL;
  moon_release_host(vm);
  moon_end_share(vm);
  vm->calls++;
  uint64_t ticks = moon_tick() - begun;
  /* Time stamp counters of two processors may differ slightly. */
  if ((int64_t)ticks > 0) vm->ticks += ticks;
  if (killed) {
    vm->dead = true; /* its data may be inconsistent */
    return (moon_status)atomic_load(&vm->kill_reason);
  }
  switch (status) {
    case LUA_OK: return MOON_OK;
    case LUA_ERRMEM: return MOON_MEMORY;
    case LUA_ERRERR: return vm->message.length > 0 ? MOON_RUNTIME : MOON_MEMORY;
    default:
      return e->is_syntax_error ? MOON_SYNTAX : vm->is_memory_error ? MOON_MEMORY : MOON_RUNTIME;
  }
}

moon_status moon_vm_run(moon_vm *vm, const moon_call *call, const uint8_t *source, size_t length,
                        const char *name, moon_buffer *out) {
  char chunk[MOON_FRAME_TEXT_MAX + 2];
  snprintf(chunk, sizeof chunk, "@%s", name);
  entry e = {.source = source != NULL ? source : (const uint8_t *)"",
             .source_length = length,
             .name = chunk,
             .out = out,
             .as_forms = true};
  return enter(vm, call, &e);
}

moon_status moon_vm_evaluate(moon_vm *vm, const moon_call *call, const uint8_t *source,
                             size_t length, const char *name, int32_t *task, moon_buffer *out) {
  char chunk[MOON_FRAME_TEXT_MAX + 2];
  snprintf(chunk, sizeof chunk, "=%s", name);
  entry e = {.source = source != NULL ? source : (const uint8_t *)"",
             .source_length = length,
             .name = chunk,
             .is_console = true,
             .out = out,
             .step = task != NULL ? MOON_START : MOON_NO_TASK,
             .task = task,
             .as_forms = true};
  if (task != NULL) *task = MOON_NO_REFERENCE;
  return enter(vm, call, &e);
}

moon_status moon_vm_call(moon_vm *vm, const moon_call *call, int32_t function,
                         const uint8_t *arguments, size_t length, moon_buffer *out) {
  entry e = {.function = function, .arguments = arguments, .arguments_length = length, .out = out};
  return enter(vm, call, &e);
}

moon_status moon_vm_call_items(moon_vm *vm, const moon_call *call, int32_t function,
                               const moon_item *items, int count, moon_buffer *out) {
  entry e = {.function = function, .items = items, .item_count = count, .out = out};
  return enter(vm, call, &e);
}

moon_status moon_vm_start(moon_vm *vm, const moon_call *call, int32_t function, bool is_effect,
                          const uint8_t *arguments, size_t length, int32_t *task,
                          moon_buffer *out) {
  entry e = {.function = function,
             .arguments = arguments,
             .arguments_length = length,
             .out = out,
             .step = is_effect ? MOON_START_EFFECT : MOON_START,
             .task = task};
  *task = MOON_NO_REFERENCE;
  return enter(vm, call, &e);
}

moon_status moon_vm_resume(moon_vm *vm, const moon_call *call, int32_t *task, bool is_evaluation,
                           const uint8_t *arguments, size_t length, moon_buffer *out) {
  entry e = {.arguments = arguments,
             .arguments_length = length,
             .out = out,
             .step = MOON_CONTINUE,
             .task = task,
             .as_forms = is_evaluation};
  return enter(vm, call, &e);
}

moon_status moon_vm_cancel(moon_vm *vm, const moon_call *call, int32_t *task) {
  entry e = {.step = MOON_CANCEL, .task = task};
  return enter(vm, call, &e);
}

static int open_machine(lua_State *L) {
  const moon_options *options = lua_touserdata(L, 1);
  moon_open_sandbox(L);
  moon_open_tables(L);
  moon_open_order(L);
  moon_open_guard(L);
  moon_open_matching(L);
  moon_open_texts(L);
  moon_open_lengths(L);
  moon_open_drafts(L);
  moon_open_library(L, options);
  /* Lua pushes these strings outside protected mode. Since they are interned here, pushing them
   * allocates nothing and can't fail. */
  static const char *const texts[] = {"error in error handling", "C stack overflow",
                                      "cannot resume dead coroutine",
                                      "cannot resume non-suspended coroutine", "message"};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    lua_pushstring(L, texts[i]);
    luaL_ref(L, LUA_REGISTRYINDEX);
  }
  return 0;
}

moon_status moon_vm_new(const moon_options *options, const moon_callbacks *callbacks,
                        moon_watchdog *watchdog, moon_vm **out, char *message,
                        size_t message_size) {
  *out = NULL;
  if (message_size > 0) message[0] = 0;
  moon_vm *vm = calloc(1, sizeof *vm);
  if (vm == NULL) return MOON_MEMORY;
  vm->callbacks = *callbacks;
  vm->watchdog = watchdog;
  vm->scratch.owner = vm->reply.owner = vm->message.owner = vm->frames.owner = vm;
  vm->fail_allocation = options->fail_allocation;
  vm->fail_after = options->fail_after;
  moon_vm_retire_drafts(vm);
  vm->host_random[0] = options->seed ^ 0x94d049bb133111ebu;
  vm->host_random[1] = options->seed + 1;
  moon_open_usage(vm);
  moon_set_quota(vm, 0);
  locale_t locale = moon_watch_set_locale();
  lua_State *L = lua_newstate(moon_allocate, vm);
  if (L == NULL) {
    moon_watch_restore_locale(locale);
    moon_free_all(vm);
    free(vm);
    return MOON_MEMORY;
  }
  vm->main = vm->running = L;
  *(moon_vm **)lua_getextraspace(L) = vm;
  lua_pushcfunction(L, open_machine);
  lua_pushlightuserdata(L, (void *)options);
  int status = lua_pcall(L, 1, 0, 0);
  moon_watch_restore_locale(locale);
  if (status == LUA_OK) lua_pushcfunction(L, handle_error);
  moon_cover(L);
  if (status == LUA_OK) {
    /* A reserve, so that an error can be reported when memory has run out. */
    moon_buffer_reserve(&vm->message, MOON_MESSAGE_MAX);
    moon_buffer_reserve(&vm->frames, MOON_FRAME_TEXT_MAX);
    moon_set_quota(vm, options->memory_quota);
    moon_share_quota(vm, options->shared_memory);
    *out = vm;
    return MOON_OK;
  }
  if (lua_type(L, -1) == LUA_TSTRING && message_size > 0)
    snprintf(message, message_size, "%s", lua_tostring(L, -1));
  moon_vm_close(vm);
  return status == LUA_ERRMEM ? MOON_MEMORY : MOON_RUNTIME;
}

void moon_vm_close(moon_vm *vm) {
  if (vm->shared != NULL) *vm->shared -= vm->shared_part;
  /* Modules can't set finalizers, so closing runs none of their code. */
  if (!vm->abandoned) lua_close(vm->main);
  moon_free_all(vm);
  moon_buffer_free(&vm->scratch);
  moon_buffer_free(&vm->reply);
  moon_buffer_free(&vm->message);
  moon_buffer_free(&vm->frames);
  free(vm);
}

const char *moon_lua_release(void) {
  static const char mark[] = ": Lua ";
  const char *found = strstr(lua_ident, mark);
  return found != NULL ? found + sizeof mark - 1 : LUA_VERSION_MAJOR "." LUA_VERSION_MINOR;
}

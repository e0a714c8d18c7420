/* Tasks: coroutines that wait for answers of the host.
 *
 * A wait yields two values, which stay on the stack of the coroutine and mark it as waiting. The
 * first is the waiting coroutine that it has resumed, or nil; the second is moon_key_wait. When a
 * coroutine waits, the coroutine.resume or coroutine.wrap function that resumed it yields too, and
 * later resumes it with the answer. Waits and answers thus pass through all coroutines of a script
 * without the script noticing. */
#include "internal.h"

/* Raises "file:line: text", with the place outside the library `moonwire`. Never returns. */
static int refuse(lua_State *L, const char *text) {
  moon_where(L);
  lua_pushstring(L, text);
  lua_concat(L, 2);
  return lua_error(L);
}

/* ---- Waiting ---- */

bool moon_waits(lua_State *co) {
  return lua_status(co) == LUA_YIELD && lua_gettop(co) >= 2 &&
         lua_touserdata(co, -1) == &moon_key_wait;
}

void moon_end_wait(lua_State *co) {
  if (moon_waits(co)) lua_settop(co, -3);
}

int moon_pass_wait(lua_State *L, lua_State *co, int kept, lua_KFunction again) {
  lua_settop(L, kept);
  lua_pushthread(co);
  lua_xmove(co, L, 1);
  lua_pushlightuserdata(L, &moon_key_wait);
  return lua_yieldk(L, 2, 0, again);
}

/* Returns the values of an answer, or raises its error. The first argument tells them apart. */
static int finish_wait(lua_State *L, int status, lua_KContext context) {
  (void)status, (void)context;
  if (!lua_toboolean(L, 1)) return refuse(L, luaL_optstring(L, 2, "the wait was cancelled"));
  return lua_gettop(L) - 1;
}

/* Whether the coroutine and all that resumed it, up to that of the task, can yield. */
static bool can_wait(lua_State *L) {
  moon_vm *vm = moon_vm_of(L);
  if (!lua_isyieldable(L)) return false;
  for (moon_resumer *r = vm->resumer; r != NULL && r->L != vm->main; r = r->outer)
    if (!lua_isyieldable(r->L)) return false;
  return true;
}

int moon_wait(lua_State *L) {
  moon_vm *vm = moon_vm_of(L);
  moon_refuse_in_pure(L, "waiting");
  if (vm->task == NULL) {
    moon_where(L);
    lua_pushfstring(L, "nothing can wait in %s: let an effect do it",
                    vm->call != NULL ? vm->call->entry : "a module's file");
    lua_concat(L, 2);
    return lua_error(L);
  }
  if (!can_wait(L))
    return refuse(L,
                  "nothing can wait here: not within table.sort, string.gsub, require, tostring "
                  "or a __close handler of what is cancelled");
  int count = moon_call_host(L);
  if (count > 0 && lua_toboolean(L, 1)) return count - 1;
  lua_settop(L, 0);
  lua_pushnil(L);
  lua_pushlightuserdata(L, &moon_key_wait);
  return lua_yieldk(L, 2, 0, finish_wait);
}

/* ---- Tasks ---- */

int moon_begin_task(lua_State *L) {
  luaL_checktype(L, 1, LUA_TFUNCTION);
  lua_settop(L, 1);
  lua_State *co = lua_newthread(L);
  lua_pushvalue(L, 1);
  lua_xmove(L, co, 1);
  lua_pushinteger(L, luaL_ref(L, LUA_REGISTRYINDEX));
  return 1;
}

static void forget(lua_State *L, int32_t *task) {
  if (*task > 0) luaL_unref(L, LUA_REGISTRYINDEX, *task);
  *task = MOON_NO_REFERENCE;
}

int moon_drop_task(lua_State *L) {
  int32_t task = (int32_t)luaL_checkinteger(L, 1);
  forget(L, &task);
  return 0;
}

/* [-1, +0, v] Ends a task that failed with the error on top of L, and raises that error, or that
 * of a __close handler instead. */
static int fail(lua_State *L, lua_State *co, int32_t *task) {
  moon_vm *vm = moon_vm_of(L);
  if (lua_status(co) != LUA_OK && lua_status(co) != LUA_YIELD) {
    vm->is_memory_error = lua_status(co) == LUA_ERRMEM;
    lua_pushvalue(L, -1);
    lua_xmove(L, co, 1);
    moon_record_error(co, -1, 0);
    vm->is_recorded = true;
    moon_close_coroutine(L, co);
    lua_xmove(co, L, 1);
    if (!lua_rawequal(L, -1, -2)) moon_record_error(L, -1, -1);
  }
  forget(L, task);
  moon_encode_failure(L);
  return lua_error(L);
}

/* Whether the value at an index is a task of tasks.lua, which has the method `await`. Pushes the
 * method if it is. */
static bool push_await(lua_State *L, int index) {
  if (lua_type(L, index) != LUA_TTABLE || !lua_getmetatable(L, index)) return false;
  lua_pushliteral(L, "__name");
  lua_rawget(L, -2);
  bool is_task = lua_type(L, -1) == LUA_TSTRING && strcmp(lua_tostring(L, -1), "task") == 0;
  lua_pop(L, 1);
  lua_pushliteral(L, "await");
  lua_rawget(L, -2);
  lua_remove(L, -2);
  if (is_task && lua_type(L, -1) == LUA_TFUNCTION) return true;
  lua_pop(L, 1);
  return false;
}

static int go_on(lua_State *L, lua_State *co, int32_t *task, int count) {
  moon_vm *vm = moon_vm_of(L);
  vm->task = co;
  int results = moon_resume(L, co, count);
  /* A task that is returned first is awaited, and its results are returned instead. */
  if (results > 0 && lua_status(co) == LUA_OK && push_await(L, 2)) {
    lua_xmove(L, co, 1);
    lua_settop(L, 2);
    results = moon_resume(L, co, 1);
  }
  if (results == MOON_RESUME_FAILED) return fail(L, co, task);
  vm->task = NULL;
  if (results == MOON_RESUME_WAITS) {
    lua_settop(L, 1);
    if (*task <= 0) *task = luaL_ref(L, LUA_REGISTRYINDEX);
    lua_settop(L, 0);
    return 0;
  }
  forget(L, task);
  lua_remove(L, 1);
  return results;
}

/* Closes a waiting coroutine and those that it has resumed, innermost first. Returns whether all
 * handlers succeeded. Records the first error. */
static bool close_all(lua_State *L, lua_State *co) {
  lua_State *inner = moon_waits(co) ? lua_tothread(co, -2) : NULL;
  bool went_well = inner == NULL || close_all(L, inner);
  if (moon_close_coroutine(L, co) == LUA_OK) return went_well;
  if (went_well) moon_record_error(co, -1, 0);
  moon_vm_of(L)->is_recorded = true;
  return false;
}

static int cancel(lua_State *L, lua_State *co, int32_t *task) {
  moon_vm_of(L)->task = co;
  bool went_well = close_all(L, co);
  forget(L, task);
  lua_settop(L, 0);
  if (went_well) return 0;
  lua_pushliteral(L, "a __close handler failed");
  return lua_error(L);
}

int moon_run_task(lua_State *L, moon_task_step step, int32_t *task, int count) {
  lua_State *co;
  if (step == MOON_START || step == MOON_START_EFFECT) {
    co = lua_newthread(L);
    lua_insert(L, 1);
    if (step == MOON_START_EFFECT) {
      /* The library calls the effect, whose function is the first argument. */
      lua_rawgetp(L, LUA_REGISTRYINDEX, &moon_key_effect);
      lua_xmove(L, co, 1);
      return go_on(L, co, task, count + 1);
    }
    lua_pushvalue(L, 2);
    lua_xmove(L, co, 1);
    lua_remove(L, 2);
    return go_on(L, co, task, count);
  }
  lua_rawgeti(L, LUA_REGISTRYINDEX, *task);
  co = lua_tothread(L, -1);
  if (co == NULL) return luaL_error(L, "there is no such task");
  lua_insert(L, 1);
  if (step == MOON_CANCEL) return cancel(L, co, task);
  if (!moon_waits(co)) { /* has not begun; takes no arguments */
    lua_settop(L, 1);
    count = 0;
  }
  moon_end_wait(co);
  return go_on(L, co, task, count);
}

/* Tasks: coroutines that wait for answers of the host. */
#include "tasks.h"
#include "errors.h"
#include "guard.h"
#include "waits.h"

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

/* [-1, +1, v] Ends a task that failed with the error on top of L. Leaves that error, or that of a
 * __close handler instead. */
static int fail(lua_State *L, lua_State *co, int32_t *task) {
  moon_vm *vm = moon_vm_of(L);
  if (lua_status(co) != LUA_OK && lua_status(co) != LUA_YIELD) {
    vm->is_memory_error = lua_status(co) == LUA_ERRMEM;
    moon_record_error(L, -1, co, 0);
    lua_pushvalue(L, -1);
    lua_xmove(L, co, 1);
    vm->is_recorded = true;
    moon_close_coroutine(L, co);
    lua_xmove(co, L, 1);
    if (!lua_rawequal(L, -1, -2)) moon_record_error(L, -1, L, -1);
  }
  forget(L, task);
  return MOON_RESUME_FAILED;
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
  lua_xmove(co, L, 1);
  if (went_well) moon_record_error(L, -1, co, 0);
  lua_pop(L, 1);
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

/* pcall, xpcall and coroutines. Unlike the library's, they don't catch a kill: no error handler of
 * a script can keep a call from ending. They also record which coroutine is running, and pass on
 * the wait of a task (see waits.c). */
#include "guard.h"
#include "errors.h"
#include "quota.h"
#include "waits.h"

/* Closing a coroutine runs its __close handlers, which may close other coroutines. Lua 5.4.4 counts
 * C calls separately in each, so the depth is limited here. */
#define CLOSING_MAX 16

static int finish_pcall(lua_State *L, int status, lua_KContext extra) {
  if (status != LUA_OK && status != LUA_YIELD) {
    moon_rethrow_kill(L);
    moon_mend_message(L, -1);
    lua_pushboolean(L, 0);
    lua_pushvalue(L, -2);
    return 2;
  }
  return lua_gettop(L) - (int)extra;
}

static int guarded_pcall(lua_State *L) {
  luaL_checkany(L, 1);
  lua_pushboolean(L, 1);
  lua_insert(L, 1);
  int status = lua_pcallk(L, lua_gettop(L) - 2, LUA_MULTRET, 0, 0, finish_pcall);
  return finish_pcall(L, status, 0);
}

/* Wraps a script's message handler (upvalue 1). For a kill it must not run: hooks are off there,
 * and it could loop forever. */
static int handle_message(lua_State *L) {
  if (lua_touserdata(L, 1) == &moon_key_killed) return 1;
  moon_mend_message(L, 1);
  lua_pushvalue(L, lua_upvalueindex(1));
  lua_insert(L, 1);
  lua_call(L, lua_gettop(L) - 1, 1);
  return 1;
}

static int guarded_xpcall(lua_State *L) {
  int count = lua_gettop(L);
  luaL_checktype(L, 2, LUA_TFUNCTION);
  lua_pushvalue(L, 2);
  lua_pushcclosure(L, handle_message, 1);
  lua_replace(L, 2);
  lua_pushboolean(L, 1);
  lua_pushvalue(L, 1);
  lua_rotate(L, 3, 2); /* function, handler, true, function, arguments */
  int status = lua_pcallk(L, count - 2, LUA_MULTRET, 2, 2, finish_pcall);
  return finish_pcall(L, status, 2);
}

static lua_State *coroutine_at(lua_State *L, int index) {
  lua_State *co = lua_tothread(L, index);
  luaL_argexpected(L, co != NULL, index, "coroutine");
  return co;
}

/* Whether a coroutine can be resumed. Pushes the message if not: lua_resume would report these
 * errors with an allocation outside protected mode. */
static bool can_resume(lua_State *L, lua_State *co) {
  lua_Debug frame;
  if (moon_waits(co)) {
    lua_pushliteral(L, "cannot resume a coroutine that waits for an answer of the host");
    return false;
  }
  if (lua_status(co) == LUA_YIELD) return true;
  bool is_active = lua_status(co) == LUA_OK && lua_getstack(co, 0, &frame) != 0;
  if (lua_status(co) == LUA_OK && !is_active && lua_gettop(co) > 0) return true;
  lua_pushstring(L, co == L || is_active ? "cannot resume non-suspended coroutine"
                                         : "cannot resume dead coroutine");
  return false;
}

int moon_resume(lua_State *L, lua_State *co, int count) {
  moon_vm *vm = moon_vm_of(L);
  if (!lua_checkstack(co, count)) {
    lua_pushliteral(L, "too many arguments to resume");
    return MOON_RESUME_FAILED;
  }
  if (!can_resume(L, co)) return MOON_RESUME_FAILED;
  moon_safe_point(L);
  lua_xmove(L, co, count);
  lua_State *outer = vm->running;
  moon_resumer resumer = {.L = L, .outer = vm->resumer};
  int results;
  vm->running = co;
  /* A kill before the assignment has armed its hook on the outer coroutine. */
  if (moon_is_killed(vm)) {
    vm->running = outer;
    moon_rethrow_kill(L);
  }
  vm->resumer = &resumer;
  int status = lua_resume(co, L, count, &results);
  vm->resumer = resumer.outer;
  vm->running = outer;
  if (vm->task != NULL && !vm->is_recorded && moon_is_killed(vm)) {
    /* The handler of `enter` sees none of the task's frames. */
    moon_record_error(co, -1, co, 0);
    vm->is_recorded = true;
  }
  moon_safe_point(L);
  if (status == LUA_YIELD && moon_waits(co)) return MOON_RESUME_WAITS;
  if (status == LUA_OK || status == LUA_YIELD) {
    if (!lua_checkstack(L, results + 1)) {
      lua_pop(co, results);
      lua_pushliteral(L, "too many results to resume");
      return MOON_RESUME_FAILED;
    }
    lua_xmove(co, L, results);
    return results;
  }
  lua_xmove(co, L, 1);
  moon_mend_message(L, -1);
  return MOON_RESUME_FAILED;
}

int moon_close_coroutine(lua_State *L, lua_State *co) {
  moon_vm *vm = moon_vm_of(L);
  moon_safe_point(L);
  if (vm->closing >= CLOSING_MAX) luaL_error(L, "C stack overflow");
  lua_State *outer = vm->running;
  vm->running = co;
  vm->closing++;
  int status = lua_resetthread(co); /* never raises */
  vm->closing--;
  vm->running = outer;
  moon_safe_point(L);
  return status;
}

static int resume_again(lua_State *L, int status, lua_KContext context);
static int call_again(lua_State *L, int status, lua_KContext context);

/* Ends coroutine.resume of the coroutine at 1. */
static int finish_resume(lua_State *L, int results) {
  if (results == MOON_RESUME_WAITS) return moon_pass_wait(L, lua_tothread(L, 1), 1, resume_again);
  lua_pushboolean(L, results >= 0);
  int count = results >= 0 ? results + 1 : 2;
  lua_insert(L, -count);
  return count;
}

static int coroutine_resume(lua_State *L) {
  lua_State *co = coroutine_at(L, 1);
  return finish_resume(L, moon_resume(L, co, lua_gettop(L) - 1));
}

static int resume_again(lua_State *L, int status, lua_KContext context) {
  (void)status, (void)context;
  lua_State *co = lua_tothread(L, 1);
  moon_end_wait(co);
  return finish_resume(L, moon_resume(L, co, lua_gettop(L) - 1));
}

/* Ends a call of the function that coroutine.wrap returned for `co`. */
static int finish_call(lua_State *L, lua_State *co, int results) {
  if (results == MOON_RESUME_WAITS) return moon_pass_wait(L, co, 0, call_again);
  if (results >= 0) return results;
  if (lua_status(co) != LUA_OK && lua_status(co) != LUA_YIELD) {
    /* Closing takes the error and returns it, or the error of a __close handler in its place. */
    lua_xmove(L, co, 1);
    moon_close_coroutine(L, co);
    lua_xmove(co, L, 1);
  }
  if (lua_type(L, -1) == LUA_TSTRING) {
    luaL_where(L, 1);
    lua_insert(L, -2);
    lua_concat(L, 2);
  }
  return lua_error(L);
}

static int call_wrapped(lua_State *L) {
  lua_State *co = lua_tothread(L, lua_upvalueindex(1));
  return finish_call(L, co, moon_resume(L, co, lua_gettop(L)));
}

static int call_again(lua_State *L, int status, lua_KContext context) {
  (void)status, (void)context;
  lua_State *co = lua_tothread(L, lua_upvalueindex(1));
  moon_end_wait(co);
  return finish_call(L, co, moon_resume(L, co, lua_gettop(L)));
}

static int coroutine_yield(lua_State *L) {
  if (L == moon_vm_of(L)->task)
    return luaL_error(L,
                      "coroutine.yield has nothing to return to here: to wait, call moon.sleep, "
                      "moon.take, moon.when or task:await");
  return lua_yield(L, lua_gettop(L));
}

static int coroutine_create(lua_State *L) {
  luaL_checktype(L, 1, LUA_TFUNCTION);
  lua_State *co = lua_newthread(L);
  lua_pushvalue(L, 1);
  lua_xmove(L, co, 1);
  return 1;
}

static int coroutine_wrap(lua_State *L) {
  coroutine_create(L);
  lua_pushcclosure(L, call_wrapped, 1);
  return 1;
}

static int coroutine_close(lua_State *L) {
  lua_State *co = coroutine_at(L, 1);
  lua_Debug frame;
  int status = lua_status(co);
  if (co == L || (status == LUA_OK && lua_getstack(co, 0, &frame)))
    return luaL_error(L, "cannot close a running coroutine");
  if (moon_waits(co))
    return luaL_error(L, "cannot close a coroutine that waits for an answer of the host");
  status = moon_close_coroutine(L, co);
  if (status == LUA_OK) {
    lua_pushboolean(L, 1);
    return 1;
  }
  lua_pushboolean(L, 0);
  lua_xmove(co, L, 1);
  return 2;
}

void moon_open_guard(lua_State *L) {
  static const luaL_Reg globals[] = {
      {"pcall", guarded_pcall}, {"xpcall", guarded_xpcall}, {NULL, NULL}};
  static const luaL_Reg coroutines[] = {{"create", coroutine_create}, {"wrap", coroutine_wrap},
                                        {"resume", coroutine_resume}, {"close", coroutine_close},
                                        {"yield", coroutine_yield},   {NULL, NULL}};
  lua_pushglobaltable(L);
  luaL_setfuncs(L, globals, 0);
  lua_getfield(L, -1, "coroutine");
  luaL_setfuncs(L, coroutines, 0);
  lua_pop(L, 2);
}

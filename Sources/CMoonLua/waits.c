/* Waits of tasks.
 *
 * A wait yields two values, which stay on the stack of the coroutine and mark it as waiting. The
 * first is the waiting coroutine that it has resumed, or nil; the second is moon_key_wait. When a
 * coroutine waits, the coroutine.resume or coroutine.wrap function that resumed it yields too, and
 * later resumes it with the answer. Waits and answers thus pass through all coroutines of a script
 * without the script noticing. */
#include "waits.h"
#include "calls.h"
#include "host.h"
#include "sandbox.h"

/* Raises "file:line: text", with the place outside the library `moonwire`. Never returns. */
static int refuse(lua_State *L, const char *text) {
  moon_where(L);
  lua_pushstring(L, text);
  lua_concat(L, 2);
  return lua_error(L);
}

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

/* Callbacks of the host, and the errors about them. */
#include "host.h"

#include <stdio.h>

void moon_vm_fail(moon_vm *vm, const uint8_t *text, size_t length) {
  if (length > sizeof vm->failure - 1) length = sizeof vm->failure - 1;
  memcpy(vm->failure, text, length);
  vm->failure[length] = 0;
  vm->failure_length = length;
}

/* Whether a chunk is the library `moonwire` or a part of it. */
static bool is_of_host(const char *source) {
  size_t length = sizeof MOON_PRELUDE - 1;
  return strncmp(source, MOON_PRELUDE, length) == 0 &&
         (source[length] == 0 || source[length] == '/');
}

void moon_where(lua_State *L) {
  lua_Debug frame;
  for (int level = 1; lua_getstack(L, level, &frame); level++) {
    lua_getinfo(L, "Sl", &frame);
    if (frame.currentline < 0 || is_of_host(frame.source)) continue;
    lua_pushfstring(L, "%s:%d: ", frame.short_src, frame.currentline);
    return;
  }
  /* Called in tail position: only the registration is known, and the host names it. */
  lua_pushliteral(L, "");
}

void moon_vm_place(moon_vm *vm, char *text, size_t size) {
  lua_State *L = vm->running;
  lua_Debug frame;
  text[0] = 0;
  for (int level = 0; L != NULL && lua_getstack(L, level, &frame); level++) {
    lua_getinfo(L, "Sl", &frame);
    if (frame.currentline < 0 || is_of_host(frame.source)) continue;
    snprintf(text, size, "%s:%d", frame.short_src, frame.currentline);
    return;
  }
}

int moon_raise_failure(lua_State *L) {
  moon_vm *vm = moon_vm_of(L);
  moon_where(L);
  lua_pushlstring(L, vm->failure, vm->failure_length);
  lua_concat(L, 2);
  return lua_error(L);
}

void moon_refuse_argument(lua_State *L, const char *code) {
  int reason = lua_gettop(L);
  if (lua_rawgetp(L, LUA_REGISTRYINDEX, &moon_key_refusal) == LUA_TFUNCTION) {
    lua_pushvalue(L, MOON_SERVICE_SLOT);
    lua_pushstring(L, code);
    lua_pushvalue(L, reason);
    lua_call(L, 3, 0); /* raises the error */
  }
  lua_settop(L, reason);
  moon_where(L);
  lua_insert(L, reason);
  lua_concat(L, 2);
  lua_error(L);
}

/* `require`, and the native functions that the library `moonwire` is built from. */
#include "libraries.h"
#include "calls.h"
#include "decode.h"
#include "host.h"
#include "items.h"
#include "marks.h"
#include "memory.h"
#include "sandbox.h"
#include "source.h"
#include "tasks.h"
#include "waits.h"

/* Longest name of a library, and most libraries that a machine can ask for. Each is recorded. */
#define LIBRARY_NAME_MAX 256
#define LIBRARY_COUNT_MAX 1000

/* list(t): marks a table without a metatable as a list. */
static int mark_list(lua_State *L) {
  if (lua_isnone(L, 1)) {
    lua_createtable(L, 0, 0);
  } else if (lua_isnil(L, 1)) {
    /* A misspelt field, most likely. */
    return luaL_error(L, "moon.list takes a table or no argument, not nil");
  }
  if (moon_is_draft(L, 1)) return 1;
  luaL_checktype(L, 1, LUA_TTABLE);
  lua_settop(L, 1);
  if (lua_getmetatable(L, 1)) return luaL_argerror(L, 1, "has a metatable of its own");
  lua_rawgetp(L, LUA_REGISTRYINDEX, &moon_key_list);
  lua_setmetatable(L, 1);
  return 1;
}

/* console(t): sets the globals of evaluated text. */
static int set_console(lua_State *L) {
  luaL_checktype(L, 1, LUA_TTABLE);
  lua_settop(L, 1);
  lua_rawsetp(L, LUA_REGISTRYINDEX, &moon_key_console);
  return 0;
}

/* context(t): sets the `self` of registrations. */
static int set_context(lua_State *L) {
  luaL_checktype(L, 1, LUA_TTABLE);
  lua_settop(L, 1);
  lua_rawsetp(L, LUA_REGISTRYINDEX, &moon_key_context);
  return 0;
}

/* refusal(f): sets the function that raises the error of a service, f(service, code, reason). */
static int set_refusal(lua_State *L) {
  luaL_checktype(L, 1, LUA_TFUNCTION);
  lua_settop(L, 1);
  lua_rawsetp(L, LUA_REGISTRYINDEX, &moon_key_refusal);
  return 0;
}

/* refused(metatable): sets the metatable of the errors of moon.refuse. */
static int set_refused(lua_State *L) {
  luaL_checktype(L, 1, LUA_TTABLE);
  lua_settop(L, 1);
  lua_rawsetp(L, LUA_REGISTRYINDEX, &moon_key_refused);
  return 0;
}

/* where(): the place that called the library `moonwire`, before a message. */
static int where(lua_State *L) {
  moon_where(L);
  return 1;
}

/* refuse_in_pure(what) */
static int refuse(lua_State *L) {
  moon_refuse_in_pure(L, luaL_checkstring(L, 1));
  return 0;
}

static int require_library(lua_State *L);

/* Maximum number of libraries named in a circle. */
#define CIRCLE_MAX 20

/* [-0, +0, v] Raises the error for a library that is required while it is being loaded, or that
 * failed to load. The active calls of `require` are the chain that led here. */
static int refuse_again(lua_State *L, const char *name) {
  luaL_Buffer chain;
  lua_Debug frame;
  int first = -1, count = 0;
  /* Finds the outermost call for this library; level 0 is this one. */
  for (int level = 1; lua_getstack(L, level, &frame); level++) {
    lua_getinfo(L, "f", &frame);
    bool is_require = lua_tocfunction(L, -1) == require_library;
    lua_pop(L, 1);
    if (!is_require || lua_getlocal(L, &frame, 1) == NULL) continue;
    if (lua_type(L, -1) == LUA_TSTRING && strcmp(lua_tostring(L, -1), name) == 0) first = level;
    lua_pop(L, 1);
  }
  if (first < 0)
    return luaL_error(L, "require: '%s' has failed to load before, or is loading", name);
  luaL_buffinit(L, &chain);
  for (int level = first; level > 0 && lua_getstack(L, level, &frame); level--) {
    lua_getinfo(L, "f", &frame);
    bool is_require = lua_tocfunction(L, -1) == require_library;
    lua_pop(L, 1);
    if (!is_require || lua_getlocal(L, &frame, 1) == NULL) continue;
    if (lua_type(L, -1) != LUA_TSTRING || ++count > CIRCLE_MAX) {
      lua_pop(L, 1);
      continue;
    }
    luaL_addvalue(&chain);
    luaL_addstring(&chain, " \xE2\x86\x92 ");
  }
  if (count > CIRCLE_MAX) luaL_addstring(&chain, "\xE2\x80\xA6 \xE2\x86\x92 ");
  luaL_addstring(&chain, name);
  luaL_pushresult(&chain);
  return luaL_error(L, "require: '%s' requires itself: %s", name, lua_tostring(L, -1));
}

static int require_library(lua_State *L) {
  moon_vm *vm = moon_vm_of(L);
  size_t length;
  const char *name = luaL_checklstring(L, 1, &length);
  lua_settop(L, 1);
  lua_rawgetp(L, LUA_REGISTRYINDEX, &moon_key_libraries); /* 2 */
  lua_pushvalue(L, 1);
  if (lua_rawget(L, 2) != LUA_TNIL) {
    if (lua_touserdata(L, -1) == &moon_key_libraries) return refuse_again(L, name);
    return 1;
  }
  lua_pop(L, 1);
  if (length > LIBRARY_NAME_MAX)
    return luaL_error(L, "require: a name of more than %d bytes", LIBRARY_NAME_MAX);
  if (++vm->library_count > LIBRARY_COUNT_MAX)
    return luaL_error(L, "require: more than %d libraries", LIBRARY_COUNT_MAX);
  moon_buffer_clear(&vm->reply);
  if (moon_callback(vm, find_library, (const uint8_t *)name, length, &vm->reply) != MOON_DONE)
    return moon_raise_failure(L);
  moon_check_buffer(L, &vm->reply);
  uint32_t name_length;
  memcpy(&name_length, vm->reply.bytes, sizeof name_length);
  const char *chunk = (const char *)vm->reply.bytes + sizeof name_length;
  size_t source_length = vm->reply.length - sizeof name_length - name_length;
  lua_pushliteral(L, "@");
  lua_pushlstring(L, chunk, name_length);
  lua_concat(L, 2); /* 3 */
  if (moon_compile(L, chunk + name_length, source_length, lua_tostring(L, 3)) != LUA_OK)
    return lua_error(L);
  lua_pushvalue(L, 1);
  lua_pushlightuserdata(L, &moon_key_libraries);
  lua_rawset(L, 2);
  lua_pushvalue(L, 1);
  lua_call(L, 1, 1);
  lua_pushvalue(L, 1);
  if (lua_isnil(L, -2)) {
    lua_pushboolean(L, 1);
    lua_replace(L, -3);
  }
  lua_pushvalue(L, -2);
  lua_rawset(L, 2);
  return 1;
}

/* effect(f): sets the function that calls effects, f(effect, ...). */
static int set_effect(lua_State *L) {
  luaL_checktype(L, 1, LUA_TFUNCTION);
  lua_settop(L, 1);
  lua_rawsetp(L, LUA_REGISTRYINDEX, &moon_key_effect);
  return 0;
}

/* secret(metatable): sets the metatable of secrets. */
static int set_secret(lua_State *L) {
  luaL_checktype(L, 1, LUA_TTABLE);
  lua_settop(L, 1);
  lua_rawsetp(L, LUA_REGISTRYINDEX, &moon_key_secret);
  return 0;
}

/* is_secret(value): whether it is a secret, and not a table that looks like one. */
static int is_secret(lua_State *L) {
  lua_pushboolean(L, lua_type(L, 1) == LUA_TTABLE && moon_is_secret(L, 1));
  return 1;
}

void moon_open_library(lua_State *L, const moon_options *options) {
  static const luaL_Reg native[] = {
      {"call", moon_call_host},   {"list", mark_list},        {"console", set_console},
      {"context", set_context},   {"refuse_in_pure", refuse}, {"wait", moon_wait},
      {"begin", moon_begin_task}, {"drop", moon_drop_task},   {"where", where},
      {"effect", set_effect},     {"secret", set_secret},     {"is_secret", is_secret},
      {"refusal", set_refusal},   {"refused", set_refused},   {NULL, NULL}};
  lua_createtable(L, 0, 8);
  lua_createtable(L, 0, 2);
  lua_pushglobaltable(L);
  lua_setfield(L, -2, "__index");
  lua_setmetatable(L, -2);
  lua_rawsetp(L, LUA_REGISTRYINDEX, &moon_key_console);
  lua_createtable(L, 0, 4);
  lua_rawsetp(L, LUA_REGISTRYINDEX, &moon_key_libraries);
  lua_pushcfunction(L, require_library);
  lua_setglobal(L, "require");
  if (luaL_loadbufferx(L, (const char *)options->prelude, options->prelude_length, MOON_PRELUDE,
                       "t") != LUA_OK)
    lua_error(L);
  luaL_newlib(L, native);
  moon_push_null(L);
  lua_setfield(L, -2, "null");
  int settings = moon_decode_all(L, options->settings, options->settings_length);
  lua_call(L, 1 + settings, 1);
  lua_rawgetp(L, LUA_REGISTRYINDEX, &moon_key_libraries);
  lua_insert(L, -2);
  lua_setfield(L, -2, "moonwire");
  lua_pop(L, 1);
}

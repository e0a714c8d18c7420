/* `require`, and the native functions that the library `moonwire` is built from. */
#include "internal.h"

/* Fraction of the quota that one call can pass to the host, which keeps a thousand actions. */
#define CALL_SHARE 64
/* The same of a call of a service. The bytes exist up to four times while they are passed on. */
#define SERVICE_SHARE 8
/* Longest name of a library, and most libraries that a machine can ask for. Each is recorded. */
#define LIBRARY_NAME_MAX 256
#define LIBRARY_COUNT_MAX 1000

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

/* Refuses what is larger than the share of one call. Never returns. */
static void refuse_size(lua_State *L, moon_shape shape, size_t most) {
  moon_buffer_trim(&moon_vm_of(L)->scratch);
  if (shape != MOON_AS_BYTES) moon_where(L);
  lua_pushfstring(L, "more than %d KB can't be passed to the host at once", (int)(most / 1024));
  if (shape == MOON_AS_BYTES) moon_refuse_argument(L, "too_large");
  lua_concat(L, 2);
  lua_error(L);
}

/* call(function, ...): calls a function of the host. */
int moon_call_host(lua_State *L) {
  moon_vm *vm = moon_vm_of(L);
  int32_t function = (int32_t)luaL_checkinteger(L, 1);
  int count = lua_gettop(L);
  moon_buffer_clear(&vm->scratch);
  moon_buffer_clear(&vm->reply);
  size_t cost = 0;
  moon_shape shape = function >= MOON_TAKES_BYTES ? MOON_AS_BYTES : MOON_AS_VALUE;
  size_t most = vm->quota / (shape == MOON_AS_BYTES ? SERVICE_SHARE : CALL_SHARE);
  for (int i = 2; i <= count; i++) {
    /* A long text would need more memory than the quota has before its size is known. */
    bool is_text = lua_type(L, i) == LUA_TSTRING;
    if (vm->quota != 0 && is_text && lua_rawlen(L, i) > most) refuse_size(L, shape, most);
    cost += moon_encode(L, i, shape, NULL, &vm->scratch);
  }
  moon_check_buffer(L, &vm->scratch);
  if (vm->quota != 0 && vm->scratch.length > most) refuse_size(L, shape, most);
  moon_charge_host(L, cost);
  if (moon_callback(vm, host_call, function, vm->scratch.bytes, vm->scratch.length, &vm->reply) !=
      MOON_DONE)
    return moon_raise_failure(L);
  moon_check_buffer(L, &vm->reply);
  lua_settop(L, 0);
  return moon_decode_all(L, vm->reply.bytes, vm->reply.length);
}

/* list(t): marks a table without a metatable as a list. */
static int mark_list(lua_State *L) {
  if (lua_isnoneornil(L, 1)) {
    lua_settop(L, 0);
    lua_createtable(L, 0, 0);
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
  static const luaL_Reg native[] = {{"call", moon_call_host},   {"list", mark_list},
                                    {"console", set_console},   {"context", set_context},
                                    {"refuse_in_pure", refuse}, {"wait", moon_wait},
                                    {"begin", moon_begin_task}, {"drop", moon_drop_task},
                                    {"where", where},           {"effect", set_effect},
                                    {"secret", set_secret},     {"is_secret", is_secret},
                                    {"refusal", set_refusal},   {NULL, NULL}};
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

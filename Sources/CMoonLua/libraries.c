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

/* What `package.config` is on Linux. */
#define CONFIG "/\n;\n?\n!\n-\n"

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
  if (moon_is_draft(L, 1) || (lua_istable(L, 1) && moon_is_marked_list(L, 1))) {
    lua_settop(L, 1);
    return 1;
  }
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

/* [-1, +1, m] Replaces the table on top by a copy. */
static void copy_table(lua_State *L) {
  lua_createtable(L, 0, 20);
  lua_pushnil(L);
  while (lua_next(L, -3)) {
    lua_pushvalue(L, -2);
    lua_insert(L, -2);
    lua_rawset(L, -4);
  }
  lua_remove(L, -2);
}

/* [-0, +0, m] Keeps the globals, and the tables in them, as they are now. The host's own libraries
 * run with them: one that is loaded late would otherwise call what a module has put there, and
 * hand it the host's functions. Their `_G` is that of scripts. */
static void keep_globals(lua_State *L) {
  lua_pushglobaltable(L);
  lua_createtable(L, 0, 40);
  lua_pushnil(L);
  while (lua_next(L, -3)) {
    if (lua_istable(L, -1) && !lua_rawequal(L, -1, -4)) copy_table(L);
    lua_pushvalue(L, -2);
    lua_insert(L, -2);
    lua_rawset(L, -4);
  }
  lua_rawsetp(L, LUA_REGISTRYINDEX, &moon_key_globals);
  lua_pop(L, 1);
}

/* [-0, +0, v] Replaces the name `.util` at 1 by the full one, `shop.util` in a file of the folder
 * `shop`. */
static void complete_name(lua_State *L) {
  lua_Debug frame = {.source = ""};
  /* The innermost function of a file; pcall may be in between. */
  for (int level = 1; frame.source[0] != '@' && lua_getstack(L, level, &frame); level++)
    lua_getinfo(L, "S", &frame);
  const char *end = frame.source[0] == '@' ? strrchr(frame.source, '/') : NULL;
  if (end == NULL)
    luaL_error(L,
               "require: '%s' begins with a dot, for the folder of the file that requires it: "
               "only a file in a folder can do so",
               lua_tostring(L, 1));
  lua_pushlstring(L, frame.source + 1, (size_t)(end - frame.source - 1));
  luaL_gsub(L, lua_tostring(L, -1), "/", ".");
  lua_pushvalue(L, 1);
  lua_concat(L, 2);
  lua_replace(L, 1);
  lua_settop(L, 1);
}

/* Whether a library with the name at 1 is the host's own. Scripts can't put others in its place. */
static bool is_of_host(lua_State *L) {
  static const char host[] = "moonwire";
  size_t length = sizeof host - 1;
  const char *name = lua_tostring(L, 1);
  return strncmp(name, host, length) == 0 && (name[length] == 0 || name[length] == '.');
}

/* [-0, +1, v] Pushes what a table of `package` holds under the name at 1. */
static bool push_own(lua_State *L, const void *table) {
  lua_rawgetp(L, LUA_REGISTRYINDEX, table);
  lua_pushvalue(L, 1);
  bool is_there = lua_rawget(L, -2) != LUA_TNIL;
  lua_remove(L, -2);
  return is_there;
}

/* [-0, +1 or 0, v] Pushes Lua's own library with the name at 1, and returns true if there is one.
 */
static bool push_standard(lua_State *L) {
  static const char *const names[] = {"coroutine", "debug",  "io",    "math", "os",
                                      "package",   "string", "table", "utf8"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strcmp(names[i], lua_tostring(L, 1)) == 0) return lua_getglobal(L, names[i]) != LUA_TNIL;
  return false;
}

/* [-0, +1, v] Pushes the result of a file that another name stands for too, and returns true; or
 * pushes the file's function, and puts the key of its result at 3. */
static bool push_file(lua_State *L) {
  moon_vm *vm = moon_vm_of(L);
  size_t length;
  const char *name = lua_tolstring(L, 1, &length);
  if (++vm->library_count > LIBRARY_COUNT_MAX)
    luaL_error(L, "require: more than %d libraries", LIBRARY_COUNT_MAX);
  moon_buffer_clear(&vm->reply);
  if (moon_callback(vm, find_library, (const uint8_t *)name, length, &vm->reply) != MOON_DONE) {
    if (push_standard(L)) return true;
    moon_raise_failure(L);
  }
  moon_check_buffer(L, &vm->reply);
  uint32_t name_length, is_compiled;
  memcpy(&name_length, vm->reply.bytes, sizeof name_length);
  memcpy(&is_compiled, vm->reply.bytes + sizeof name_length, sizeof is_compiled);
  size_t head = sizeof name_length + sizeof is_compiled;
  const char *chunk = (const char *)vm->reply.bytes + head;
  size_t source_length = vm->reply.length - head - name_length;
  lua_pushliteral(L, "@");
  lua_pushlstring(L, chunk, name_length);
  lua_concat(L, 2);
  lua_replace(L, 3);
  lua_pushvalue(L, 3);
  if (lua_rawget(L, 2) != LUA_TNIL) return true;
  lua_pop(L, 1);
  const char *source = chunk + name_length;
  int status = is_compiled ? luaL_loadbufferx(L, source, source_length, lua_tostring(L, 3), "b")
                           : moon_compile_file(L, source, source_length, lua_tostring(L, 3));
  if (status != LUA_OK) lua_error(L);
  if (is_of_host(L)) {
    lua_rawgetp(L, LUA_REGISTRYINDEX, &moon_key_globals);
    if (lua_setupvalue(L, -2, 1) == NULL) lua_pop(L, 1);
  }
  return false;
}

/* [-1, +0, v] Keeps the value on top as the result of the library, under its name and its file. */
static void keep_result(lua_State *L) {
  for (int key = 1; key <= 3; key += 2) {
    lua_pushvalue(L, key);
    lua_pushvalue(L, -2);
    lua_rawset(L, 2);
  }
  lua_pop(L, 1);
}

static int require_library(lua_State *L) {
  size_t length;
  luaL_checklstring(L, 1, &length);
  lua_settop(L, 1);
  if (length > LIBRARY_NAME_MAX)
    return luaL_error(L, "require: a name of more than %d bytes", LIBRARY_NAME_MAX);
  const char *name = lua_tostring(L, 1);
  if (name[0] == '.' && name[1] != '.' && name[1] != '/') complete_name(L);
  lua_rawgetp(L, LUA_REGISTRYINDEX, &moon_key_libraries); /* 2 */
  lua_pushvalue(L, 1);                                    /* 3 */
  bool is_own = !is_of_host(L) && push_own(L, &moon_key_loaded);
  if (is_own) return 1;
  lua_settop(L, 3);
  lua_pushvalue(L, 1);
  bool is_known = lua_rawget(L, 2) != LUA_TNIL;
  bool is_preloaded = false;
  if (!is_known) {
    lua_settop(L, 3);
    is_preloaded = !is_of_host(L) && push_own(L, &moon_key_preload);
  }
  if (!is_known && !is_preloaded) {
    lua_settop(L, 3);
    is_known = push_file(L);
  }
  if (is_known) {
    if (lua_touserdata(L, -1) == &moon_key_libraries) return refuse_again(L, lua_tostring(L, 1));
    return 1;
  }
  lua_pushlightuserdata(L, &moon_key_libraries);
  keep_result(L);
  lua_pushvalue(L, 1);
  if (is_preloaded) lua_pushliteral(L, ":preload:");
  lua_call(L, is_preloaded ? 2 : 1, 1);
  if (lua_isnil(L, -1)) {
    lua_pushboolean(L, 1);
    lua_replace(L, -2);
  }
  lua_pushvalue(L, -1);
  keep_result(L);
  return 1;
}

/* shown(f): sets the function that makes a text of any value, for errors that are tables. */
static int set_shown(lua_State *L) {
  luaL_checktype(L, 1, LUA_TFUNCTION);
  lua_settop(L, 1);
  lua_rawsetp(L, LUA_REGISTRYINDEX, &moon_key_shown);
  return 0;
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

/* Opens the part of `package` that libraries look at. Both tables hold only what scripts put in. */
static void open_package(lua_State *L) {
  lua_createtable(L, 0, 3);
  lua_pushliteral(L, CONFIG);
  lua_setfield(L, -2, "config");
  lua_createtable(L, 0, 0);
  lua_pushvalue(L, -1);
  lua_rawsetp(L, LUA_REGISTRYINDEX, &moon_key_loaded);
  lua_setfield(L, -2, "loaded");
  lua_createtable(L, 0, 0);
  lua_pushvalue(L, -1);
  lua_rawsetp(L, LUA_REGISTRYINDEX, &moon_key_preload);
  lua_setfield(L, -2, "preload");
  lua_setglobal(L, "package");
}

void moon_open_library(lua_State *L, const moon_options *options) {
  static const luaL_Reg native[] = {{"call", moon_call_host},   {"list", mark_list},
                                    {"console", set_console},   {"context", set_context},
                                    {"refuse_in_pure", refuse}, {"wait", moon_wait},
                                    {"begin", moon_begin_task}, {"drop", moon_drop_task},
                                    {"where", where},           {"effect", set_effect},
                                    {"secret", set_secret},     {"is_secret", is_secret},
                                    {"refusal", set_refusal},   {"shown", set_shown},
                                    {"refused", set_refused},   {NULL, NULL}};
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
  open_package(L);
  keep_globals(L);
  if (luaL_loadbufferx(L, (const char *)options->prelude, options->prelude_length, MOON_PRELUDE,
                       "bt") != LUA_OK)
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

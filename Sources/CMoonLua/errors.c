/* The messages and tracebacks of errors, for the host and for scripts that catch them. */
#include "errors.h"
#include "items.h"
#include "memory.h"

#include <stdio.h>

/* [-0, +0, m] Puts `word` in the place of the text at `found`, of `size` bytes, in the message at
 * `index`, which is absolute. */
static void replace(lua_State *L, int index, const char *found, size_t size, const char *word) {
  if (!lua_checkstack(L, 3)) return;
  size_t length;
  const char *text = lua_tolstring(L, index, &length), *rest = found + size;
  lua_pushlstring(L, text, (size_t)(found - text));
  lua_pushstring(L, word);
  lua_pushlstring(L, rest, length - (size_t)(rest - text));
  lua_concat(L, 3);
  lua_replace(L, index);
}

void moon_mend_message(lua_State *L, int index) {
  static const char word[] = "userdata", element[] = "(field 'integer index')";
  static const char *const forms[] = {" a userdata value", " two userdata values",
                                      " compare userdata with ", " with userdata"};
  if (lua_type(L, index) != LUA_TSTRING) return;
  index = lua_absindex(L, index);
  const char *text = lua_tostring(L, index), *found = NULL;
  const char *reason = strstr(text, "attempt to ");
  if (reason != NULL && (found = strstr(reason, element)) != NULL) {
    replace(L, index, found, sizeof element - 1, "(an element by its number)");
    return;
  }
  for (size_t i = 0; reason != NULL && found == NULL && i < sizeof forms / sizeof *forms; i++)
    found = strstr(reason, forms[i]);
  if (found != NULL) replace(L, index, strstr(found, word), sizeof word - 1, "table");
}

static void record_traceback(lua_State *L, moon_vm *vm, int level) {
  lua_Debug frame;
  char number[16];
  int kept = 0;
  moon_buffer_clear(&vm->frames);
  for (; kept < MOON_FRAMES_MAX && lua_getstack(L, level, &frame); level++) {
    lua_getinfo(L, "Sln", &frame);
    if (frame.currentline < 0) continue; /* a function in C */
    const char *source = frame.source[0] == '@' ? frame.source + 1 : frame.short_src;
    const char *name = frame.name != NULL ? frame.name : frame.what[0] == 'm' ? "main chunk" : "";
    int digits = snprintf(number, sizeof number, "\t%d\t", frame.currentline);
    moon_buffer_append(&vm->frames, source, strnlen(source, MOON_FRAME_TEXT_MAX));
    moon_buffer_append(&vm->frames, number, (size_t)digits);
    moon_buffer_append(&vm->frames, name, strnlen(name, MOON_FRAME_TEXT_MAX));
    moon_buffer_append(&vm->frames, "\n", 1);
    kept++;
  }
}

/* The text under `message` of an error that is a table, as those of services are; or NULL. The
 * table keeps the text. Calls no metamethods and allocates nothing, since the name is interned. */
static const char *message_field(lua_State *L, int index, size_t *length) {
  if (lua_type(L, index) != LUA_TTABLE || !lua_checkstack(L, 2)) return NULL;
  index = lua_absindex(L, index);
  lua_pushliteral(L, "message");
  lua_rawget(L, index);
  const char *text = lua_type(L, -1) == LUA_TSTRING ? lua_tolstring(L, -1, length) : NULL;
  lua_pop(L, 1);
  return text;
}

/* [-0, +1 or 0, -] Pushes the text of an error that is a table, as `print` shows it, and returns
 * true; or returns false. The table may have a `__tostring`, so the text is made only where the
 * hooks of the watchdog reach: in the coroutine that runs, and not for a kill. */
static bool push_shown(lua_State *L, int index) {
  moon_vm *vm = moon_vm_of(L);
  index = lua_absindex(L, index);
  if (L != vm->running || moon_is_killed(vm) || !lua_checkstack(L, 3)) return false;
  lua_rawgetp(L, LUA_REGISTRYINDEX, &moon_key_shown);
  if (lua_isfunction(L, -1)) {
    lua_pushvalue(L, index);
    if (lua_pcall(L, 1, 1, 0) == LUA_OK && lua_type(L, -1) == LUA_TSTRING) return true;
  }
  lua_pop(L, 1);
  return false;
}

static void record_message(lua_State *L, moon_vm *vm, int index) {
  char number[48];
  size_t length = 0;
  const char *text;
  int top = lua_gettop(L);
  switch (lua_type(L, index)) {
    case LUA_TSTRING:
      moon_mend_message(L, index);
      text = lua_tolstring(L, index, &length);
      break;
    case LUA_TNUMBER:
      length =
          (size_t)(lua_isinteger(L, index)
                       ? snprintf(number, sizeof number, LUA_INTEGER_FMT, lua_tointeger(L, index))
                       : snprintf(number, sizeof number, "%.14g", lua_tonumber(L, index)));
      text = number;
      break;
    default:
      text = message_field(L, index, &length);
      if (text != NULL) break;
      if ((lua_istable(L, index) || moon_is_draft(L, index)) && push_shown(L, index)) {
        text = lua_tolstring(L, -1, &length);
        break;
      }
      length = (size_t)snprintf(number, sizeof number, "(the error is a %s)",
                                moon_is_draft(L, index) ? "table" : luaL_typename(L, index));
      text = number;
  }
  moon_buffer_clear(&vm->message);
  moon_buffer_append(&vm->message, text, length > MOON_MESSAGE_MAX ? MOON_MESSAGE_MAX : length);
  lua_settop(L, top);
}

/* Whether the value at an index is an error of moon.refuse. Allocates nothing. */
static bool is_refusal(lua_State *L, int index) {
  if (lua_type(L, index) != LUA_TTABLE || !lua_checkstack(L, 2)) return false;
  if (!lua_getmetatable(L, index)) return false;
  lua_rawgetp(L, LUA_REGISTRYINDEX, &moon_key_refused);
  bool is_refused = lua_istable(L, -1) && lua_rawequal(L, -1, -2);
  lua_pop(L, 2);
  return is_refused;
}

void moon_record_error(lua_State *L, int index, lua_State *traced, int level) {
  moon_vm *vm = moon_vm_of(L);
  vm->is_refusal = is_refusal(L, index);
  if (lua_touserdata(L, index) != &moon_key_killed)
    record_message(L, vm, index);
  else
    moon_buffer_clear(&vm->message);
  if (level >= 0) record_traceback(traced, vm, level);
}

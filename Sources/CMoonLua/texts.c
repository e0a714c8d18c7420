/* Functions of `string` whose time or memory depends on the value of an argument. They charge the
 * memory before they use it. The other functions take time linear in their texts, which the quota
 * limits. */
#include "texts.h"
#include "quota.h"
#include "sandbox.h"

/* Longest result of a directive of a format, not counting strings. */
#define DIRECTIVE_BYTES_MAX 512

/* [-0, +results, e] Calls the library function (upvalue 1) with all arguments. */
static int call_library(lua_State *L) {
  int count = lua_gettop(L);
  lua_pushvalue(L, lua_upvalueindex(1));
  lua_insert(L, 1);
  lua_call(L, count, LUA_MULTRET);
  return lua_gettop(L);
}

/* [-0, +0, -] The total length of all strings among the arguments. */
static size_t argument_bytes(lua_State *L) {
  size_t bytes = 0;
  for (int i = lua_gettop(L); i > 0; i--)
    if (lua_type(L, i) == LUA_TSTRING) bytes += lua_rawlen(L, i);
  return bytes;
}

/* Upvalue: the library function string.format. */
static int format_text(lua_State *L) {
  int count = lua_gettop(L);
  size_t length;
  bool quotes = false;
  const char *format = luaL_checklstring(L, 1, &length);
  for (size_t i = 0; i + 1 < length; i++) {
    if (format[i] != '%') continue;
    i++;
    while (i < length && strchr("-+ #0123456789.", format[i]) != NULL && format[i] != 0) i++;
    if (i < length && format[i] == 'p')
      return luaL_argerror(L, 1, "'%p' isn't available: addresses differ from run to run");
    if (i < length && format[i] == 'q') quotes = true;
  }
  for (int i = 2; i <= count; i++) {
    int type = lua_type(L, i);
    if (type == LUA_TTABLE || type >= LUA_TFUNCTION || type == LUA_TLIGHTUSERDATA) {
      lua_pushcfunction(L, moon_to_text);
      lua_pushvalue(L, i);
      lua_call(L, 1, 1);
      lua_replace(L, i);
    }
  }
  /* %q writes up to four bytes for each byte. */
  moon_charge(L, argument_bytes(L) * (quotes ? 4 : 1) + (size_t)count * DIRECTIVE_BYTES_MAX);
  return call_library(L);
}

static int repeat_text(lua_State *L) {
  size_t length, gap;
  const char *text = luaL_checklstring(L, 1, &length);
  lua_Integer count = luaL_checkinteger(L, 2);
  const char *separator = luaL_optlstring(L, 3, "", &gap);
  if (count <= 0 || length + gap == 0) {
    lua_pushliteral(L, "");
    return 1;
  }
  if ((lua_Unsigned)count > (LUA_MAXINTEGER - length) / (length + gap))
    return luaL_error(L, "resulting string too large");
  size_t total = (size_t)count * length + (size_t)(count - 1) * gap;
  moon_charge(L, total);
  luaL_Buffer buffer;
  char *out = luaL_buffinitsize(L, &buffer, total);
  /* Doubles what is there, which takes few copies even for a short text. */
  size_t done = 0;
  memcpy(out, text, length);
  done = length;
  if (done < total) {
    memcpy(out + done, separator, gap);
    done += gap;
    for (; done < total; done *= 2) {
      size_t more = done < total - done ? done : total - done;
      memcpy(out + done, out, more);
      if (more < done) break;
    }
  }
  luaL_pushresultsize(&buffer, total);
  return 1;
}

/* Upvalue: the library function string.pack, which pads "c1000000000" byte by byte. */
static int pack_text(lua_State *L) {
  size_t length, bytes = argument_bytes(L);
  const char *format = luaL_checklstring(L, 1, &length);
  for (size_t i = 0; i < length; i++) {
    if (format[i] != 'c') continue;
    size_t size = 0;
    while (i + 1 < length && format[i + 1] >= '0' && format[i + 1] <= '9' && size < INT32_MAX)
      size = size * 10 + (size_t)(format[++i] - '0');
    bytes += size;
  }
  /* Any other option writes at most 16 bytes, after at most 16 of padding. */
  moon_charge(L, bytes + 32 * length);
  return call_library(L);
}

void moon_open_texts(lua_State *L) {
  static const luaL_Reg wrapped[] = {{"format", format_text}, {"pack", pack_text}, {NULL, NULL}};
  lua_getglobal(L, "string");
  for (const luaL_Reg *entry = wrapped; entry->name != NULL; entry++) {
    lua_getfield(L, -1, entry->name);
    lua_pushcclosure(L, entry->func, 1);
    lua_setfield(L, -2, entry->name);
  }
  lua_pushcfunction(L, repeat_text);
  lua_setfield(L, -2, "rep");
  lua_pop(L, 1);
}

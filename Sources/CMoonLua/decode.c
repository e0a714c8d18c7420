/* Decodes flat bytes (see moon_tag) onto Lua's stack. */
#include "decode.h"
#include "items.h"

/* Bytes from the encoder in Swift, which are well-formed. */
typedef struct {
  const uint8_t *cursor, *end;
} source;

static uint32_t take_size(source *from) {
  uint32_t size;
  memcpy(&size, from->cursor, sizeof size);
  from->cursor += sizeof size;
  return size;
}

/* A C function starts with 20 free stack slots. A level of nesting takes two, a draft three, so
 * this many need no check. */
#define FREE_LEVELS 3
#define FREE_ARGUMENTS 3

static void decode(lua_State *L, source *from, int level) {
  if (from->cursor >= from->end) {
    lua_pushnil(L);
    return;
  }
  uint8_t tag = *from->cursor++;
  switch (tag) {
    case MOON_FALSE:
    case MOON_TRUE: lua_pushboolean(L, tag == MOON_TRUE); break;
    case MOON_INTEGER: {
      lua_Integer integer;
      memcpy(&integer, from->cursor, sizeof integer);
      from->cursor += sizeof integer;
      lua_pushinteger(L, integer);
      break;
    }
    case MOON_NUMBER: {
      double number;
      memcpy(&number, from->cursor, sizeof number);
      from->cursor += sizeof number;
      lua_pushnumber(L, number);
      break;
    }
    case MOON_TEXT: {
      uint32_t length = take_size(from);
      const char *bytes = (const char *)from->cursor;
      lua_pushlstring(L, bytes, length);
      from->cursor += length;
      break;
    }
    case MOON_LIST: {
      uint32_t count = take_size(from);
      if (level >= FREE_LEVELS) luaL_checkstack(L, 6, "too deep");
      lua_createtable(L, (int)count, 0);
      for (uint32_t i = 1; i <= count; i++) {
        decode(L, from, level + 1);
        lua_rawseti(L, -2, i);
      }
      if (count == 0) {
        lua_rawgetp(L, LUA_REGISTRYINDEX, &moon_key_list);
        lua_setmetatable(L, -2);
      }
      break;
    }
    case MOON_MAP: {
      uint32_t count = take_size(from);
      if (level >= FREE_LEVELS) luaL_checkstack(L, 6, "too deep");
      lua_createtable(L, 0, (int)count);
      for (uint32_t i = 0; i < count; i++) {
        decode(L, from, level + 1);
        decode(L, from, level + 1);
        lua_rawset(L, -3);
      }
      break;
    }
    case MOON_NULL: moon_push_null(L); break;
    case MOON_CONTEXT: lua_rawgetp(L, LUA_REGISTRYINDEX, &moon_key_context); break;
    case MOON_DRAFT: moon_push_draft(L, take_size(from)); break;
    case MOON_FUNCTION: lua_rawgeti(L, LUA_REGISTRYINDEX, (int32_t)take_size(from)); break;
    default: lua_pushnil(L);
  }
}

int moon_decode_all(lua_State *L, const uint8_t *bytes, size_t length) {
  source from = {bytes, bytes + length};
  int count = 0;
  while (from.cursor < from.end) {
    if (count >= FREE_ARGUMENTS) luaL_checkstack(L, 20, "too many arguments");
    decode(L, &from, 0);
    count++;
  }
  return count;
}

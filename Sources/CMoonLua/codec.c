/* The flat form of values: Lua's stack to bytes and back. */
#include "internal.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

/* The state of one encoding. */
typedef struct {
  lua_State *L;
  moon_buffer *out;
  moon_shape shape;
  size_t nodes;
  int depth;
  /* The tables that are being encoded, outermost first, and the key taken in each. */
  const void *tables[MOON_DEPTH_MAX + 1];
  moon_item keys[MOON_DEPTH_MAX + 1];
  /* Where the value is written to, for errors. */
  bool has_place;
  uint32_t draft;
  const moon_item *place;
  const char *root;
} encoding;

static void put_byte(moon_buffer *out, uint8_t byte) { moon_buffer_append(out, &byte, 1); }

static void put_tagged(moon_buffer *out, uint8_t tag, const void *bytes, size_t length) {
  moon_buffer_reserve(out, length + 1);
  if (out->failed) return;
  out->bytes[out->length] = tag;
  memcpy(out->bytes + out->length + 1, bytes, length);
  out->length += length + 1;
}

static void put_text(moon_buffer *out, uint8_t tag, const char *bytes, size_t length) {
  uint32_t size = (uint32_t)length;
  put_tagged(out, tag, &size, sizeof size);
  moon_buffer_append(out, bytes, length);
}

static void put_key_text(moon_buffer *path, const moon_item *key) {
  char text[32];
  if (key->tag == MOON_INTEGER) {
    int n = snprintf(text, sizeof text, "[%lld]", (long long)key->integer);
    moon_buffer_append(path, text, (size_t)n);
    return;
  }
  const char *bytes = text;
  size_t length;
  if (key->tag == MOON_SMALL) {
    uint64_t words[2] = {__builtin_bswap64(key->small.high), __builtin_bswap64(key->small.low)};
    memcpy(text, words, 16);
    length = key->small.low & 0xff;
  } else {
    bytes = (const char *)key->text.bytes;
    length = key->text.length > 64 ? 64 : key->text.length;
  }
  bool plain = length > 0 && !(bytes[0] >= '0' && bytes[0] <= '9');
  for (size_t i = 0; i < length && plain; i++) {
    char c = bytes[i];
    plain = c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
  }
  if (plain) {
    if (path->length > 0) put_byte(path, '.');
    moon_buffer_append(path, bytes, length);
  } else {
    moon_buffer_append(path, "[\"", 2);
    moon_buffer_append(path, bytes, length);
    moon_buffer_append(path, "\"]", 2);
  }
}

/* Never returns. Raises "file:line: path: reason". */
static void refuse(encoding *e, const char *format, ...) {
  moon_vm *vm = moon_vm_of(e->L);
  char reason[256];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(reason, sizeof reason, format, arguments);
  va_end(arguments);
  moon_buffer *path = &vm->message;
  moon_buffer_clear(path);
  if (e->has_place)
    moon_ask(vm, draft_path, e->draft, e->place, path);
  else if (e->root != NULL)
    moon_buffer_append(path, e->root, strlen(e->root));
  for (int i = 0; i < e->depth; i++) put_key_text(path, &e->keys[i]);
  put_byte(path, 0);
  moon_check_buffer(e->L, path);
  moon_where(e->L);
  if (path->length > 1)
    lua_pushfstring(e->L, "%s: %s", (const char *)path->bytes, reason);
  else
    lua_pushstring(e->L, reason);
  lua_concat(e->L, 2);
  lua_error(e->L);
}

static const char *kept_in(encoding *e) {
  return e->has_place || e->root != NULL ? "can't be kept in the state" : "can't leave the module";
}

static void encode(encoding *e, int index);

static void encode_function(encoding *e, int index) {
  lua_State *L = e->L;
  if (e->shape != MOON_AS_FORM) refuse(e, "a function %s", kept_in(e));
  lua_Debug info;
  lua_pushvalue(L, index);
  lua_pushvalue(L, -1);
  lua_getinfo(L, ">Su", &info);
  int32_t reference = luaL_ref(L, LUA_REGISTRYINDEX);
  uint32_t line = info.linedefined > 0 ? (uint32_t)info.linedefined : 0;
  put_tagged(e->out, MOON_FUNCTION, &reference, sizeof reference);
  moon_buffer_append(e->out, &line, sizeof line);
  put_byte(e->out, info.nparams);
  put_byte(e->out, (uint8_t)info.isvararg);
  const char *source = info.source[0] == '@' ? info.source + 1 : info.short_src;
  put_text(e->out, MOON_TEXT, source, strlen(source));
}

static void encode_text(encoding *e, int index) {
  size_t length;
  const char *bytes = lua_tolstring(e->L, index, &length);
  if (length > UINT32_MAX) refuse(e, "a string of %zu bytes %s", length, kept_in(e));
  if (!moon_utf8_is_valid(bytes, length)) {
    if (e->shape == MOON_AS_FORM) {
      put_text(e->out, MOON_OPAQUE, "a string that isn't UTF-8", 25);
      return;
    }
    refuse(e, "a string that isn't UTF-8 %s", kept_in(e));
  }
  put_text(e->out, MOON_TEXT, bytes, length);
}

/* What the keys of a table are. */
typedef struct {
  size_t count, integers, texts, others;
  lua_Integer smallest, largest;
} keys_seen;

static keys_seen look_at_keys(lua_State *L, int index) {
  keys_seen seen = {0, 0, 0, 0, LUA_MAXINTEGER, LUA_MININTEGER};
  lua_pushnil(L);
  while (lua_next(L, index)) {
    lua_pop(L, 1);
    seen.count++;
    if (lua_type(L, -1) == LUA_TSTRING) {
      seen.texts++;
    } else if (lua_isinteger(L, -1)) {
      lua_Integer key = lua_tointeger(L, -1);
      seen.integers++;
      if (key < seen.smallest) seen.smallest = key;
      if (key > seen.largest) seen.largest = key;
    } else {
      seen.others++;
    }
  }
  return seen;
}

static bool is_marked_list(lua_State *L, int index) {
  if (!lua_getmetatable(L, index)) return false;
  lua_rawgetp(L, LUA_REGISTRYINDEX, &moon_key_list);
  bool marked = lua_rawequal(L, -1, -2);
  lua_pop(L, 2);
  return marked;
}

static void encode_table(encoding *e, int index) {
  lua_State *L = e->L;
  luaL_checkstack(L, 8, "too deep");
  const void *table = lua_topointer(L, index);
  for (int i = 0; i < e->depth; i++)
    if (e->tables[i] == table) {
      if (e->shape == MOON_AS_FORM) {
        put_text(e->out, MOON_OPAQUE, "a table that holds itself", 25);
        return;
      }
      refuse(e, "a table that holds itself %s", kept_in(e));
    }
  if (e->depth >= MOON_DEPTH_MAX)
    refuse(e, "nesting deeper than %d %s", MOON_DEPTH_MAX, kept_in(e));
  keys_seen seen = look_at_keys(L, index);
  if (!moon_may_hold(L, e->nodes += seen.count))
    refuse(e, "more than %zu elements %s", moon_vm_of(L)->nodes_max, kept_in(e));
  bool is_list = seen.count == 0 ? is_marked_list(L, index)
                                 : seen.integers == seen.count && seen.smallest == 1 &&
                                       (lua_Unsigned)seen.largest == seen.count;
  bool is_mixed = seen.others > 0 || (seen.integers > 0 && seen.texts > 0);
  if (is_mixed && e->shape != MOON_AS_FORM) {
    if (seen.others == 0)
      refuse(e, "a table with both integer and string keys %s: give it one kind of key",
             kept_in(e));
    lua_pushnil(L);
    while (lua_next(L, index)) {
      lua_pop(L, 1);
      if (lua_type(L, -1) != LUA_TSTRING && !lua_isinteger(L, -1))
        refuse(e, "a key that is a %s %s: keys are strings or integers",
               lua_type(L, -1) == LUA_TNUMBER ? "fraction" : lua_typename(L, lua_type(L, -1)),
               kept_in(e));
    }
  }
  uint32_t count = (uint32_t)seen.count;
  uint8_t tag = is_list ? MOON_LIST : is_mixed ? MOON_FORM : MOON_MAP;
  put_tagged(e->out, tag, &count, sizeof count);
  int depth = e->depth++;
  e->tables[depth] = table;
  if (is_list) {
    for (uint32_t i = 1; i <= count; i++) {
      e->keys[depth] = (moon_item){.tag = MOON_INTEGER, .integer = i};
      lua_rawgeti(L, index, i);
      encode(e, lua_gettop(L));
      lua_pop(L, 1);
    }
  } else {
    lua_pushnil(L);
    while (lua_next(L, index)) {
      int key = lua_gettop(L) - 1;
      if (!moon_key_at(L, key, &e->keys[depth]))
        e->keys[depth] = (moon_item){.tag = MOON_INTEGER, .integer = 0};
      encode(e, key);
      encode(e, key + 1);
      lua_pop(L, 1);
    }
  }
  e->depth--;
}

static void encode(encoding *e, int index) {
  lua_State *L = e->L;
  uint32_t draft;
  switch (lua_type(L, index)) {
    case LUA_TNIL: put_byte(e->out, MOON_NIL); break;
    case LUA_TBOOLEAN: put_byte(e->out, lua_toboolean(L, index) ? MOON_TRUE : MOON_FALSE); break;
    case LUA_TNUMBER:
      if (lua_isinteger(L, index)) {
        lua_Integer integer = lua_tointeger(L, index);
        put_tagged(e->out, MOON_INTEGER, &integer, sizeof integer);
      } else {
        double number = lua_tonumber(L, index);
        if (isnan(number) && e->shape != MOON_AS_FORM)
          refuse(e, "a number that is not a number (0/0) %s", kept_in(e));
        put_tagged(e->out, MOON_NUMBER, &number, sizeof number);
      }
      break;
    case LUA_TSTRING: encode_text(e, index); break;
    case LUA_TTABLE: encode_table(e, index); break;
    case LUA_TFUNCTION: encode_function(e, index); break;
    default:
      if (lua_touserdata(L, index) == &moon_key_null) {
        put_byte(e->out, MOON_NULL);
      } else if (moon_to_draft(L, index, &draft)) {
        put_tagged(e->out, MOON_DRAFT, &draft, sizeof draft);
      } else if (e->shape == MOON_AS_FORM) {
        const char *name = lua_typename(L, lua_type(L, index));
        put_text(e->out, MOON_OPAQUE, name, strlen(name));
      } else {
        refuse(e, "a %s %s", lua_typename(L, lua_type(L, index)), kept_in(e));
      }
  }
}

static void encode_with(encoding *e, int index) {
  encode(e, lua_absindex(e->L, index));
  moon_check_buffer(e->L, e->out);
}

void moon_encode(lua_State *L, int index, moon_shape shape, const char *root, moon_buffer *out) {
  encoding e;
  e.L = L, e.out = out, e.shape = shape, e.nodes = 0, e.depth = 0, e.has_place = false;
  e.root = root;
  encode_with(&e, index);
}

void moon_encode_at(lua_State *L, int index, uint32_t draft, const moon_item *key,
                    moon_buffer *out) {
  encoding e;
  e.L = L, e.out = out, e.shape = MOON_AS_VALUE, e.nodes = 0, e.depth = 0;
  e.has_place = true, e.draft = draft, e.place = key, e.root = NULL;
  encode_with(&e, index);
}

static uint32_t take_size(const uint8_t **cursor) {
  uint32_t size;
  memcpy(&size, *cursor, sizeof size);
  *cursor += sizeof size;
  return size;
}

/* A function in C starts with 20 free slots of Lua's stack. A level of nesting takes two of them, a
 * draft three: so much needs no check. */
#define FREE_LEVELS 3
#define FREE_ARGUMENTS 3

/* The bytes come from our own encoder on the Swift side, so they are well-formed. */
static void decode(lua_State *L, const uint8_t **cursor, const uint8_t *end, int level) {
  if (*cursor >= end) {
    lua_pushnil(L);
    return;
  }
  uint8_t tag = *(*cursor)++;
  switch (tag) {
    case MOON_FALSE: lua_pushboolean(L, 0); break;
    case MOON_TRUE: lua_pushboolean(L, 1); break;
    case MOON_INTEGER: {
      lua_Integer integer;
      memcpy(&integer, *cursor, sizeof integer);
      *cursor += sizeof integer;
      lua_pushinteger(L, integer);
      break;
    }
    case MOON_NUMBER: {
      double number;
      memcpy(&number, *cursor, sizeof number);
      *cursor += sizeof number;
      lua_pushnumber(L, number);
      break;
    }
    case MOON_TEXT: {
      uint32_t length = take_size(cursor);
      lua_pushlstring(L, (const char *)*cursor, length);
      *cursor += length;
      break;
    }
    case MOON_LIST: {
      uint32_t count = take_size(cursor);
      if (level >= FREE_LEVELS) luaL_checkstack(L, 6, "too deep");
      lua_createtable(L, (int)count, 0);
      for (uint32_t i = 1; i <= count; i++) {
        decode(L, cursor, end, level + 1);
        lua_rawseti(L, -2, i);
      }
      if (count == 0) {
        lua_rawgetp(L, LUA_REGISTRYINDEX, &moon_key_list);
        lua_setmetatable(L, -2);
      }
      break;
    }
    case MOON_MAP: {
      uint32_t count = take_size(cursor);
      if (level >= FREE_LEVELS) luaL_checkstack(L, 6, "too deep");
      lua_createtable(L, 0, (int)count);
      for (uint32_t i = 0; i < count; i++) {
        decode(L, cursor, end, level + 1);
        decode(L, cursor, end, level + 1);
        lua_rawset(L, -3);
      }
      break;
    }
    case MOON_NULL: lua_pushlightuserdata(L, &moon_key_null); break;
    case MOON_CONTEXT: lua_rawgetp(L, LUA_REGISTRYINDEX, &moon_key_context); break;
    case MOON_DRAFT: moon_push_draft(L, take_size(cursor)); break;
    case MOON_FUNCTION: lua_rawgeti(L, LUA_REGISTRYINDEX, (int32_t)take_size(cursor)); break;
    default: lua_pushnil(L);
  }
}

int moon_decode_all(lua_State *L, const uint8_t *bytes, size_t length) {
  const uint8_t *cursor = bytes, *end = bytes + length;
  int count = 0;
  while (cursor < end) {
    if (count >= FREE_ARGUMENTS) luaL_checkstack(L, 20, "too many arguments");
    decode(L, &cursor, end, 0);
    count++;
  }
  return count;
}

/* RFC 3629: no overlong forms, no surrogates, nothing past U+10FFFF. */
bool moon_utf8_is_valid(const char *text, size_t length) {
  const uint8_t *p = (const uint8_t *)text, *end = p + length;
  while (p < end) {
    if (end - p >= 8) {
      uint64_t word;
      memcpy(&word, p, sizeof word);
      if ((word & 0x8080808080808080u) == 0) {
        p += 8;
        continue;
      }
    }
    uint8_t lead = *p++;
    if (lead < 0x80) continue;
    int more = lead >= 0xc2 && lead < 0xe0   ? 1
               : lead >= 0xe0 && lead < 0xf0 ? 2
               : lead >= 0xf0 && lead < 0xf5 ? 3
                                             : 0;
    if (more == 0 || end - p < more) return false;
    uint8_t low = 0x80, high = 0xbf;
    if (lead == 0xe0) low = 0xa0;
    if (lead == 0xed) high = 0x9f;
    if (lead == 0xf0) low = 0x90;
    if (lead == 0xf4) high = 0x8f;
    if (p[0] < low || p[0] > high) return false;
    for (int i = 1; i < more; i++)
      if ((p[i] & 0xc0) != 0x80) return false;
    p += more;
  }
  return true;
}

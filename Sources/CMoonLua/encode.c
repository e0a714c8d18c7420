/* Encodes values on Lua's stack as flat bytes (see moon_tag). */
#include "encode.h"
#include "host.h"
#include "items.h"
#include "marks.h"
#include "memory.h"
#include "order.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

/* State of an encoding. Tables are traversed in their own order, which differs from run to run.
 * When a part can't be encoded, the value is traversed again with keys in order, so that the error
 * is always about the first such part. */
typedef struct {
  lua_State *L;
  moon_buffer *out;
  moon_shape shape;
  bool in_order;
  int index;    /* stack index of the whole value */
  size_t start; /* offset of its bytes */
  size_t nodes;
  int depth;
  /* The tables being encoded, outermost first, and the current key of each. */
  const void *tables[MOON_DEPTH_MAX + 1];
  moon_item keys[MOON_DEPTH_MAX + 1];
  /* Where the value is stored, for error messages. */
  bool has_place;
  uint32_t draft;
  const moon_item *place;
  const char *root;
} encoding;

/* What a NaN is called, which no value can hold. */
#define NOT_A_NUMBER "a number that is not a number (0/0)"

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

static void encode(encoding *e, int index);

/* Encodes the whole value again, in order, up to the part that is refused. Never returns. */
static void refuse_in_order(encoding *e) {
  lua_settop(e->L, e->index);
  e->in_order = true;
  e->out->length = e->start;
  e->nodes = 0;
  e->depth = 0;
  encode(e, e->index);
  luaL_error(e->L, "a value that changes can't be kept");
}

/* Raises "file:line: path: reason", or the error of a service. Never returns. */
static void refuse(encoding *e, const char *format, ...) {
  if (!e->in_order) refuse_in_order(e);
  moon_vm *vm = moon_vm_of(e->L);
  char reason[256];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(reason, sizeof reason, format, arguments);
  va_end(arguments);
  moon_buffer *path = &vm->message;
  moon_buffer_clear(path);
  if (e->has_place)
    moon_callback(vm, draft_path, e->draft, e->place, path);
  else if (e->root != NULL)
    moon_buffer_append(path, e->root, strlen(e->root));
  for (int i = 0; i < e->depth; i++) moon_append_key(path, &e->keys[i]);
  put_byte(path, 0);
  moon_check_buffer(e->L, path);
  if (e->shape != MOON_AS_BYTES) moon_where(e->L);
  if (path->length > 1)
    lua_pushfstring(e->L, "%s: %s", (const char *)path->bytes, reason);
  else
    lua_pushstring(e->L, reason);
  if (e->shape == MOON_AS_BYTES) moon_refuse_argument(e->L, "bad_argument");
  lua_concat(e->L, 2);
  lua_error(e->L);
}

static const char *kept_in(encoding *e) {
  return e->has_place || e->root != NULL ? "can't be kept in the state" : "can't leave the module";
}

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

/* Encodes a string that isn't UTF-8 for the host's functions that take any bytes. */
static void encode_bytes(encoding *e, const char *bytes, size_t length) {
  static const char key[] = MOON_BYTES_KEY;
  uint32_t count = 1, size = (uint32_t)length;
  for (size_t i = 0; i < length; i++) size += (uint8_t)bytes[i] >= 0x80;
  put_tagged(e->out, MOON_MAP, &count, sizeof count);
  put_text(e->out, MOON_TEXT, key, sizeof key - 1);
  put_tagged(e->out, MOON_TEXT, &size, sizeof size);
  moon_buffer_reserve(e->out, size);
  if (e->out->failed) return;
  uint8_t *end = e->out->bytes + e->out->length;
  for (size_t i = 0; i < length; i++) {
    uint8_t byte = (uint8_t)bytes[i];
    if (byte >= 0x80) *end++ = (uint8_t)(0xc0 | byte >> 6);
    *end++ = byte < 0x80 ? byte : (uint8_t)(0x80 | (byte & 0x3f));
  }
  e->out->length += size;
}

static void encode_text(encoding *e, int index) {
  size_t length;
  const char *bytes = lua_tolstring(e->L, index, &length);
  if (length > UINT32_MAX / 2) refuse(e, "a string of %zu bytes %s", length, kept_in(e));
  if (!moon_utf8_is_valid(bytes, length)) {
    if (e->shape == MOON_AS_FORM) {
      put_text(e->out, MOON_OPAQUE, "a string that isn't UTF-8", 25);
      return;
    }
    if (e->shape == MOON_AS_BYTES) {
      encode_bytes(e, bytes, length);
      return;
    }
    refuse(e, "a string that isn't UTF-8 %s", kept_in(e));
  }
  put_text(e->out, MOON_TEXT, bytes, length);
}

/* Summary of a table's keys. */
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

/* Raises the error about a key of another type; fractions come first. Never returns. */
static void refuse_key(encoding *e, int index) {
  lua_State *L = e->L;
  const char *kind = NULL;
  int least = 0;
  lua_pushnil(L);
  while (lua_next(L, index)) {
    lua_pop(L, 1);
    int type = lua_type(L, -1);
    if (type == LUA_TSTRING || lua_isinteger(L, -1)) continue;
    int rank = type == LUA_TNUMBER ? 0 : type;
    if (kind != NULL && rank >= least) continue;
    least = rank;
    kind = type == LUA_TNUMBER    ? "fraction"
           : moon_is_draft(L, -1) ? "table"
                                  : lua_typename(L, type);
  }
  refuse(e, "a key that is a %s %s: keys are strings or integers", kind, kept_in(e));
}

/* [-0, +0, v] Encodes the key at `key` and the value above it. */
static void encode_entry(encoding *e, int key) {
  if (!moon_key_at(e->L, key, &e->keys[e->depth - 1]))
    e->keys[e->depth - 1] = (moon_item){.tag = MOON_INTEGER, .integer = 0};
  encode(e, key);
  encode(e, key + 1);
}

static void encode_elements(encoding *e, int index, uint32_t count) {
  for (uint32_t i = 1; i <= count; i++) {
    e->keys[e->depth - 1] = (moon_item){.tag = MOON_INTEGER, .integer = i};
    lua_rawgeti(e->L, index, i);
    encode(e, lua_gettop(e->L));
    lua_pop(e->L, 1);
  }
}

static void encode_entries(encoding *e, int index) {
  lua_pushnil(e->L);
  while (lua_next(e->L, index)) {
    encode_entry(e, lua_gettop(e->L) - 1);
    lua_pop(e->L, 1);
  }
}

static void encode_only_entry(encoding *e, int index) {
  lua_pushnil(e->L);
  if (!lua_next(e->L, index)) return;
  int key = lua_gettop(e->L) - 1;
  moon_mark_copy(e->L, index, key);
  encode_entry(e, key);
  lua_settop(e->L, key - 1);
}

static void encode_entries_in_order(encoding *e, int index) {
  lua_State *L = e->L;
  size_t count;
  moon_push_sorted_keys(L, index, &count);
  int keys = lua_gettop(L);
  for (size_t i = 1; i <= count; i++) {
    lua_rawgeti(L, keys, (lua_Integer)i);
    lua_pushvalue(L, -1);
    lua_rawget(L, index);
    encode_entry(e, keys + 1);
    lua_settop(L, keys);
  }
  lua_pop(L, 1);
}

/* Whether the table at `index` contains itself. */
static bool is_within(const encoding *e, int index) {
  const void *table = lua_topointer(e->L, index);
  for (int i = 0; i < e->depth; i++)
    if (e->tables[i] == table) return true;
  return false;
}

/* [-0, +0, v] Refuses tables that can't be kept. Sets *seen. */
static void check_table(encoding *e, int index, keys_seen *seen) {
  if (e->depth >= MOON_DEPTH_MAX)
    refuse(e, "nesting deeper than %d %s", MOON_DEPTH_MAX, kept_in(e));
  *seen = look_at_keys(e->L, index);
  if (!moon_can_encode(e->L, e->nodes += seen->count))
    refuse(e, "more than %zu elements %s", moon_vm_of(e->L)->nodes_max, kept_in(e));
  if (e->shape == MOON_AS_FORM) return;
  if (seen->others > 0) refuse_key(e, index);
  if (seen->integers > 0 && seen->texts > 0)
    refuse(e, "a table with both integer and string keys %s: give it one kind of key", kept_in(e));
}

static void encode_table(encoding *e, int index) {
  lua_State *L = e->L;
  keys_seen seen;
  luaL_checkstack(L, 8, "too deep");
  if (is_within(e, index)) {
    if (e->shape != MOON_AS_FORM) refuse(e, "a table that holds itself %s", kept_in(e));
    put_text(e->out, MOON_OPAQUE, "a table that holds itself", 25);
    return;
  }
  check_table(e, index, &seen);
  bool is_list = seen.count == 0 ? moon_is_marked_list(L, index)
                                 : seen.integers == seen.count && seen.smallest == 1 &&
                                       (lua_Unsigned)seen.largest == seen.count;
  bool is_mixed = seen.others > 0 || (seen.integers > 0 && seen.texts > 0);
  uint32_t count = (uint32_t)seen.count;
  put_tagged(e->out, is_list ? MOON_LIST : is_mixed ? MOON_FORM : MOON_MAP, &count, sizeof count);
  e->tables[e->depth++] = lua_topointer(L, index);
  if (is_list)
    encode_elements(e, index, count);
  else if (count == 1)
    encode_only_entry(e, index);
  else if (e->in_order || seen.others > 0)
    encode_entries_in_order(e, index);
  else
    encode_entries(e, index);
  e->depth--;
}

/* Encodes a draft or null; refuses other types. */
static void encode_other(encoding *e, int index) {
  lua_State *L = e->L;
  uint32_t draft;
  if (moon_is_null(L, index)) {
    put_byte(e->out, MOON_NULL);
  } else if (moon_is_draft(L, index)) {
    if (!e->in_order && !moon_is_live(L, index)) refuse_in_order(e);
    moon_to_draft(L, index, &draft);
    put_tagged(e->out, MOON_DRAFT, &draft, sizeof draft);
  } else if (e->shape == MOON_AS_FORM) {
    const char *name = lua_typename(L, lua_type(L, index));
    put_text(e->out, MOON_OPAQUE, name, strlen(name));
  } else {
    refuse(e, "a %s %s", lua_typename(L, lua_type(L, index)), kept_in(e));
  }
}

static void encode_number(encoding *e, int index) {
  if (lua_isinteger(e->L, index)) {
    lua_Integer integer = lua_tointeger(e->L, index);
    put_tagged(e->out, MOON_INTEGER, &integer, sizeof integer);
    return;
  }
  double number = lua_tonumber(e->L, index);
  if (isnan(number)) {
    if (e->shape == MOON_AS_FORM) {
      put_text(e->out, MOON_OPAQUE, NOT_A_NUMBER, strlen(NOT_A_NUMBER));
      return;
    }
    refuse(e, NOT_A_NUMBER " %s", kept_in(e));
  }
  put_tagged(e->out, MOON_NUMBER, &number, sizeof number);
}

static void encode(encoding *e, int index) {
  lua_State *L = e->L;
  switch (lua_type(L, index)) {
    case LUA_TNIL: put_byte(e->out, MOON_NIL); break;
    case LUA_TBOOLEAN: put_byte(e->out, lua_toboolean(L, index) ? MOON_TRUE : MOON_FALSE); break;
    case LUA_TNUMBER: encode_number(e, index); break;
    case LUA_TSTRING: encode_text(e, index); break;
    case LUA_TTABLE: encode_table(e, index); break;
    case LUA_TFUNCTION: encode_function(e, index); break;
    default: encode_other(e, index);
  }
}

/* [-0, +0, v] Encodes a copy of the value at `index`, on top of the stack, where a second traversal
 * finds it. Returns its approximate size in the host's memory. */
static size_t encode_whole(encoding *e, int index) {
  luaL_checkstack(e->L, 2, "too deep");
  lua_pushvalue(e->L, index);
  e->index = lua_gettop(e->L);
  e->start = e->out->length;
  e->in_order = false;
  e->nodes = 0;
  e->depth = 0;
  encode(e, e->index);
  moon_check_buffer(e->L, e->out);
  lua_pop(e->L, 1);
  return e->out->length - e->start + e->nodes * MOON_NODE_BYTES;
}

size_t moon_encode(lua_State *L, int index, moon_shape shape, const char *root, moon_buffer *out) {
  encoding e;
  e.L = L, e.out = out, e.shape = shape, e.has_place = false, e.root = root;
  return encode_whole(&e, index);
}

size_t moon_encode_at(lua_State *L, int index, uint32_t draft, const moon_item *key,
                      moon_buffer *out) {
  encoding e;
  e.L = L, e.out = out, e.shape = MOON_AS_VALUE, e.root = NULL;
  e.has_place = true, e.draft = draft, e.place = key;
  return encode_whole(&e, index);
}

/* Drafts: values that behave like tables. Their contents live in Swift; a handle is an index and
 * the epoch in which the index is valid.
 *
 * Both are in the address of a light userdata, which needs no memory, is itself wherever it is
 * pushed, and leaves no garbage: with full userdata, a reducer of one field took 900 instructions
 * more. No address of user space has the highest bit, so it tells a draft from anything else. */
#include "internal.h"

#include <math.h>

_Static_assert(sizeof(void *) == 8, "a handle of a draft takes 64 bits");

#define DRAFT_BITS 22
#define DRAFT_MARK ((uint64_t)1 << 63)
_Static_assert(MOON_DRAFTS_MAX <= (uint64_t)1 << DRAFT_BITS, "an index fits into a handle");

static uint64_t handle_at(lua_State *L, int index) {
  return (uint64_t)(uintptr_t)lua_touserdata(L, index);
}

/* The 41 bits of the epoch begin anew after 2 * 10^12 calls. */
void moon_vm_retire_drafts(moon_vm *vm) {
  vm->epoch = (vm->epoch + ((uint64_t)1 << DRAFT_BITS)) | DRAFT_MARK;
}

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

void moon_push_draft(lua_State *L, uint32_t draft) {
  lua_pushlightuserdata(L, (void *)(uintptr_t)(moon_vm_of(L)->epoch | draft));
}

bool moon_is_draft(lua_State *L, int index) { return (handle_at(L, index) & DRAFT_MARK) != 0; }

static bool is_of_epoch(lua_State *L, uint64_t handle) {
  return handle >> DRAFT_BITS == moon_vm_of(L)->epoch >> DRAFT_BITS;
}

bool moon_is_live(lua_State *L, int index) { return is_of_epoch(L, handle_at(L, index)); }

/* [-0, +0, v] The value must be a draft, or any other light userdata: they share metamethods. */
static uint32_t live(lua_State *L, int index) {
  uint64_t handle = handle_at(L, index);
  if (!is_of_epoch(L, handle))
    luaL_error(L,
               "this part of the state, the payload or the route was kept from an earlier call; it "
               "can be used "
               "only until that call returned (copy what you need)");
  return (uint32_t)handle & (((uint32_t)1 << DRAFT_BITS) - 1);
}

bool moon_to_draft(lua_State *L, int index, uint32_t *draft) {
  if (!moon_is_draft(L, index)) return false;
  *draft = live(L, index);
  return true;
}

void moon_push_null(lua_State *L) {
  lua_rawgeti(L, LUA_REGISTRYINDEX, moon_vm_of(L)->null_reference);
}

bool moon_is_null(lua_State *L, int index) {
  return lua_touserdata(L, index) == moon_vm_of(L)->null;
}

bool moon_pack_small(moon_item *item, const char *bytes, size_t length) {
  uint64_t high = 0, low = 0;
  if (length >= 8) {
    uint64_t tail;
    memcpy(&high, bytes, 8);
    memcpy(&tail, bytes + length - 8, 8);
    high = __builtin_bswap64(high);
    /* The shift drops the bytes of the tail that are in `high` already. */
    low = length == 8 ? 0 : __builtin_bswap64(tail) << (8 * (16 - length));
  } else if (length >= 4) {
    uint32_t start, tail;
    memcpy(&start, bytes, 4);
    memcpy(&tail, bytes + length - 4, 4);
    high = (uint64_t)__builtin_bswap32(start) << 32 | (uint64_t)__builtin_bswap32(tail)
                                                          << (8 * (8 - length));
  } else {
    for (size_t i = 0; i < length; i++) high |= (uint64_t)(uint8_t)bytes[i] << (56 - 8 * i);
  }
  item->tag = MOON_SMALL;
  item->small.high = high;
  item->small.low = low | length;
  return ((high | low) & 0x8080808080808080u) == 0;
}

/* Returns false if the bytes aren't UTF-8. */
static bool pack(moon_item *item, const char *bytes, size_t length) {
  if (length <= MOON_SMALL_MAX)
    return moon_pack_small(item, bytes, length) || moon_utf8_is_valid(bytes, length);
  item->tag = MOON_TEXT;
  item->text.bytes = (const uint8_t *)bytes;
  item->text.length = length;
  return moon_utf8_is_valid(bytes, length);
}

bool moon_key_at(lua_State *L, int index, moon_item *key) {
  size_t length;
  const char *bytes;
  lua_Number number;
  lua_Integer integer;
  switch (lua_type(L, index)) {
    case LUA_TSTRING: bytes = lua_tolstring(L, index, &length); return pack(key, bytes, length);
    case LUA_TNUMBER:
      key->tag = MOON_INTEGER;
      if (lua_isinteger(L, index)) {
        key->integer = lua_tointeger(L, index);
        return true;
      }
      number = lua_tonumber(L, index);
      if (!lua_numbertointeger(number, &integer) || (lua_Number)integer != number) return false;
      key->integer = integer;
      return true;
    default: return false;
  }
}

void moon_push_item(lua_State *L, const moon_item *item) {
  switch (item->tag) {
    case MOON_FALSE: lua_pushboolean(L, 0); break;
    case MOON_TRUE: lua_pushboolean(L, 1); break;
    case MOON_INTEGER: lua_pushinteger(L, item->integer); break;
    case MOON_NUMBER: lua_pushnumber(L, item->number); break;
    case MOON_SMALL: {
      uint64_t words[2] = {__builtin_bswap64(item->small.high), __builtin_bswap64(item->small.low)};
      lua_pushlstring(L, (const char *)words, item->small.low & 0xff);
      break;
    }
    case MOON_TEXT: lua_pushlstring(L, (const char *)item->text.bytes, item->text.length); break;
    case MOON_NULL: moon_push_null(L); break;
    case MOON_DRAFT: moon_push_draft(L, item->draft); break;
    default: lua_pushnil(L);
  }
}

/* [-0, +0, v] Converts the value at `index` into an item for `key` of the draft. A tree is encoded
 * into vm->scratch. */
static inline void take_value(lua_State *L, uint32_t draft, const moon_item *key, int index,
                              moon_item *value) {
  moon_vm *vm = moon_vm_of(L);
  size_t length;
  const char *bytes;
  if (lua_isinteger(L, index)) {
    value->tag = MOON_INTEGER;
    value->integer = lua_tointeger(L, index);
    return;
  }
  switch (lua_type(L, index)) {
    case LUA_TNIL: value->tag = MOON_NIL; return;
    case LUA_TBOOLEAN: value->tag = lua_toboolean(L, index) ? MOON_TRUE : MOON_FALSE; return;
    case LUA_TNUMBER:
      value->number = lua_tonumber(L, index);
      if (isnan(value->number)) break;
      value->tag = MOON_NUMBER;
      return;
    case LUA_TSTRING:
      bytes = lua_tolstring(L, index, &length);
      if (length > UINT32_MAX || !pack(value, bytes, length)) break;
      if (value->tag == MOON_TEXT) moon_charge_host(L, length);
      return;
    case LUA_TLIGHTUSERDATA:
      if (!moon_to_draft(L, index, &value->draft)) break;
      value->tag = MOON_DRAFT;
      return;
    default: break;
  }
  moon_buffer_clear(&vm->scratch);
  moon_charge_host(L, moon_encode_at(L, index, draft, key, &vm->scratch));
  value->tag = MOON_TREE;
  value->text.bytes = vm->scratch.bytes;
  value->text.length = vm->scratch.length;
}

/* [-0, +0, v] Raises the error about a key that the state can't have. Never returns. */
static void refuse_key(lua_State *L, uint32_t draft, int index) {
  moon_vm *vm = moon_vm_of(L);
  moon_buffer_clear(&vm->message);
  moon_callback(vm, draft_path, draft, NULL, &vm->message);
  moon_buffer_append(&vm->message, "", 1);
  moon_check_buffer(L, &vm->message);
  const char *what = lua_type(L, index) == LUA_TNUMBER   ? "fraction"
                     : lua_type(L, index) == LUA_TSTRING ? "string that isn't UTF-8"
                     : moon_is_draft(L, index)           ? "table"
                                                         : luaL_typename(L, index);
  luaL_error(L, "%s: a %s can't be a key in the state: keys are strings or integers",
             (const char *)vm->message.bytes, what);
}

void moon_draft_write(lua_State *L, uint32_t draft, const moon_item *key, int index) {
  moon_vm *vm = moon_vm_of(L);
  moon_item value;
  if (key->tag == MOON_TEXT) moon_charge_host(L, key->text.length);
  take_value(L, draft, key, index, &value);
  if (moon_callback(vm, draft_set, draft, key, &value) != MOON_DONE) moon_raise_failure(L);
}

bool moon_draft_insert(lua_State *L, uint32_t draft, lua_Integer position, int index) {
  moon_vm *vm = moon_vm_of(L);
  moon_item value, key = {.tag = MOON_INTEGER, .integer = position};
  take_value(L, draft, &key, index, &value);
  int status = moon_callback(vm, draft_insert, draft, position, &value);
  if (status == MOON_FAILED) moon_raise_failure(L);
  return status == MOON_DONE;
}

static int draft_index(lua_State *L) {
  moon_vm *vm = moon_vm_of(L);
  uint32_t draft = live(L, 1);
  moon_item key, out;
  if (!moon_key_at(L, 2, &key)) {
    lua_pushnil(L);
    return 1;
  }
  if (moon_callback(vm, draft_get, draft, &key, &out) != MOON_DONE) return moon_raise_failure(L);
  moon_push_item(L, &out);
  return 1;
}

static int draft_newindex(lua_State *L) {
  uint32_t draft = live(L, 1);
  moon_item key;
  if (!moon_key_at(L, 2, &key)) refuse_key(L, draft, 2);
  moon_draft_write(L, draft, &key, 3);
  return 0;
}

static int draft_length(lua_State *L) {
  moon_vm *vm = moon_vm_of(L);
  uint32_t draft = live(L, 1);
  int64_t length;
  if (moon_callback(vm, draft_length, draft, &length) != MOON_DONE) return moon_raise_failure(L);
  lua_pushinteger(L, length);
  return 1;
}

static int draft_tostring(lua_State *L) {
  lua_pushliteral(L, "table");
  return 1;
}

static int list_tostring(lua_State *L) { return draft_tostring(L); }

void moon_open_drafts(lua_State *L) {
  static const luaL_Reg methods[] = {{"__index", draft_index},
                                     {"__newindex", draft_newindex},
                                     {"__len", draft_length},
                                     {"__tostring", draft_tostring},
                                     {NULL, NULL}};
  moon_vm *vm = moon_vm_of(L);
  lua_pushlightuserdata(L, vm); /* any will do: the metatable is that of the type */
  luaL_newlib(L, methods);
  lua_pushliteral(L, "table"); /* for messages such as "table expected, got …" */
  lua_setfield(L, -2, "__name");
  lua_pushboolean(L, 0);
  lua_setfield(L, -2, "__metatable");
  lua_setmetatable(L, -2);
  lua_pop(L, 1);
  /* A full userdata, since messages name only those: "attempt to index a null value". */
  vm->null = lua_newuserdatauv(L, 0, 0);
  lua_createtable(L, 0, 1);
  lua_pushliteral(L, "null");
  lua_setfield(L, -2, "__name");
  lua_setmetatable(L, -2);
  vm->null_reference = luaL_ref(L, LUA_REGISTRYINDEX);
  lua_createtable(L, 0, 2);
  lua_pushboolean(L, 0);
  lua_setfield(L, -2, "__metatable");
  lua_pushcfunction(L, list_tostring);
  lua_setfield(L, -2, "__tostring");
  lua_rawsetp(L, LUA_REGISTRYINDEX, &moon_key_list);
}

/* The metamethods of drafts, and changes of drafts. */
#include "drafts.h"
#include "encode.h"
#include "host.h"
#include "items.h"
#include "memory.h"

#include <math.h>

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
      if (length > UINT32_MAX || !moon_pack(value, bytes, length)) break;
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
  uint32_t draft = moon_live_draft(L, 1);
  moon_item key, out;
  if (!moon_key_at(L, 2, &key)) {
    lua_pushnil(L);
    return 1;
  }
  if (moon_callback(vm, draft_get, draft, &key, &out) != MOON_DONE) return moon_raise_failure(L);
  moon_push_item(L, &out);
  return 1;
}

/* [-0, +0, v] draft[key] = value at index */
static void write(lua_State *L, uint32_t draft, const moon_item *key, int index) {
  moon_vm *vm = moon_vm_of(L);
  moon_item value;
  if (key->tag == MOON_TEXT) moon_charge_host(L, key->text.length);
  take_value(L, draft, key, index, &value);
  if (moon_callback(vm, draft_set, draft, key, &value) != MOON_DONE) moon_raise_failure(L);
}

static int draft_newindex(lua_State *L) {
  uint32_t draft = moon_live_draft(L, 1);
  moon_item key;
  if (!moon_key_at(L, 2, &key)) refuse_key(L, draft, 2);
  write(L, draft, &key, 3);
  return 0;
}

static int draft_length(lua_State *L) {
  moon_vm *vm = moon_vm_of(L);
  uint32_t draft = moon_live_draft(L, 1);
  int64_t length;
  if (moon_callback(vm, draft_length, draft, &length) != MOON_DONE) return moon_raise_failure(L);
  lua_pushinteger(L, length);
  return 1;
}

static int table_tostring(lua_State *L) {
  lua_pushliteral(L, "table");
  return 1;
}

void moon_open_drafts(lua_State *L) {
  static const luaL_Reg methods[] = {{"__index", draft_index},
                                     {"__newindex", draft_newindex},
                                     {"__len", draft_length},
                                     {"__tostring", table_tostring},
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
  lua_pushcfunction(L, table_tostring);
  lua_setfield(L, -2, "__tostring");
  lua_rawsetp(L, LUA_REGISTRYINDEX, &moon_key_list);
}

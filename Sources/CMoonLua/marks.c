/* Tables that stand for something else: empty lists, and secrets. */
#include "marks.h"

static bool has_metatable(lua_State *L, int index, const void *key) {
  if (!lua_getmetatable(L, index)) return false;
  lua_rawgetp(L, LUA_REGISTRYINDEX, key);
  bool has = lua_rawequal(L, -1, -2);
  lua_pop(L, 2);
  return has;
}

bool moon_is_marked_list(lua_State *L, int index) {
  return has_metatable(L, index, &moon_key_list);
}

bool moon_is_secret(lua_State *L, int index) { return has_metatable(L, index, &moon_key_secret); }

/* The key of the only entry of a secret, which Swift knows too, and the key in a copy. */
static const char secret_key[] = "\0secret", copied_key[] = "\0copied";

void moon_mark_copy(lua_State *L, int index, int key) {
  size_t length;
  if (lua_type(L, key) != LUA_TSTRING) return;
  const char *text = lua_tolstring(L, key, &length);
  if (length != sizeof secret_key - 1 || memcmp(text, secret_key, length) != 0) return;
  if (moon_is_secret(L, index)) return;
  lua_pushlstring(L, copied_key, sizeof copied_key - 1);
  lua_replace(L, key);
}

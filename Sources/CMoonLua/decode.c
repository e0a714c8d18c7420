/* Decodes flat bytes (see moon_tag) onto Lua's stack; validates UTF-8. */
#include "internal.h"

/* Bytes from the encoder in Swift, which are well-formed. */
typedef struct {
  const uint8_t *cursor, *end;
  uint32_t shared; /* number of the value that several calls get, within such a value; else 0 */
  bool is_noted;   /* whether its recipe is being written */
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

/* Records with the same keys are decoded again and again. Their strings stay in the registry, since
 * finding one by its bytes, in Lua's table of strings, takes three times the instructions. */
void moon_open_keys(lua_State *L) {
  moon_vm *vm = moon_vm_of(L);
  for (size_t i = 0; i < MOON_KEYS; i++) {
    /* Anything but nil, for which there is no reference. No text has this length. */
    lua_pushboolean(L, 0);
    vm->keys[i] = (moon_known_key){0, UINT64_MAX, luaL_ref(L, LUA_REGISTRYINDEX), 0};
  }
  for (size_t i = 0; i <= MOON_TEXTS; i++) {
    lua_pushboolean(L, 0);
    vm->texts[i] = (moon_known_text){0, SIZE_MAX, NULL, luaL_ref(L, LUA_REGISTRYINDEX), 0};
  }
}

/* Several calls get a shared value one after another. All but the first make it by its recipe,
 * whose strings are known already: that takes a third of the instructions less. */

static void note(lua_State *L, source *from, int kind, int argument) {
  if (!from->is_noted) return;
  moon_recipe *recipe = &moon_vm_of(L)->recipe;
  if (recipe->count == MOON_STEPS)
    from->is_noted = false;
  else
    recipe->steps[recipe->count++] = (moon_step){kind, argument};
}

/* Forgets the recipe if it has a string whose place another one takes. `recipe` is the number at
 * that place. */
static void take_place(lua_State *L, source *from, uint32_t *recipe) {
  moon_vm *vm = moon_vm_of(L);
  if (*recipe == 0) return;
  if (*recipe == vm->recipe.number) vm->recipe.number = 0;
  if (*recipe == from->shared) from->is_noted = false;
  *recipe = 0;
}

/* [-0, +0, -] Notes a string in a known place. */
static void note_string(lua_State *L, source *from, int reference, uint32_t *recipe) {
  if (!from->is_noted) return;
  *recipe = from->shared;
  note(L, from, MOON_STEP_STRING, reference);
}

/* [-0, +1, m] Makes the shared value that was decoded last. */
static void follow_recipe(lua_State *L, const moon_recipe *recipe) {
  for (uint32_t i = 0; i < recipe->count; i++) {
    const moon_step *step = &recipe->steps[i];
    switch (step->kind) {
      case MOON_STEP_TABLE: lua_createtable(L, 0, step->argument); break;
      case MOON_STEP_STRING: lua_rawgeti(L, LUA_REGISTRYINDEX, step->argument); break;
      case MOON_STEP_INTEGER: lua_pushinteger(L, step->argument); break;
      case MOON_STEP_BOOLEAN: lua_pushboolean(L, step->argument); break;
      case MOON_STEP_ENTRY: lua_rawset(L, -3); break;
    }
  }
}

/* [-0, +1, m] Pushes the string of a key. */
static void push_key(lua_State *L, source *from, const char *bytes, size_t length) {
  moon_item item;
  if (length > MOON_SMALL_MAX) {
    from->is_noted = false;
    lua_pushlstring(L, bytes, length);
    return;
  }
  moon_pack_small(&item, bytes, length);
  uint64_t mixed = (item.small.high ^ item.small.low) * 0x9e3779b97f4a7c15u;
  moon_known_key *known = &moon_vm_of(L)->keys[mixed / (UINT64_MAX / MOON_KEYS + 1)];
  if (known->high == item.small.high && known->low == item.small.low) {
    lua_rawgeti(L, LUA_REGISTRYINDEX, known->reference);
    note_string(L, from, known->reference, &known->recipe);
    return;
  }
  take_place(L, from, &known->recipe);
  lua_pushlstring(L, bytes, length);
  lua_pushvalue(L, -1);
  lua_rawseti(L, LUA_REGISTRYINDEX, known->reference);
  known->high = item.small.high;
  known->low = item.small.low;
  note_string(L, from, known->reference, &known->recipe);
}

/* A hash of a text's length and both its ends. */
static uint64_t mix(const char *bytes, size_t length) {
  uint64_t first = 0, last = 0;
  if (length >= 8) {
    memcpy(&first, bytes, 8);
    memcpy(&last, bytes + length - 8, 8);
  } else {
    for (size_t i = 0; i < length; i++) first = first << 8 | (uint8_t)bytes[i];
  }
  return (first ^ last << 1 ^ length) * 0x9e3779b97f4a7c15u;
}

static bool is_known(const moon_known_text *known, uint64_t mixed, const char *bytes,
                     size_t length) {
  return known->mixed == mixed && known->length == length &&
         memcmp(known->bytes, bytes, length) == 0;
}

/* [-0, +1, m] Pushes the string of a text in a shared value. Most are in it several times, or in
 * the one before as well. Finding one takes half of the instructions of Lua's table of strings.
 */
static void push_shared_text(lua_State *L, source *from, const char *bytes, size_t length) {
  if (length > MOON_TEXT_MAX) {
    from->is_noted = false;
    lua_pushlstring(L, bytes, length);
    return;
  }
  uint64_t mixed = mix(bytes, length);
  moon_vm *vm = moon_vm_of(L);
  moon_known_text *known = &vm->texts[mixed / (UINT64_MAX / MOON_TEXTS + 1)];
  for (int i = 0; i < 2; i++) {
    if (is_known(&known[i], mixed, bytes, length)) {
      lua_rawgeti(L, LUA_REGISTRYINDEX, known[i].reference);
      note_string(L, from, known[i].reference, &known[i].recipe);
      return;
    }
  }
  moon_known_text *forgotten = &known[vm->forgotten_text++ & 1];
  take_place(L, from, &forgotten->recipe);
  lua_pushlstring(L, bytes, length);
  lua_pushvalue(L, -1);
  lua_rawseti(L, LUA_REGISTRYINDEX, forgotten->reference);
  *forgotten = (moon_known_text){mixed, length, lua_tostring(L, -1), forgotten->reference, 0};
  note_string(L, from, forgotten->reference, &forgotten->recipe);
}

static void decode(lua_State *L, source *from, int level);

/* [-0, +1, m] Pushes a value that several calls get. */
static void decode_shared(lua_State *L, source *from, int level) {
  moon_vm *vm = moon_vm_of(L);
  uint32_t number = take_size(from), length = take_size(from);
  if (number == vm->recipe.number) {
    from->cursor += length;
    follow_recipe(L, &vm->recipe);
    return;
  }
  /* The number is set at the end, since decoding may run out of memory. */
  vm->recipe.number = 0;
  vm->recipe.count = 0;
  from->shared = number;
  from->is_noted = level == 0;
  decode(L, from, level);
  if (from->is_noted) vm->recipe.number = number;
  from->shared = 0;
  from->is_noted = false;
}

/* Whether a value with this tag, at this level of nesting, may be part of a recipe. */
static bool may_be_noted(uint8_t tag, int level) {
  if (tag == MOON_MAP) return level < FREE_LEVELS;
  return tag == MOON_TEXT || tag == MOON_INTEGER || tag == MOON_FALSE || tag == MOON_TRUE;
}

static void decode(lua_State *L, source *from, int level) {
  if (from->cursor >= from->end) {
    lua_pushnil(L);
    return;
  }
  uint8_t tag = *from->cursor++;
  if (from->is_noted && !may_be_noted(tag, level)) from->is_noted = false;
  switch (tag) {
    case MOON_FALSE:
    case MOON_TRUE:
      lua_pushboolean(L, tag == MOON_TRUE);
      note(L, from, MOON_STEP_BOOLEAN, tag == MOON_TRUE);
      break;
    case MOON_INTEGER: {
      lua_Integer integer;
      memcpy(&integer, from->cursor, sizeof integer);
      from->cursor += sizeof integer;
      lua_pushinteger(L, integer);
      if (integer != (int)integer) from->is_noted = false;
      note(L, from, MOON_STEP_INTEGER, (int)integer);
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
      if (from->shared != 0)
        push_shared_text(L, from, bytes, length);
      else
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
      note(L, from, MOON_STEP_TABLE, (int)count);
      for (uint32_t i = 0; i < count; i++) {
        if (from->cursor < from->end && *from->cursor == MOON_TEXT) {
          ++from->cursor;
          uint32_t length = take_size(from);
          push_key(L, from, (const char *)from->cursor, length);
          from->cursor += length;
        } else {
          decode(L, from, level + 1);
        }
        decode(L, from, level + 1);
        lua_rawset(L, -3);
        note(L, from, MOON_STEP_ENTRY, 0);
      }
      break;
    }
    case MOON_NULL: moon_push_null(L); break;
    case MOON_CONTEXT: lua_rawgetp(L, LUA_REGISTRYINDEX, &moon_key_context); break;
    case MOON_DRAFT: moon_push_draft(L, take_size(from)); break;
    case MOON_FUNCTION: lua_rawgeti(L, LUA_REGISTRYINDEX, (int32_t)take_size(from)); break;
    case MOON_SHARED: decode_shared(L, from, level); break;
    default: lua_pushnil(L);
  }
}

int moon_decode_all(lua_State *L, const uint8_t *bytes, size_t length) {
  source from = {bytes, bytes + length, 0, false};
  int count = 0;
  while (from.cursor < from.end) {
    if (count >= FREE_ARGUMENTS) luaL_checkstack(L, 20, "too many arguments");
    decode(L, &from, 0);
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

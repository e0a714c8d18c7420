/* Single values between the host and Lua.
 *
 * Drafts are values that behave like tables. Their contents live in Swift; a handle is an index and
 * the epoch in which the index is valid. Both are in the address of a light userdata, which needs
 * no memory, is itself wherever it is pushed, and leaves no garbage. No address of user space has
 * the highest bit, so it tells a draft from anything else. */
#include "items.h"
#include "memory.h"

#include <stdio.h>

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

void moon_push_draft(lua_State *L, uint32_t draft) {
  lua_pushlightuserdata(L, (void *)(uintptr_t)(moon_vm_of(L)->epoch | draft));
}

bool moon_is_draft(lua_State *L, int index) { return (handle_at(L, index) & DRAFT_MARK) != 0; }

static bool is_of_epoch(lua_State *L, uint64_t handle) {
  return handle >> DRAFT_BITS == moon_vm_of(L)->epoch >> DRAFT_BITS;
}

bool moon_is_live(lua_State *L, int index) { return is_of_epoch(L, handle_at(L, index)); }

uint32_t moon_live_draft(lua_State *L, int index) {
  uint64_t handle = handle_at(L, index);
  if (!is_of_epoch(L, handle))
    luaL_error(L,
               "this part of the state, the payload or the route was kept from an earlier call; it "
               "can be used only until that call returned (copy what you need)");
  return (uint32_t)handle & (((uint32_t)1 << DRAFT_BITS) - 1);
}

bool moon_to_draft(lua_State *L, int index, uint32_t *draft) {
  if (!moon_is_draft(L, index)) return false;
  *draft = moon_live_draft(L, index);
  return true;
}

void moon_push_null(lua_State *L) {
  lua_rawgeti(L, LUA_REGISTRYINDEX, moon_vm_of(L)->null_reference);
}

bool moon_is_null(lua_State *L, int index) {
  return lua_touserdata(L, index) == moon_vm_of(L)->null;
}

/* Packs a text of at most MOON_SMALL_MAX bytes. Returns false unless it is ASCII, and so certainly
 * UTF-8. */
static bool pack_small(moon_item *item, const char *bytes, size_t length) {
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

bool moon_pack(moon_item *item, const char *bytes, size_t length) {
  if (length <= MOON_SMALL_MAX)
    return pack_small(item, bytes, length) || moon_utf8_is_valid(bytes, length);
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
    case LUA_TSTRING:
      bytes = lua_tolstring(L, index, &length);
      return moon_pack(key, bytes, length);
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

void moon_append_key(moon_buffer *path, const moon_item *key) {
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
    if (path->length > 0) moon_buffer_append(path, ".", 1);
    moon_buffer_append(path, bytes, length);
  } else {
    moon_buffer_append(path, "[\"", 2);
    moon_buffer_append(path, bytes, length);
    moon_buffer_append(path, "\"]", 2);
  }
}

/* items.c: single values between the host and Lua, and the handles of drafts. */
#pragma once

#include "vm.h"

/* [-0, +1, -] Pushes the handle of a draft, which is the same value until the call ends. */
void moon_push_draft(lua_State *L, uint32_t draft);
/* [-0, +1, -] Pushes moon.null. */
void moon_push_null(lua_State *L);
/* [-0, +0, -] Whether the value is moon.null. */
bool moon_is_null(lua_State *L, int index);
/* Longest text that an item can hold itself. */
#define MOON_SMALL_MAX 15
/* Sets an item to a text. Returns false if the bytes aren't UTF-8. */
bool moon_pack(moon_item *item, const char *bytes, size_t length);
/* [-0, +1, m] Pushes a value returned by a callback. */
void moon_push_item(lua_State *L, const moon_item *item);
/* [-0, +0, v] Whether the value is a draft, and its index. Raises an error for a dead draft. */
bool moon_to_draft(lua_State *L, int index, uint32_t *draft);
/* [-0, +0, v] The index of a draft. The value may be any other light userdata: they share
 * metamethods. Raises an error for those and for a dead draft. */
uint32_t moon_live_draft(lua_State *L, int index);
/* [-0, +0, -] Whether the value is a draft, live or dead. */
bool moon_is_draft(lua_State *L, int index);
/* [-0, +0, -] Whether a draft is live. */
bool moon_is_live(lua_State *L, int index);
/* [-0, +0, v] Reads a table key. Returns false for a key that the state can't have. */
bool moon_key_at(lua_State *L, int index, moon_item *key);
/* Appends a key to the text of a path: `.log`, `[3]` or `["a b"]`. */
void moon_append_key(moon_buffer *path, const moon_item *key);
/* [-0, +0, -] */
bool moon_utf8_is_valid(const char *bytes, size_t length);

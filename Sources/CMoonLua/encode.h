/* encode.c: from the stack to flat bytes. Comments give [-popped, +pushed, errors] as Lua's manual
 * does. */
#pragma once

#include "vm.h"

typedef enum { MOON_AS_VALUE, MOON_AS_FORM, MOON_AS_BYTES } moon_shape;
/* [-0, +0, v] Appends the value at `index`. Returns its approximate size in the host's memory.
 * Raises an error for a value that can't be kept. `root` is its place in the state, or NULL. */
size_t moon_encode(lua_State *L, int index, moon_shape shape, const char *root, moon_buffer *out);
/* [-0, +0, v] Like moon_encode, for a value that is stored under `key` of a draft. */
size_t moon_encode_at(lua_State *L, int index, uint32_t draft, const moon_item *key,
                      moon_buffer *out);

/* decode.c: from flat bytes onto the stack. */
#pragma once

#include "vm.h"

/* [-0, +n, m] Pushes all values and returns n. Requires at most four stack slots in use. */
int moon_decode_all(lua_State *L, const uint8_t *bytes, size_t length);

/* lengths.c: the length of tables. */
#pragma once

#include "vm.h"

/* First byte of the strings that stand for the operator `#`. */
#define MOON_LENGTH_MARK '\1'
/* [-0, +0, -] The border of the table at `index`, without metamethods. Keys alone decide. */
lua_Integer moon_border(lua_State *L, int index);
/* [-0, +0, e] Like luaL_len. */
lua_Integer moon_length(lua_State *L, int index);
void moon_open_lengths(lua_State *L);

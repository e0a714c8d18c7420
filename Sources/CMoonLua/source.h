/* source.c: checks and rewrites of texts before Lua compiles them. */
#pragma once

#include "vm.h"

/* [-0, +1, v] Like luaL_loadbufferx, for text from scripts and people. */
int moon_compile(lua_State *L, const char *text, size_t length, const char *name);
/* [-0, +1, m] Compiles text of the program's own, in a state without a machine. */
int moon_compile_own(lua_State *L, const char *text, size_t length, const char *name);
/* Whether a text is free of what takes the compiler too long. */
bool moon_may_compile(const char *text, size_t length);
/* [-0, +1, v] The same as moon_compile for the text of a file, whose first line may begin with `#`,
 * as in `#!/usr/bin/env lua`. */
int moon_compile_file(lua_State *L, const char *text, size_t length, const char *name);

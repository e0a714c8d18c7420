/* guard.c: pcall, xpcall and coroutines that don't catch a kill. */
#pragma once

#include "vm.h"

void moon_open_guard(lua_State *L);
/* Results of moon_resume besides a number of results. */
#define MOON_RESUME_FAILED (-1)
#define MOON_RESUME_WAITS (-2)
/* [-count, +results or 1 message, v] Resumes `co` with the arguments on top of L. A waiting
 * coroutine keeps the values that it yielded. */
int moon_resume(lua_State *L, lua_State *co, int count);
/* [-0, +0, v] Like lua_resetthread, on `co`. */
int moon_close_coroutine(lua_State *L, lua_State *co);

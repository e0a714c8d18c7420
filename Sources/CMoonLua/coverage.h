/* coverage.c: counts the lines that run, for tests. */
#pragma once

#include "vm.h"

/* Sets the hook that counts lines on a coroutine, or none if nothing counts. */
void moon_cover(lua_State *L);

/* calls.c: calls of the functions of the host. */
#pragma once

#include "vm.h"

/* [-n, +results, v] Calls the host function whose number is the first value on the stack, with the
 * other values. */
int moon_call_host(lua_State *L);

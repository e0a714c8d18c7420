/* waits.c: waits, which pass through all coroutines of a task. */
#pragma once

#include "vm.h"

/* Whether a coroutine is suspended in a wait. */
bool moon_waits(lua_State *co);
/* Removes the mark of a waiting coroutine; does nothing for others. */
void moon_end_wait(lua_State *co);
/* [v] Yields because `co`, which L resumed, waits. Keeps `kept` values of the stack; `again` is
 * called with the answer above them. */
int moon_pass_wait(lua_State *L, lua_State *co, int kept, lua_KFunction again);
/* wait(function, …): calls the host, and waits unless the host answers immediately. */
int moon_wait(lua_State *L);

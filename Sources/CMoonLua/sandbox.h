/* sandbox.c: the globals of a machine, built from allow-lists. */
#pragma once

#include "vm.h"

void moon_open_sandbox(lua_State *L);
/* The function `tostring`, without addresses. */
int moon_to_text(lua_State *L);
/* [-0, +0, v] In a pure call, raises the error that `what` isn't available. */
void moon_refuse_in_pure(lua_State *L, const char *what);

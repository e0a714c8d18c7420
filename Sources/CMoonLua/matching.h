/* matching.c: string.find, match, gmatch and gsub. */
#pragma once

#include "vm.h"

void moon_open_matching(lua_State *L);

/* libraries.c: `require`, and the native functions of the library `moonwire`. */
#pragma once

#include "vm.h"

void moon_open_library(lua_State *L, const moon_options *options);

/* tables.c: the library `table` and raw access. */
#pragma once

#include "vm.h"

void moon_open_tables(lua_State *L);

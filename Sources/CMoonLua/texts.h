/* texts.c: string.format, rep and pack. */
#pragma once

#include "vm.h"

void moon_open_texts(lua_State *L);

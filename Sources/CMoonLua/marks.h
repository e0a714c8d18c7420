/* marks.c: tables that stand for something else. */
#pragma once

#include "vm.h"

/* [-0, +0, -] Whether the table at `index` was made by moon.list(). */
bool moon_is_marked_list(lua_State *L, int index);
/* [-0, +0, -] Whether the table at `index` is a secret. */
bool moon_is_secret(lua_State *L, int index);
/* [-0, +0, m] Replaces the key at `key`, of the only entry of the table at `index`, if the table
 * looks like a secret and is none: data that scripts get or make can't pass for one. */
void moon_mark_copy(lua_State *L, int index, int key);

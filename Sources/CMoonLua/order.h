/* order.c: `pairs` and `next`. */
#pragma once

#include "vm.h"

void moon_open_order(lua_State *L);
/* [-0, +1, m] Pushes a list of the keys of the table at `index`, in order; sets *count. */
void moon_push_sorted_keys(lua_State *L, int index, size_t *count);

/* memory.c: the allocator of a machine, and byte buffers. */
#pragma once

#include "vm.h"

void *moon_allocate(void *vm, void *block, size_t old_size, size_t new_size);
/* Frees all of Lua's blocks and the pool; called after lua_close, or in place of it. */
void moon_free_all(moon_vm *vm);

/* drafts.c: the metamethods of drafts, and changes of drafts. */
#pragma once

#include "vm.h"

/* [-0, +0, v] Returns false and does nothing if the draft isn't a list. */
bool moon_draft_insert(lua_State *L, uint32_t draft, lua_Integer position, int index);
void moon_open_drafts(lua_State *L);

/* errors.c: the messages and tracebacks of errors. */
#pragma once

#include "vm.h"

/* Longest file or function name in a frame. Scripts choose both. */
#define MOON_FRAME_TEXT_MAX 4096

/* [-0, +0, m] Records the message of the error at `index`, and the traceback of `traced` from
 * `level` unless that is negative. The handler of `enter` does this too, unless vm->is_recorded. */
void moon_record_error(lua_State *L, int index, lua_State *traced, int level);
/* [-0, +0, m] Lua's messages about wrong operands call a draft "userdata", and an element that was
 * looked up by its number "field 'integer index'". Replaces such a message at `index` by one that
 * calls them "table" and "an element by its number". */
void moon_mend_message(lua_State *L, int index);

/* quota.c: the memory quota of a machine. The allocator always grants; excessive use ends the call
 * at the next safe point. */
#pragma once

#include "vm.h"

void moon_set_quota(moon_vm *vm, size_t quota);
/* Lets a new machine share its quota with the others that count their memory there; NULL for
 * none. */
void moon_share_quota(moon_vm *vm, size_t *shared);
/* At the beginning of a call: leaves it what the others don't use. */
void moon_begin_share(moon_vm *vm);
/* Whether the call has taken much of a shared quota of which little is left, so that its garbage
 * is collected, which only its own machine could do. */
bool moon_crowds_share(const moon_vm *vm);
/* [-0, +0, m] A function of Lua that collects all garbage. */
int moon_collect(lua_State *L);
/* At the end of a call: counts what it uses now. */
void moon_end_share(moon_vm *vm);
/* [-0, +0, -] Called when memory use is above alarm_level. `block` is the size of a new block. */
void moon_raise_alarm(moon_vm *vm, size_t block);
/* [-0, +0, v] Called before a large string is allocated. A single `..` joins up to 250 strings,
 * each possibly as large as the quota, so use beyond twice the quota ends the call here. */
void moon_check_string(moon_vm *vm, size_t size);
/* [-0, +0, v] Ends the call with that status. Never returns. */
void moon_kill(lua_State *L, moon_status reason);
/* Sets the hook that ends calls on a coroutine. */
void moon_arm(lua_State *L);
/* [-0, +0, m] Notes that a script uses the table at `index` as a metatable. */
void moon_note_metatable(lua_State *L, int index);
/* [-0, +0, v] Whether an encoded value may have `nodes` elements. Ends a killed call. */
bool moon_can_encode(lua_State *L, size_t nodes);
/* Whether a buffer may grow by `bytes`. */
bool moon_can_grow(moon_vm *vm, size_t bytes);
/* Releases what moon_charge_host has counted; called when the call ends. */
void moon_release_host(moon_vm *vm);
/* [-0, +0, v] A safe point. Ends a killed call. After an alarm it collects garbage, and ends the
 * call if that doesn't free enough. */
void moon_safe_point(lua_State *L);
/* [-0, +0, v] Ends the call if the quota has no room for `bytes` more. Called before allocating. */
void moon_charge(lua_State *L, size_t bytes);
/* Approximate size of an element in the host's memory, not counting text: 20 bytes in a long list,
 * 110 as the only element of a list. */
#define MOON_NODE_BYTES 64
/* [-0, +0, v] Counts memory that the host holds for the script until the call ends. */
void moon_charge_host(lua_State *L, size_t bytes);
/* [-0, +0, v] Raises the kill again if the call was killed. */
void moon_rethrow_kill(lua_State *L);
/* [-0, +0, v] Raises a memory error if the buffer has failed to grow. */
void moon_check_buffer(lua_State *L, moon_buffer *buffer);

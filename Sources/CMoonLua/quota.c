/* The quota of a machine's memory. It is soft: the allocator grants whatever is asked for and
 * sounds an alarm. A hard one makes Lua collect garbage in the middle of an operation, where Lua
 * 5.4.4 frees what it still uses, and lets nearly every function of its interface raise. */
#include "internal.h"

/* The share of the quota that may be in use after a collection: closer to it each small growth
 * would mean another collection. */
#define KEPT(quota) ((quota) / 8 * 7)

void moon_set_quota(moon_vm *vm, size_t quota) {
  vm->quota = quota;
  vm->alarm_level = quota == 0 ? SIZE_MAX : quota / 2;
  vm->block_max = quota == 0 ? SIZE_MAX : quota / 16;
  vm->nodes_max = quota == 0 || quota / 32 > MOON_NODES_MAX ? MOON_NODES_MAX : quota / 32;
}

void moon_arm(lua_State *L) {
  lua_sethook(L, moon_hook, LUA_MASKCALL | LUA_MASKRET | LUA_MASKCOUNT, 1);
}

void moon_kill(lua_State *L, moon_status reason) {
  moon_vm *vm = moon_vm_of(L);
  uint64_t serial = atomic_load(&vm->serial);
  if (serial == 0) luaL_error(L, "not enough memory"); /* while the machine is made */
  if (!moon_is_killed(vm)) {
    atomic_store(&vm->kill_reason, reason);
    atomic_store(&vm->killed_serial, serial);
  }
  moon_pass_kill(L);
}

void moon_pass_kill(lua_State *L) {
  if (!moon_is_killed(moon_vm_of(L))) return;
  moon_arm(L); /* what runs while this thread is unwound ends at once, too */
  lua_pushlightuserdata(L, &moon_key_killed);
  lua_error(L);
}

void moon_sound_alarm(moon_vm *vm, size_t block) {
  if (vm->is_alarmed || vm->running == NULL) return;
  if (vm->memory <= vm->quota && block <= vm->block_max) return;
  vm->is_alarmed = true;
  if (vm->call == NULL) return; /* the next call begins at a safe point */
  if (vm->in_host)
    vm->must_arm = true;
  else
    moon_arm(vm->running);
}

void moon_refuse_string(moon_vm *vm, size_t size) {
  /* Raising is what Lua itself does where a string can't be had. */
  if (vm->call != NULL && (size > vm->quota || vm->memory > 2 * vm->quota - size))
    moon_kill(vm->running, MOON_QUOTA);
}

static void answer_alarm(lua_State *L) {
  moon_vm *vm = moon_vm_of(L);
  vm->is_alarmed = false;
  lua_gc(L, LUA_GCCOLLECT);
  if (vm->memory > KEPT(vm->quota)) moon_kill(L, MOON_QUOTA);
}

void moon_safe_point(lua_State *L) {
  moon_pass_kill(L);
  if (moon_vm_of(L)->is_alarmed) answer_alarm(L);
}

/* Runs at the next instruction after a kill or an alarm. */
void moon_hook(lua_State *L, lua_Debug *frame) {
  (void)frame;
  moon_safe_point(L);
  lua_sethook(L, NULL, 0, 0);
}

void moon_charge(lua_State *L, size_t bytes) {
  moon_vm *vm = moon_vm_of(L);
  if (vm->quota == 0 || (bytes <= vm->quota && vm->memory <= vm->quota - bytes)) return;
  if (bytes <= vm->quota) {
    lua_gc(L, LUA_GCCOLLECT);
    if (vm->memory <= vm->quota - bytes) return;
  }
  moon_kill(L, MOON_QUOTA);
}

void moon_charge_host(lua_State *L, size_t bytes) {
  moon_vm *vm = moon_vm_of(L);
  moon_charge(L, bytes);
  vm->host_memory += bytes;
  vm->written += bytes;
  vm->memory += bytes;
  if (vm->memory > vm->memory_peak) vm->memory_peak = vm->memory;
}

void moon_forgive_host(moon_vm *vm) {
  vm->memory -= vm->host_memory;
  vm->host_memory = 0;
}

bool moon_may_hold(lua_State *L, size_t nodes) {
  moon_pass_kill(L);
  return nodes <= moon_vm_of(L)->nodes_max;
}

bool moon_may_buffer(moon_vm *vm, size_t bytes) {
  /* Growing is refused, not killed for: it may happen below a frame of Swift. */
  vm->is_over = vm->quota != 0 && (bytes > vm->quota || vm->memory > 2 * vm->quota - bytes);
  return !vm->is_over;
}

void moon_check_buffer(lua_State *L, moon_buffer *buffer) {
  if (!buffer->failed) return;
  if (buffer->owner != NULL && buffer->owner->is_over) moon_kill(L, MOON_QUOTA);
  luaL_error(L, "not enough memory");
}

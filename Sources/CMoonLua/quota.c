/* The memory quota of a machine. It is soft: the allocator grants every request and raises an
 * alarm, and the call ends at the next safe point. A hard quota would trigger emergency
 * collections, in which Lua 5.4.4 frees objects still in use, and would let nearly every API
 * function raise. */
#include "quota.h"
#include "coverage.h"

/* Memory that may be in use after a collection. Any closer to the quota, each small growth would
 * mean another collection. */
#define KEPT(quota) ((quota) / 8 * 7)

/* Growth between two collections, at least, where this file decides about them. */
#define GARBAGE_MIN ((size_t)256 * 1024)

static void set_alarm_level(moon_vm *vm) {
  size_t level = vm->quota == 0 ? SIZE_MAX : vm->quota / 2;
  vm->alarm_level = level < vm->collect_level ? level : vm->collect_level;
}

static void limit(moon_vm *vm, size_t quota) {
  vm->quota = quota;
  set_alarm_level(vm);
  vm->block_max = quota == 0 ? SIZE_MAX : quota / 16;
}

void moon_set_quota(moon_vm *vm, size_t quota) {
  vm->quota_max = quota;
  vm->collect_level = SIZE_MAX;
  limit(vm, quota);
  vm->nodes_max = quota == 0 || quota / 32 > MOON_NODES_MAX ? MOON_NODES_MAX : quota / 32;
}

static void on_hook(lua_State *L, lua_Debug *frame);

void moon_arm(lua_State *L) {
  lua_sethook(L, on_hook, LUA_MASKCALL | LUA_MASKRET | LUA_MASKCOUNT, 1);
}

void moon_kill(lua_State *L, moon_status reason) {
  moon_vm *vm = moon_vm_of(L);
  uint64_t serial = atomic_load(&vm->serial);
  if (serial == 0) luaL_error(L, "not enough memory"); /* while the machine is being created */
  if (!moon_is_killed(vm)) {
    atomic_store(&vm->kill_reason, reason);
    atomic_store(&vm->killed_serial, serial);
  }
  moon_rethrow_kill(L);
}

void moon_rethrow_kill(lua_State *L) {
  if (!moon_is_killed(moon_vm_of(L))) return;
  moon_arm(L); /* also ends what runs while the stack unwinds */
  lua_pushlightuserdata(L, &moon_key_killed);
  lua_error(L);
}

void moon_raise_alarm(moon_vm *vm, size_t block) {
  bool is_full = vm->quota != 0 && (vm->memory > vm->quota || block > vm->block_max);
  if (vm->is_full || !(is_full || vm->memory > vm->collect_level)) return;
  vm->is_full = is_full;
  if (vm->is_alarmed || vm->running == NULL) return;
  vm->is_alarmed = true;
  if (vm->call == NULL) return; /* the next call begins with a safe point */
  if (vm->in_host)
    vm->must_arm = true;
  else
    moon_arm(vm->running);
}

void moon_check_string(moon_vm *vm, size_t size) {
  /* Raising is safe here: Lua does it itself when a string can't be allocated. */
  if (vm->call != NULL && (size > vm->quota || vm->memory > 2 * vm->quota - size))
    moon_kill(vm->running, MOON_QUOTA);
}

/* ---- Machines that share a quota ---- */

void moon_share_quota(moon_vm *vm, size_t *shared) {
  vm->shared = vm->quota_max == 0 ? NULL : shared;
  vm->fresh_memory = vm->memory;
}

static size_t own_part(const moon_vm *vm) {
  return vm->memory > vm->fresh_memory ? vm->memory - vm->fresh_memory : 0;
}

void moon_begin_share(moon_vm *vm) {
  if (vm->shared == NULL) return;
  size_t others = *vm->shared - vm->shared_part;
  size_t left = others < vm->quota_max ? vm->quota_max - others : 0;
  limit(vm, left + vm->fresh_memory);
}

bool moon_crowds_share(const moon_vm *vm) {
  if (vm->shared == NULL) return false;
  size_t part = own_part(vm);
  return part > vm->shared_part + GARBAGE_MIN &&
         *vm->shared - vm->shared_part + part > vm->quota_max / 2;
}

void moon_end_share(moon_vm *vm) {
  if (vm->shared == NULL) return;
  size_t part = own_part(vm);
  *vm->shared += part - vm->shared_part;
  vm->shared_part = part;
}

/* ---- Garbage ---- */

/* [-0, +1, m] Removes `__mode` from all metatables of scripts. Pushes a table of the modes by
 * metatable, or nil if there were none. */
static void push_modes(lua_State *L) {
  lua_pushnil(L);
  int modes = lua_gettop(L);
  lua_rawgetp(L, LUA_REGISTRYINDEX, &moon_key_metatables);
  for (lua_pushnil(L); lua_next(L, -2) != 0;) {
    lua_pop(L, 1);
    lua_pushliteral(L, "__mode");
    if (lua_rawget(L, -2) == LUA_TNIL) {
      lua_pop(L, 1);
      continue;
    }
    if (lua_isnil(L, modes)) {
      lua_createtable(L, 0, 1);
      lua_replace(L, modes);
    }
    lua_pushvalue(L, -2);
    lua_insert(L, -2);
    lua_rawset(L, modes);
    lua_pushliteral(L, "__mode");
    lua_pushnil(L);
    lua_rawset(L, -3);
  }
  lua_pop(L, 1);
}

/* [-1, +0, m] Restores the modes in the table on top. */
static void restore_modes(lua_State *L) {
  for (lua_pushnil(L); lua_istable(L, -2) && lua_next(L, -2) != 0;) {
    lua_pushliteral(L, "__mode");
    lua_insert(L, -2);
    lua_rawset(L, -3);
  }
  lua_settop(L, lua_istable(L, -1) ? -2 : -3);
}

/* [-0, +0, m] Collects all garbage. No table of a script is weak meanwhile. */
static void collect(lua_State *L) {
  moon_vm *vm = moon_vm_of(L);
  if (vm->collect_level == SIZE_MAX) {
    lua_gc(L, LUA_GCCOLLECT);
    return;
  }
  luaL_checkstack(L, 8, "no room to collect garbage");
  push_modes(L);
  lua_gc(L, LUA_GCCOLLECT);
  restore_modes(L);
  vm->collect_level = vm->memory > GARBAGE_MIN ? 2 * vm->memory : vm->memory + GARBAGE_MIN;
  set_alarm_level(vm);
}

int moon_collect(lua_State *L) {
  collect(L);
  return 0;
}

/* What a collection leaves in a weak table differs from run to run, so `__mode` weakens nothing.
 * From the first metatable on, garbage is therefore collected by `collect` only, never by Lua
 * itself. */
void moon_note_metatable(lua_State *L, int index) {
  moon_vm *vm = moon_vm_of(L);
  if (vm->call == NULL) return; /* a metatable of the host */
  if (vm->collect_level == SIZE_MAX) {
    lua_createtable(L, 0, 4);
    lua_createtable(L, 0, 1);
    lua_pushliteral(L, "k");
    lua_setfield(L, -2, "__mode");
    lua_setmetatable(L, -2);
    lua_rawsetp(L, LUA_REGISTRYINDEX, &moon_key_metatables);
    lua_gc(L, LUA_GCSTOP);
    vm->collect_level = vm->memory + GARBAGE_MIN;
    set_alarm_level(vm);
  }
  lua_rawgetp(L, LUA_REGISTRYINDEX, &moon_key_metatables);
  lua_pushvalue(L, index);
  if (lua_rawget(L, -2) == LUA_TNIL) {
    lua_pushvalue(L, index);
    lua_pushboolean(L, 1);
    lua_rawset(L, -4);
  }
  lua_pop(L, 2);
}

/* Not inlined: moon_safe_point is called often, an alarm is rare. */
__attribute__((noinline)) static void handle_alarm(lua_State *L) {
  moon_vm *vm = moon_vm_of(L);
  bool was_full = vm->is_full;
  collect(L);
  vm->is_alarmed = vm->is_full = false; /* clears an alarm raised by the collection itself */
  if (was_full && vm->memory > KEPT(vm->quota)) moon_kill(L, MOON_QUOTA);
}

void moon_safe_point(lua_State *L) {
  moon_rethrow_kill(L);
  if (moon_vm_of(L)->is_alarmed) handle_alarm(L);
}

/* Runs before the next instruction after a kill or an alarm. */
static void on_hook(lua_State *L, lua_Debug *frame) {
  (void)frame;
  moon_safe_point(L);
  moon_cover(L);
}

static bool has_room(const moon_vm *vm, size_t bytes) {
  return vm->quota == 0 || (bytes <= vm->quota && vm->memory <= vm->quota - bytes);
}

void moon_charge(lua_State *L, size_t bytes) {
  const moon_vm *vm = moon_vm_of(L);
  if (has_room(vm, bytes)) return;
  collect(L);
  if (!has_room(vm, bytes)) moon_kill(L, MOON_QUOTA);
}

void moon_charge_host(lua_State *L, size_t bytes) {
  moon_vm *vm = moon_vm_of(L);
  moon_charge(L, bytes);
  vm->host_memory += bytes;
  vm->memory += bytes;
  if (vm->memory > vm->memory_peak) vm->memory_peak = vm->memory;
}

void moon_vm_note_growth(moon_vm *vm, uint64_t entries) {
  size_t bytes = (size_t)entries * MOON_NODE_BYTES;
  vm->host_memory += bytes - vm->growth_memory;
  vm->memory += bytes - vm->growth_memory;
  vm->growth_memory = bytes;
  if (vm->memory > vm->memory_peak) vm->memory_peak = vm->memory;
  if (vm->memory > vm->alarm_level) moon_raise_alarm(vm, 0);
}

void moon_release_host(moon_vm *vm) {
  vm->memory -= vm->host_memory;
  vm->host_memory = vm->growth_memory = 0;
}

bool moon_can_encode(lua_State *L, size_t nodes) {
  moon_rethrow_kill(L);
  return nodes <= moon_vm_of(L)->nodes_max;
}

bool moon_can_grow(moon_vm *vm, size_t bytes) {
  /* Refuses instead of killing the call: the caller may be Swift. */
  vm->growth_refused = vm->quota != 0 && (bytes > vm->quota || vm->memory > 2 * vm->quota - bytes);
  return !vm->growth_refused;
}

void moon_check_buffer(lua_State *L, moon_buffer *buffer) {
  if (!buffer->failed) return;
  if (buffer->owner != NULL && buffer->owner->growth_refused) moon_kill(L, MOON_QUOTA);
  luaL_error(L, "not enough memory");
}

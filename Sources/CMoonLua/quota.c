/* The quota of a machine's memory. It is soft: the allocator grants whatever is asked for and
 * sounds an alarm. A hard one makes Lua collect garbage in the middle of an operation, where Lua
 * 5.4.4 frees what it still uses, and lets nearly every function of its interface raise. */
#include "internal.h"

/* The share of the quota that may be in use after a collection: closer to it each small growth
 * would mean another collection. */
#define KEPT(quota) ((quota) / 8 * 7)

/* The garbage that is left alone in a machine that Lua doesn't collect itself. */
#define GARBAGE_MIN ((size_t)256 * 1024)

static void set_alarm_level(moon_vm *vm) {
  size_t level = vm->quota == 0 ? SIZE_MAX : vm->quota / 2;
  vm->alarm_level = level < vm->collect_level ? level : vm->collect_level;
}

void moon_set_quota(moon_vm *vm, size_t quota) {
  vm->quota = quota;
  vm->collect_level = SIZE_MAX;
  set_alarm_level(vm);
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
  bool is_full = vm->quota != 0 && (vm->memory > vm->quota || block > vm->block_max);
  if (vm->is_full || !(is_full || vm->memory > vm->collect_level)) return;
  vm->is_full = is_full;
  if (vm->is_alarmed || vm->running == NULL) return;
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

/* ---- Garbage ---- */

/* [-0, +1, m] Pushes a table of the modes that scripts have given their metatables, and takes them
 * from these; nil if there are none. */
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

/* [-1, +0, m] Gives the modes back. */
static void restore_modes(lua_State *L) {
  for (lua_pushnil(L); lua_istable(L, -2) && lua_next(L, -2) != 0;) {
    lua_pushliteral(L, "__mode");
    lua_insert(L, -2);
    lua_rawset(L, -3);
  }
  lua_settop(L, lua_istable(L, -1) ? -2 : -3);
}

/* [-0, +0, m] Collects all garbage. No table of a script's is weak meanwhile. */
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

/* setmetatable refuses __mode, but a script may write it into the metatable later, and Lua heeds it
 * then. From the first metatable on, garbage is therefore collected here and nowhere else. */
void moon_note_metatable(lua_State *L, int index) {
  moon_vm *vm = moon_vm_of(L);
  if (vm->call == NULL) return; /* the host's own */
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

/* Rare, and kept out of moon_safe_point for that. */
__attribute__((noinline)) static void answer_alarm(lua_State *L) {
  moon_vm *vm = moon_vm_of(L);
  bool was_full = vm->is_full;
  collect(L);
  vm->is_alarmed = vm->is_full = false; /* the alarm may have sounded meanwhile */
  if (was_full && vm->memory > KEPT(vm->quota)) moon_kill(L, MOON_QUOTA);
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
    collect(L);
    if (vm->memory <= vm->quota - bytes) return;
  }
  moon_kill(L, MOON_QUOTA);
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
  if (vm->memory > vm->alarm_level) moon_sound_alarm(vm, 0);
}

void moon_forgive_host(moon_vm *vm) {
  vm->memory -= vm->host_memory;
  vm->host_memory = vm->growth_memory = 0;
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

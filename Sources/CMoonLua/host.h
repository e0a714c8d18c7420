/* host.c: callbacks of the host, and the errors about them. */
#pragma once

#include "quota.h"

/* Chunk name of the library `moonwire`. */
#define MOON_PRELUDE "@moonwire"

/* [-0, +0, -] Calls a function of the host. `in_host` is set meanwhile: Swift has frames on the
 * stack, and no jump may skip them. */
#define moon_callback(vm, function, ...) \
  (moon_enter_host(vm), moon_leave_host(vm, (vm)->callbacks.function((vm)->context, __VA_ARGS__)))
static inline void moon_enter_host(moon_vm *vm) { vm->in_host = true; }
static inline int moon_leave_host(moon_vm *vm, int status) {
  vm->in_host = false;
  if (vm->must_arm) {
    vm->must_arm = false;
    moon_arm(vm->running);
  }
  return status;
}

/* [-0, +1, m] Pushes `file:line: ` of the innermost code outside the library `moonwire`. */
void moon_where(lua_State *L);
/* [-0, +0, v] Raises the error that a callback has reported. Never returns. */
int moon_raise_failure(lua_State *L);
/* Stack slot of the name of a service's function in a call of the host. */
#define MOON_SERVICE_SLOT 2
/* [-1, +0, v] Raises the error of a service that gets what can't be passed to it, with the reason
 * on top of the stack. Never returns. */
void moon_refuse_argument(lua_State *L, const char *code);

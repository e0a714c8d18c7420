/* Calls of the functions of the host. */
#include "calls.h"
#include "decode.h"
#include "encode.h"
#include "host.h"
#include "memory.h"

/* Fraction of the quota that one call can pass to the host, so that an action can have what an
 * answer of a service has. */
#define CALL_SHARE 4
/* The same of a call of a service. The bytes exist up to four times while they are passed on. */
#define SERVICE_SHARE 8

/* Refuses what is larger than the share of one call. Never returns. */
static void refuse_size(lua_State *L, moon_shape shape, size_t most) {
  moon_buffer_trim(&moon_vm_of(L)->scratch);
  if (shape != MOON_AS_BYTES) moon_where(L);
  lua_pushfstring(L,
                  "more than %d KB can't be passed to the host at once; --limit memory=... allows "
                  "more",
                  (int)(most / 1024));
  if (shape == MOON_AS_BYTES) moon_refuse_argument(L, "too_large");
  lua_concat(L, 2);
  lua_error(L);
}

/* call(function, ...): calls a function of the host. */
int moon_call_host(lua_State *L) {
  moon_vm *vm = moon_vm_of(L);
  int32_t function = (int32_t)luaL_checkinteger(L, 1);
  int count = lua_gettop(L);
  moon_buffer_clear(&vm->scratch);
  moon_buffer_clear(&vm->reply);
  size_t cost = 0;
  moon_shape shape = function >= MOON_TAKES_BYTES ? MOON_AS_BYTES : MOON_AS_VALUE;
  size_t most = vm->quota_max / (shape == MOON_AS_BYTES ? SERVICE_SHARE : CALL_SHARE);
  for (int i = 2; i <= count; i++) {
    /* A long text would need more memory than the quota has before its size is known. */
    bool is_text = lua_type(L, i) == LUA_TSTRING;
    if (vm->quota != 0 && is_text && lua_rawlen(L, i) > most) refuse_size(L, shape, most);
    cost += moon_encode(L, i, shape, NULL, &vm->scratch);
  }
  moon_check_buffer(L, &vm->scratch);
  if (vm->quota != 0 && vm->scratch.length > most) refuse_size(L, shape, most);
  moon_charge_host(L, cost);
  if (moon_callback(vm, host_call, function, vm->scratch.bytes, vm->scratch.length, &vm->reply) !=
      MOON_DONE)
    return moon_raise_failure(L);
  moon_check_buffer(L, &vm->reply);
  lua_settop(L, 0);
  return moon_decode_all(L, vm->reply.bytes, vm->reply.length);
}

/* Memory: the allocator of a machine, and the buffers of the border. */
#include "internal.h"

#include <stdlib.h>

/* Counts an allocation; false if a test wants this one to fail. */
static bool may_allocate(moon_vm *vm) {
  uint64_t count = ++vm->allocations;
  return vm->fail_allocation == 0 || count < vm->fail_allocation ||
         (count > vm->fail_allocation && !vm->fail_after);
}

/* The allocator given to Lua. Never refuses to shrink. */
void *moon_allocate(void *context, void *block, size_t old_size, size_t new_size) {
  moon_vm *vm = context;
  if (block == NULL) old_size = 0; /* Lua passes the kind of the new object there */
  if (new_size == 0) {
    free(block);
    vm->memory -= old_size;
    return NULL;
  }
  if (new_size > old_size && !may_allocate(vm)) return NULL;
  void *grown = realloc(block, new_size);
  if (grown == NULL) return NULL;
  vm->memory += new_size - old_size;
  if (vm->memory > vm->memory_peak) vm->memory_peak = vm->memory;
  return grown;
}

void moon_buffer_reserve(moon_buffer *buffer, size_t extra) {
  if (buffer->failed) return;
  if (extra > SIZE_MAX / 4 - buffer->length) {
    buffer->failed = true;
    return;
  }
  size_t wanted = buffer->length + extra;
  if (wanted <= buffer->capacity) return;
  size_t capacity = buffer->capacity < 256 ? 256 : buffer->capacity;
  while (capacity < wanted) capacity *= 2;
  bool may = buffer->owner == NULL || may_allocate(buffer->owner);
  uint8_t *grown = may ? realloc(buffer->bytes, capacity) : NULL;
  if (grown == NULL) {
    buffer->failed = true;
    return;
  }
  buffer->bytes = grown;
  buffer->capacity = capacity;
}

void moon_buffer_append(moon_buffer *buffer, const void *bytes, size_t length) {
  moon_buffer_reserve(buffer, length);
  if (buffer->failed || length == 0) return;
  memcpy(buffer->bytes + buffer->length, bytes, length);
  buffer->length += length;
}

void moon_buffer_free(moon_buffer *buffer) {
  free(buffer->bytes);
  *buffer = (moon_buffer){.owner = buffer->owner};
}

void moon_check_buffer(lua_State *L, moon_buffer *buffer) {
  if (buffer->failed) luaL_error(L, "not enough memory");
}

size_t moon_vm_memory(const moon_vm *vm) { return vm->memory; }
size_t moon_vm_memory_peak(const moon_vm *vm) { return vm->memory_peak; }
uint64_t moon_vm_allocations(const moon_vm *vm) { return vm->allocations; }
const moon_buffer *moon_vm_message(const moon_vm *vm) { return &vm->message; }
const moon_buffer *moon_vm_frames(const moon_vm *vm) { return &vm->frames; }

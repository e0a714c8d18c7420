/* The allocator of a machine, and byte buffers. */
#include "memory.h"
#include "quota.h"

#include <stdlib.h>
#include <sys/mman.h>

/* Small blocks come from a pool, which is faster than a thread-safe malloc: the garbage of a
 * reducer is a few tables and userdata. The pool is one range of addresses, so an address tells
 * whether a block belongs to it. When it is full, malloc takes over. Pages are committed on first
 * use. Under a sanitizer, which has to see each block, the pool is empty. */
#if defined(__SANITIZE_ADDRESS__)
#define POOL_BYTES ((size_t)0)
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define POOL_BYTES ((size_t)0)
#endif
#endif
#ifndef POOL_BYTES
#define POOL_BYTES ((size_t)256 * 1024)
#endif

#define POOL_SIZE_MAX ((size_t)MOON_POOL_CLASSES * MOON_POOL_GRAIN)

static bool is_pooled(const moon_vm *vm, const void *block) {
  /* Without a pool this compares with POOL_BYTES itself; no block lies that low. */
  return (uintptr_t)block - (uintptr_t)vm->pool < POOL_BYTES;
}

static size_t pool_class(size_t size) { return (size - 1) / MOON_POOL_GRAIN; }

/* Returns NULL when the pool is full. */
static void *extend_pool(moon_vm *vm, size_t class) {
  size_t size = (class + 1) * MOON_POOL_GRAIN;
  if (vm->pool_used + size > POOL_BYTES) return NULL;
  if (vm->pool == NULL) {
    void *pool = mmap(NULL, POOL_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (pool == MAP_FAILED) return NULL;
    vm->pool = pool;
  }
  void *block = vm->pool + vm->pool_used;
  vm->pool_used += size;
  return block;
}

/* Takes a free block of the class, or extends the pool. */
static void *take_pooled(moon_vm *vm, size_t class) {
  void *block = vm->pool_free[class];
  if (block != NULL) {
    vm->pool_free[class] = *(void **)block;
    return block;
  }
  return extend_pool(vm, class);
}

static void give_back(moon_vm *vm, void *block, size_t size) {
  size_t class = pool_class(size);
  *(void **)block = vm->pool_free[class];
  vm->pool_free[class] = block;
}

/* ---- Blocks outside the pool ---- */

static void link_block(moon_vm *vm, moon_block *block) {
  block->previous = NULL;
  block->next = vm->blocks;
  if (vm->blocks != NULL) vm->blocks->previous = block;
  vm->blocks = block;
}

static void unlink_block(moon_vm *vm, moon_block *block) {
  if (block->next != NULL) block->next->previous = block->previous;
  if (block->previous != NULL)
    block->previous->next = block->next;
  else
    vm->blocks = block->next;
}

static void *take_block(moon_vm *vm, size_t size) {
  moon_block *block = size > SIZE_MAX - sizeof *block ? NULL : malloc(sizeof *block + size);
  if (block == NULL) return NULL;
  link_block(vm, block);
  return block + 1;
}

static void free_block(moon_vm *vm, void *bytes) {
  moon_block *block = (moon_block *)bytes - 1;
  unlink_block(vm, block);
  free(block);
}

static void *resize_block(moon_vm *vm, void *bytes, size_t size) {
  moon_block *block = (moon_block *)bytes - 1;
  if (size > SIZE_MAX - sizeof *block) return NULL;
  unlink_block(vm, block);
  moon_block *other = realloc(block, sizeof *block + size);
  link_block(vm, other != NULL ? other : block);
  return other != NULL ? other + 1 : NULL;
}

void moon_free_all(moon_vm *vm) {
  while (vm->blocks != NULL) free_block(vm, vm->blocks + 1);
  if (vm->pool != NULL) munmap(vm->pool, POOL_BYTES);
}

/* Like realloc. Never fails to shrink a block. */
static inline void *resize(moon_vm *vm, void *block, size_t old_size, size_t new_size) {
  if (block == NULL) {
    void *fresh = new_size <= POOL_SIZE_MAX ? take_pooled(vm, pool_class(new_size)) : NULL;
    return fresh != NULL ? fresh : take_block(vm, new_size);
  }
  if (!is_pooled(vm, block)) return resize_block(vm, block, new_size);
  bool is_small = new_size <= POOL_SIZE_MAX;
  if (is_small && pool_class(new_size) == pool_class(old_size)) return block;
  void *other = is_small ? take_pooled(vm, pool_class(new_size)) : NULL;
  if (other == NULL) other = take_block(vm, new_size);
  if (other == NULL) return new_size < old_size ? block : NULL;
  memcpy(other, block, old_size < new_size ? old_size : new_size);
  give_back(vm, block, old_size);
  return other;
}

/* Counts an allocation. Returns false if a test makes it fail. */
static bool may_allocate(moon_vm *vm) {
  uint64_t count = ++vm->allocations;
  return vm->fail_allocation == 0 || count < vm->fail_allocation ||
         (count > vm->fail_allocation && !vm->fail_after);
}

/* The lua_Alloc function. Never fails to shrink a block, as Lua requires. */
void *moon_allocate(void *context, void *block, size_t old_size, size_t new_size) {
  moon_vm *vm = context;
  if (new_size == 0) {
    if (block == NULL) return NULL;
    vm->memory -= old_size;
    if (is_pooled(vm, block))
      give_back(vm, block, old_size);
    else
      free_block(vm, block);
    return NULL;
  }
  if (block == NULL) { /* old_size is then the type of the new object */
    if (new_size > vm->block_max && old_size == LUA_TSTRING) moon_check_string(vm, new_size);
    old_size = 0;
  }
  if (new_size > old_size && !may_allocate(vm)) return NULL;
  void *grown = resize(vm, block, old_size, new_size);
  if (grown == NULL) return NULL;
  vm->memory += new_size - old_size;
  if (vm->memory > vm->memory_peak) vm->memory_peak = vm->memory;
  if (vm->memory > vm->alarm_level) moon_raise_alarm(vm, new_size > old_size ? new_size : 0);
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
  moon_vm *vm = buffer->owner;
  size_t growth = capacity - buffer->capacity;
  bool may = vm == NULL || (may_allocate(vm) && moon_can_grow(vm, growth));
  uint8_t *grown = may ? realloc(buffer->bytes, capacity) : NULL;
  if (grown == NULL) {
    buffer->failed = true;
    return;
  }
  buffer->bytes = grown;
  buffer->capacity = capacity;
  if (vm == NULL) return;
  vm->memory += growth;
  if (vm->memory > vm->memory_peak) vm->memory_peak = vm->memory;
  if (vm->memory > vm->alarm_level) moon_raise_alarm(vm, growth);
}

void moon_buffer_trim(moon_buffer *buffer) {
  if (buffer->capacity > MOON_BUFFER_KEPT_MAX) moon_buffer_free(buffer);
}

void moon_buffer_append(moon_buffer *buffer, const void *bytes, size_t length) {
  moon_buffer_reserve(buffer, length);
  if (buffer->failed || length == 0) return;
  memcpy(buffer->bytes + buffer->length, bytes, length);
  buffer->length += length;
}

void moon_buffer_free(moon_buffer *buffer) {
  if (buffer->owner != NULL) buffer->owner->memory -= buffer->capacity;
  free(buffer->bytes);
  *buffer = (moon_buffer){.owner = buffer->owner};
}

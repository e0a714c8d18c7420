/* The keys of the registry, and what the host asks a machine for. */
#include "vm.h"

char moon_key_globals, moon_key_list, moon_key_libraries, moon_key_console, moon_key_context,
    moon_key_killed, moon_key_secret, moon_key_order, moon_key_metatables, moon_key_wait,
    moon_key_effect, moon_key_refusal, moon_key_loaded, moon_key_preload, moon_key_shown,
    moon_key_refused;

void moon_vm_set_context(moon_vm *vm, void *context) { vm->context = context; }
bool moon_vm_is_busy(const moon_vm *vm) { return vm->call != NULL; }
bool moon_vm_is_abandoned(const moon_vm *vm) { return vm->abandoned; }
size_t moon_vm_memory(const moon_vm *vm) { return vm->memory; }
size_t moon_vm_memory_peak(const moon_vm *vm) { return vm->memory_peak; }
uint64_t moon_vm_allocations(const moon_vm *vm) { return vm->allocations; }
const moon_buffer *moon_vm_message(const moon_vm *vm) { return &vm->message; }
const moon_buffer *moon_vm_frames(const moon_vm *vm) { return &vm->frames; }
bool moon_vm_has_refused(const moon_vm *vm) { return vm->is_refusal; }
bool moon_vm_failed_with_value(const moon_vm *vm) { return vm->failed_with_value; }

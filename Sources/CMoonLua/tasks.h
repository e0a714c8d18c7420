/* tasks.c: tasks, which are coroutines that wait for answers of the host. */
#pragma once

#include "vm.h"

/* The operation on a task; see moon_vm_start, moon_vm_resume and moon_vm_cancel. */
typedef enum {
  MOON_NO_TASK,
  MOON_START,
  MOON_START_EFFECT,
  MOON_CONTINUE,
  MOON_CANCEL
} moon_task_step;
/* [-count, +results or 1 error, v] Starts or continues a task with the arguments on top of L. Sets
 * *task to its reference if it waits, else to MOON_NO_REFERENCE. Returns MOON_RESUME_FAILED for a
 * task that failed. */
int moon_run_task(lua_State *L, moon_task_step step, int32_t *task, int count);
/* begin(f, …): returns the reference of a new task that calls f. */
int moon_begin_task(lua_State *L);
/* drop(task): releases a task that hasn't begun. */
int moon_drop_task(lua_State *L);

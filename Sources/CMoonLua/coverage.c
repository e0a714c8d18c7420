/* Counts the lines of scripts that run. The hook that it takes makes code several times slower, so
 * it is set only while somebody asks for it, in machines that are made meanwhile. A kill or an
 * alarm replaces the hook by its own, which sets it again. */
#include "coverage.h"

#include <pthread.h>
#include <stdlib.h>

/* Most files and lines of a file that are counted. */
#define FILES_MAX 20000
#define LINES_MAX 1048576

typedef struct {
  char *name;
  uint32_t *counts; /* by line, from 0 */
  size_t size;
} covered_file;

static atomic_bool is_on;
/* Machines of several hosts run on threads of their own. Protects what follows. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static covered_file *files;
static size_t file_count, last;

/* The file of a name, which is made if there is none; NULL without memory. */
static covered_file *file_named(const char *name) {
  if (last < file_count && strcmp(files[last].name, name) == 0) return &files[last];
  for (last = 0; last < file_count; last++)
    if (strcmp(files[last].name, name) == 0) return &files[last];
  if (file_count == FILES_MAX) return NULL;
  covered_file *more = realloc(files, (file_count + 1) * sizeof *files);
  if (more == NULL) return NULL;
  files = more;
  char *copy = strdup(name);
  if (copy == NULL) return NULL;
  files[file_count] = (covered_file){.name = copy};
  return &files[file_count++];
}

static void count(const char *name, int line) {
  covered_file *file = file_named(name);
  if (file == NULL || line <= 0 || line >= LINES_MAX) return;
  size_t index = (size_t)line;
  if (index >= file->size) {
    size_t size = index * 2 + 64;
    uint32_t *counts = realloc(file->counts, size * sizeof *counts);
    if (counts == NULL) return;
    memset(counts + file->size, 0, (size - file->size) * sizeof *counts);
    file->counts = counts;
    file->size = size;
  }
  if (file->counts[index] < UINT32_MAX) file->counts[index]++;
}

/* Raises nothing. */
static void on_line(lua_State *L, lua_Debug *frame) {
  if (lua_getinfo(L, "S", frame) == 0 || frame->source[0] != '@') return;
  pthread_mutex_lock(&lock);
  count(frame->source + 1, frame->currentline);
  pthread_mutex_unlock(&lock);
}

void moon_cover(lua_State *L) {
  if (atomic_load_explicit(&is_on, memory_order_relaxed))
    lua_sethook(L, on_line, LUA_MASKLINE, 0);
  else
    lua_sethook(L, NULL, 0, 0);
}

void moon_coverage_set(bool on) { atomic_store(&is_on, on); }

void moon_coverage_read(moon_line_receiver receive, void *context) {
  pthread_mutex_lock(&lock);
  for (size_t i = 0; i < file_count; i++)
    for (size_t line = 0; line < files[i].size; line++)
      if (files[i].counts[line] > 0)
        receive(context, files[i].name, (int)line, files[i].counts[line]);
  pthread_mutex_unlock(&lock);
}

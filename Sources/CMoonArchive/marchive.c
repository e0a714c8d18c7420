#include "CMoonArchive.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/types.h>

// The functions of libarchive 3, whose binary interface is that of this name.
static const char library_name[] = "libarchive.so.13";

typedef struct archive archive;
typedef struct archive_entry archive_entry;

static struct {
  archive *(*read_new)(void);
  int (*format_tar)(archive *);
  int (*format_zip)(archive *);
  int (*filter_gzip)(archive *);
  int (*filter_bzip2)(archive *);
  int (*filter_xz)(archive *);
  int (*filter_zstd)(archive *);
  int (*open_filename)(archive *, const char *, size_t);
  int (*next_header)(archive *, archive_entry **);
  ssize_t (*read_data)(archive *, void *, size_t);
  int (*read_free)(archive *);
  const char *(*error_string)(archive *);
  const char *(*entry_path_utf8)(archive_entry *);
  const char *(*entry_path)(archive_entry *);
  const char *(*entry_hardlink)(archive_entry *);
  mode_t (*entry_type)(archive_entry *);
} lib;

enum { ARCHIVE_END = 1, ARCHIVE_GOOD = 0, ARCHIVE_WARNED = -20 };
enum { BLOCK_BYTES = 1 << 16 };

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int is_there;

static void load(void) {
  void *handle = dlopen(library_name, RTLD_NOW | RTLD_LOCAL);
  if (!handle) return;
  const struct {
    const char *name;
    void *place;
  } names[] = {
      {"archive_read_new", &lib.read_new},
      {"archive_read_support_format_tar", &lib.format_tar},
      {"archive_read_support_format_zip", &lib.format_zip},
      {"archive_read_support_filter_gzip", &lib.filter_gzip},
      {"archive_read_support_filter_bzip2", &lib.filter_bzip2},
      {"archive_read_support_filter_xz", &lib.filter_xz},
      {"archive_read_support_filter_zstd", &lib.filter_zstd},
      {"archive_read_open_filename", &lib.open_filename},
      {"archive_read_next_header", &lib.next_header},
      {"archive_read_data", &lib.read_data},
      {"archive_read_free", &lib.read_free},
      {"archive_error_string", &lib.error_string},
      {"archive_entry_pathname_utf8", &lib.entry_path_utf8},
      {"archive_entry_pathname", &lib.entry_path},
      {"archive_entry_hardlink", &lib.entry_hardlink},
      {"archive_entry_filetype", &lib.entry_type},
  };
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    void *function = dlsym(handle, names[i].name);
    if (!function) return;
    *(void **)names[i].place = function;
  }
  is_there = 1;
}

int marchive_is_there(void) {
  pthread_once(&once, load);
  return is_there;
}

struct marchive {
  archive *source;
  archive_entry *entry;
};

marchive *marchive_open(const char *path) {
  if (!marchive_is_there()) return NULL;
  marchive *opened = calloc(1, sizeof *opened);
  archive *source = opened ? lib.read_new() : NULL;
  if (!source) {
    free(opened);
    return NULL;
  }
  opened->source = source;
  // No other formats: some of them name files of this machine, or run programs.
  lib.format_tar(source);
  lib.format_zip(source);
  lib.filter_gzip(source);
  lib.filter_bzip2(source);
  lib.filter_xz(source);
  lib.filter_zstd(source);
  // A failure is that of the first entry, too.
  lib.open_filename(source, path, BLOCK_BYTES);
  return opened;
}

int marchive_next(marchive *opened, const char **path) {
  int status = lib.next_header(opened->source, &opened->entry);
  if (status == ARCHIVE_END) return MARCHIVE_END;
  if (status < ARCHIVE_WARNED) return MARCHIVE_FAILED;
  *path = lib.entry_path_utf8(opened->entry);
  if (!*path) *path = lib.entry_path(opened->entry);
  if (lib.entry_hardlink(opened->entry)) return MARCHIVE_OTHER;
  switch (lib.entry_type(opened->entry)) {
    case 0100000: return MARCHIVE_FILE;
    case 0040000: return MARCHIVE_FOLDER;
    default: return MARCHIVE_OTHER;
  }
}

ptrdiff_t marchive_read(marchive *opened, void *bytes, size_t count) {
  return lib.read_data(opened->source, bytes, count);
}

const char *marchive_error(marchive *opened) {
  const char *text = lib.error_string(opened->source);
  return text ? text : "it can't be read";
}

void marchive_close(marchive *opened) {
  lib.read_free(opened->source);
  free(opened);
}

#include "faulty_disk.h"

#include <sqlite3.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>

// The part of a path that makes a file a faulty one.
static const char faulty_mark[] = "faulty";

static _Atomic int64_t count, chosen;
static _Atomic int mode;
static sqlite3_vfs *real_vfs;

typedef struct {
  sqlite3_file file;
  bool is_faulty;
  // The real file follows in the same allocation.
} faulty_file;

static sqlite3_file *real(sqlite3_file *file) {
  return (sqlite3_file *)((char *)file + sizeof(faulty_file));
}

void faulty_arm(int64_t number, enum faulty_mode what) {
  atomic_store(&chosen, number);
  atomic_store(&mode, what);
  atomic_store(&count, 0);
}

int64_t faulty_count(void) { return atomic_load(&count); }

// Counts a call; returns whether it fails.
static bool fails(sqlite3_file *file, bool is_write) {
  if (!((faulty_file *)file)->is_faulty) return false;
  int64_t number = atomic_fetch_add(&count, 1) + 1, limit = atomic_load(&chosen);
  if (limit == 0) return false;
  return number == limit || (atomic_load(&mode) == faulty_full && is_write && number > limit);
}

static int faulty_close(sqlite3_file *file) {
  sqlite3_file *below = real(file);
  return below->pMethods ? below->pMethods->xClose(below) : SQLITE_OK;
}

static int faulty_read(sqlite3_file *file, void *to, int size, sqlite3_int64 at) {
  if (fails(file, false)) return SQLITE_IOERR_READ;
  return real(file)->pMethods->xRead(real(file), to, size, at);
}

static int faulty_write(sqlite3_file *file, const void *from, int size, sqlite3_int64 at) {
  if (fails(file, true)) {
    int what = atomic_load(&mode);
    if (what == faulty_half) real(file)->pMethods->xWrite(real(file), from, size / 2, at);
    return what == faulty_once ? SQLITE_IOERR_WRITE : SQLITE_FULL;
  }
  return real(file)->pMethods->xWrite(real(file), from, size, at);
}

static int faulty_truncate(sqlite3_file *file, sqlite3_int64 size) {
  if (fails(file, true)) return SQLITE_IOERR_TRUNCATE;
  return real(file)->pMethods->xTruncate(real(file), size);
}

static int faulty_sync(sqlite3_file *file, int flags) {
  if (fails(file, false)) return SQLITE_IOERR_FSYNC;
  return real(file)->pMethods->xSync(real(file), flags);
}

static int faulty_file_size(sqlite3_file *file, sqlite3_int64 *size) {
  return real(file)->pMethods->xFileSize(real(file), size);
}

static int faulty_lock(sqlite3_file *file, int level) {
  return real(file)->pMethods->xLock(real(file), level);
}

static int faulty_unlock(sqlite3_file *file, int level) {
  return real(file)->pMethods->xUnlock(real(file), level);
}

static int faulty_check_lock(sqlite3_file *file, int *result) {
  return real(file)->pMethods->xCheckReservedLock(real(file), result);
}

static int faulty_control(sqlite3_file *file, int operation, void *argument) {
  return real(file)->pMethods->xFileControl(real(file), operation, argument);
}

static int faulty_sector_size(sqlite3_file *file) {
  return real(file)->pMethods->xSectorSize(real(file));
}

static int faulty_characteristics(sqlite3_file *file) {
  return real(file)->pMethods->xDeviceCharacteristics(real(file));
}

static int faulty_shm_map(sqlite3_file *file, int page, int size, int extends,
                          void volatile **memory) {
  if (fails(file, true)) return SQLITE_IOERR_SHMMAP;
  return real(file)->pMethods->xShmMap(real(file), page, size, extends, memory);
}

static int faulty_shm_lock(sqlite3_file *file, int offset, int n, int flags) {
  return real(file)->pMethods->xShmLock(real(file), offset, n, flags);
}

static void faulty_shm_barrier(sqlite3_file *file) {
  real(file)->pMethods->xShmBarrier(real(file));
}

static int faulty_shm_unmap(sqlite3_file *file, int deletes) {
  return real(file)->pMethods->xShmUnmap(real(file), deletes);
}

// The second version, without memory-mapped files.
static const sqlite3_io_methods methods = {
    .iVersion = 2,
    .xClose = faulty_close,
    .xRead = faulty_read,
    .xWrite = faulty_write,
    .xTruncate = faulty_truncate,
    .xSync = faulty_sync,
    .xFileSize = faulty_file_size,
    .xLock = faulty_lock,
    .xUnlock = faulty_unlock,
    .xCheckReservedLock = faulty_check_lock,
    .xFileControl = faulty_control,
    .xSectorSize = faulty_sector_size,
    .xDeviceCharacteristics = faulty_characteristics,
    .xShmMap = faulty_shm_map,
    .xShmLock = faulty_shm_lock,
    .xShmBarrier = faulty_shm_barrier,
    .xShmUnmap = faulty_shm_unmap,
};

static int faulty_open(sqlite3_vfs *vfs, sqlite3_filename name, sqlite3_file *file, int flags,
                       int *out_flags) {
  (void)vfs;
  faulty_file *faulty = (faulty_file *)file;
  faulty->is_faulty = name && strstr(name, faulty_mark);
  // No methods: SQLite doesn't close a file that couldn't be opened.
  file->pMethods = NULL;
  if (fails(file, false)) return SQLITE_CANTOPEN;
  int result = real_vfs->xOpen(real_vfs, name, real(file), flags, out_flags);
  if (real(file)->pMethods) file->pMethods = &methods;
  return result;
}

int faulty_install(void) {
  static sqlite3_vfs vfs;
  static _Atomic bool is_installed;
  if (atomic_exchange(&is_installed, true)) return SQLITE_OK;
  real_vfs = sqlite3_vfs_find(NULL);
  if (!real_vfs) return SQLITE_ERROR;
  vfs = *real_vfs;
  vfs.zName = "faulty";
  vfs.pNext = NULL;
  vfs.szOsFile = (int)sizeof(faulty_file) + real_vfs->szOsFile;
  vfs.xOpen = faulty_open;
  return sqlite3_vfs_register(&vfs, 1);
}

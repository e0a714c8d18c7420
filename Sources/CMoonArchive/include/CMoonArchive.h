// The system's libarchive, for reading archives.
//
// The library is loaded when the first archive is opened. Linked, it would take two milliseconds of
// every start of the program, with the libraries that it needs itself.

#ifndef CMOONARCHIVE_H
#define CMOONARCHIVE_H

#include <stddef.h>

// An archive that is being read: tar or zip, compressed with gzip, bzip2, xz or zstd.
typedef struct marchive marchive;

enum {
  MARCHIVE_END = 0,
  MARCHIVE_FILE = 1,
  MARCHIVE_FOLDER = 2,
  // A link, a device, or anything else.
  MARCHIVE_OTHER = 3,
  MARCHIVE_FAILED = -1,
};

// Returns 1 if the library is there, and otherwise 0.
int marchive_is_there(void);

// Opens an archive; NULL if there is no memory or no library. The file is read by
// `marchive_next`.
marchive *marchive_open(const char *path);

// Moves to the next entry; returns its kind, or MARCHIVE_END or MARCHIVE_FAILED. `path` is valid
// until the next call, and NULL if the entry's isn't text.
int marchive_next(marchive *archive, const char **path);

// Reads the next bytes of a file; returns their number, 0 at its end, or a negative number.
ptrdiff_t marchive_read(marchive *archive, void *bytes, size_t count);

// Returns the reason of a failure.
const char *marchive_error(marchive *archive);

void marchive_close(marchive *archive);

#endif

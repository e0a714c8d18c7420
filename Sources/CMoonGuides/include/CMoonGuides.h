// The guides, as the program has them in itself.

#ifndef CMOONGUIDES_H
#define CMOONGUIDES_H

#include <stddef.h>

// A guide: its name, and its text in Markdown, which isn't terminated.
typedef struct {
  const char *name;
  const unsigned char *text;
  size_t length;
} mguide;

// Returns all guides, of which there are `count`.
const mguide *mguides(size_t *count);

#endif

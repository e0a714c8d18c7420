// The templates of new apps and modules, as the program has them in itself.

#ifndef CMOONTEMPLATES_H
#define CMOONTEMPLATES_H

#include <stddef.h>

// A file of a template: the template's folder, the path below it, and the text, which isn't
// terminated.
typedef struct {
  const char *folder;
  const char *path;
  const unsigned char *text;
  size_t length;
} mtemplatefile;

// Returns the files of all templates, of which there are `count`.
const mtemplatefile *mtemplatefiles(size_t *count);

#endif

/* What a machine remembers of keys that it meets again: for decoding, see decode.c; of drafts, see
 * drafts.c. */
#ifndef MOON_KNOWN_H
#define MOON_KNOWN_H

#include <stddef.h>
#include <stdint.h>

/* Number of keys that decoding remembers. */
#define MOON_KEYS 64

/* A key that decoding has met, as in an item, and its string in the registry. */
typedef struct {
  uint64_t high, low;
  int reference;
} moon_known_key;

/* Number of keys of drafts that a machine remembers. */
#define MOON_DRAFT_KEYS 64

/* A short string that a script has used as a key of drafts, as in an item. */
typedef struct {
  const void *string; /* its address; that of the machine for none */
  const void *latest; /* address that was met last, maybe of a string that is gone */
  uint64_t high, low;
} moon_draft_key;

#endif

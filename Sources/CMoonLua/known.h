/* What a machine remembers of keys and values that it meets again: for decoding, see decode.c; of
 * drafts, see drafts.c. */
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
  uint32_t recipe; /* number of the last shared value whose recipe has it */
} moon_known_key;

/* Number of keys of drafts that a machine remembers. */
#define MOON_DRAFT_KEYS 64

/* A short string that a script has used as a key of drafts, as in an item. */
typedef struct {
  const void *string; /* its address; that of the machine for none */
  const void *latest; /* address that was met last, maybe of a string that is gone */
  uint64_t high, low;
} moon_draft_key;

/* Number of texts of shared values that decoding remembers, but for one, since each has two places.
 * Length of the longest. */
#define MOON_TEXTS 32
#define MOON_TEXT_MAX 255

/* A text that decoding has met: its hash, and its string in the registry with its bytes. */
typedef struct {
  uint64_t mixed;
  size_t length;
  const char *bytes;
  int reference;
  uint32_t recipe; /* as of a key */
} moon_known_text;

/* Maximum number of steps of a recipe, more than a route has. */
#define MOON_STEPS 96

/* A step of a recipe: a table for so many entries, a string of the registry, a small integer, a
 * boolean, or the entry of what was pushed last. */
typedef struct {
  enum {
    MOON_STEP_TABLE,
    MOON_STEP_STRING,
    MOON_STEP_INTEGER,
    MOON_STEP_BOOLEAN,
    MOON_STEP_ENTRY
  } kind;
  int argument;
} moon_step;

/* How the shared value that was decoded last is made again, without reading its bytes. */
typedef struct {
  uint32_t number; /* of the value; 0 if there is no recipe */
  uint32_t count;
  moon_step steps[MOON_STEPS];
} moon_recipe;

#endif

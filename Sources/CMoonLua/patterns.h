/* Lua's patterns, as described in section 6.4.1 of its manual. patterns.c compiles and matches
 * them; matching.c implements find, match, gmatch and gsub. */
#pragma once

#include "vm.h"

/* Most steps of one call, and how many more for each byte of its text, so that a single pass is
 * never refused. Steps are counted, not timed: a script fails at the same place on any machine. */
#ifndef MOON_PATTERN_STEPS_MAX
#define MOON_PATTERN_STEPS_MAX 10000000
#endif
#define MOON_PATTERN_STEPS_PER_BYTE 100
/* Steps between two checks for a kill. */
#define MOON_PATTERN_STEPS_POLL 50000
/* As in Lua's library. */
#define MOON_PATTERN_DEPTH_MAX 200
#define MOON_CAPTURES_MAX 32

typedef enum {
  MOON_ITEM_END,
  MOON_ITEM_SINGLE,   /* one byte of a set, maybe repeated */
  MOON_ITEM_OPEN,     /* ( */
  MOON_ITEM_POSITION, /* () */
  MOON_ITEM_CLOSE,    /* ) */
  MOON_ITEM_BALANCE,  /* %bxy */
  MOON_ITEM_FRONTIER, /* %f[set] */
  MOON_ITEM_BACK,     /* %1 */
  MOON_ITEM_TAIL,     /* $ at the end */
  MOON_ITEM_ERROR     /* malformed; an error if matching gets here */
} moon_item_kind;

typedef struct {
  uint8_t kind;
  uint8_t repeat;  /* 0, or one of ? * + - */
  uint8_t is_byte; /* a single byte, `first`, and not a set */
  uint8_t first;   /* that byte, or the opening byte of %b */
  uint8_t second;  /* closing byte of %b */
  uint8_t capture; /* index of the capture */
  union {
    uint64_t set[4];
    struct {
      const char *message; /* for luaL_error */
      int argument;
    } error;
  };
} moon_pattern_item;

typedef enum { MOON_CAPTURE_OPEN, MOON_CAPTURE_CLOSED, MOON_CAPTURE_POSITION } moon_capture_kind;

typedef struct {
  const moon_pattern_item *items;
  uint8_t capture_count;
  uint8_t captures[MOON_CAPTURES_MAX]; /* moon_capture_kind */
} moon_pattern;

typedef struct {
  lua_State *L;
  const char *function; /* for error messages: "string.find" */
  const moon_pattern *pattern;
  const uint8_t *subject, *end;
  int64_t steps_left, steps_until_poll;
  struct {
    const uint8_t *start, *end;
  } captures[MOON_CAPTURES_MAX];
} moon_matcher;

static inline int64_t moon_pattern_steps_max(size_t length) {
  return MOON_PATTERN_STEPS_MAX + (int64_t)length * MOON_PATTERN_STEPS_PER_BYTE;
}

/* [-0, +0, -] Compiles a pattern. `items` must have room for length + 1. */
void moon_pattern_compile(moon_pattern *pattern, moon_pattern_item *items, const uint8_t *text,
                          size_t length);
/* [-0, +0, v] The end of the match that begins at `start`, or NULL. */
const uint8_t *moon_pattern_match(moon_matcher *m, const uint8_t *start);
/* [-0, +0, v] Counts steps. Raises an error when there are too many; ends a killed call. */
void moon_pattern_spend(moon_matcher *m, int64_t steps);

/* The pattern matcher. It backtracks on a stack of its own instead of recursing, and counts its
 * steps: a pattern such as ".-.-.-.-b" takes time with the fourth power of the text's length, and
 * no hook can interrupt a C function. */
#include "patterns.h"
#include "quota.h"

/* ---- Compiling ---- */

typedef struct {
  moon_pattern *pattern;
  const uint8_t *at, *end;
} reader;

/* The ASCII bytes of each class as a set of 128 bits, independent of the locale. */
static bool class_words(uint8_t letter, uint64_t words[2]) {
  static const struct {
    char letter;
    uint64_t words[2];
  } classes[] = {
      {'a', {0, 0x07fffffe07fffffe}},
      {'c', {0x00000000ffffffff, 0x8000000000000000}},
      {'d', {0x03ff000000000000, 0}},
      {'g', {0xfffffffe00000000, 0x7fffffffffffffff}},
      {'l', {0, 0x07fffffe00000000}},
      {'p', {0xfc00fffe00000000, 0x78000001f8000001}},
      {'s', {0x0000000100003e00, 0}},
      {'u', {0, 0x0000000007fffffe}},
      {'w', {0x03ff000000000000, 0x07fffffe07fffffe}},
      {'x', {0x03ff000000000000, 0x0000007e0000007e}},
      {'z', {1, 0}}, /* deprecated, but still in the library */
  };
  for (size_t i = 0; i < sizeof classes / sizeof *classes; i++)
    if (classes[i].letter == letter) {
      memcpy(words, classes[i].words, sizeof classes[i].words);
      return true;
    }
  return false;
}

static void add_byte(uint64_t set[4], uint8_t byte) {
  set[byte >> 6] |= (uint64_t)1 << (byte & 63);
}

static bool has_byte(const uint64_t set[4], uint8_t byte) {
  return set[byte >> 6] >> (byte & 63) & 1;
}

/* Adds the class `%letter`, or the letter itself if there is no such class. */
static void add_class(uint64_t set[4], uint8_t letter) {
  uint64_t words[2];
  bool is_upper = letter >= 'A' && letter <= 'Z';
  if (!class_words(is_upper ? letter + ('a' - 'A') : letter, words)) {
    add_byte(set, letter);
    return;
  }
  set[0] |= is_upper ? ~words[0] : words[0];
  set[1] |= is_upper ? ~words[1] : words[1];
  if (is_upper) set[2] = set[3] = UINT64_MAX;
}

/* The end of the set that begins at `[`, after its `]`; NULL if it isn't closed. The first byte of
 * a set is always a member. */
static const uint8_t *set_end(const uint8_t *at, const uint8_t *end) {
  at++;
  if (at < end && *at == '^') at++;
  do {
    if (at >= end) return NULL;
    bool escapes = *at++ == '%';
    if (escapes && at < end) at++;
  } while (at >= end || *at != ']');
  return at + 1;
}

/* Reads the set between `[` and `]`. */
static void read_set(uint64_t set[4], const uint8_t *at, const uint8_t *close) {
  bool is_negated = *++at == '^';
  memset(set, 0, 4 * sizeof *set);
  if (is_negated) at++;
  while (at < close) {
    if (*at == '%') {
      add_class(set, at[1]);
      at += 2;
    } else if (at[1] == '-' && at + 2 < close) {
      for (int byte = at[0]; byte <= at[2]; byte++) add_byte(set, (uint8_t)byte);
      at += 3;
    } else {
      add_byte(set, *at++);
    }
  }
  if (is_negated)
    for (int i = 0; i < 4; i++) set[i] = ~set[i];
}

static void make_error(moon_pattern_item *item, const char *message, int argument) {
  item->kind = MOON_ITEM_ERROR;
  item->error.message = message;
  item->error.argument = argument;
}

/* Reads `%f[set]` or, with the reader at `[`, a set. */
static void read_set_item(reader *r, moon_pattern_item *item, moon_item_kind kind) {
  const uint8_t *end = set_end(r->at, r->end);
  if (end == NULL) {
    make_error(item, "malformed pattern (missing ']')", 0);
    return;
  }
  item->kind = (uint8_t)kind;
  read_set(item->set, r->at, end - 1);
  r->at = end;
}

static void read_single(reader *r, moon_pattern_item *item) {
  item->kind = MOON_ITEM_SINGLE;
  switch (*r->at) {
    case '[': read_set_item(r, item, MOON_ITEM_SINGLE); break;
    case '.':
      memset(item->set, 0xff, sizeof item->set);
      r->at++;
      break;
    case '%':
      if (r->end - r->at < 2) {
        make_error(item, "malformed pattern (ends with '%%')", 0);
        return;
      }
      memset(item->set, 0, sizeof item->set);
      add_class(item->set, r->at[1]);
      r->at += 2;
      break;
    default: item->is_byte = 1; item->first = *r->at++;
  }
  if (item->kind != MOON_ITEM_SINGLE || r->at >= r->end) return;
  if (*r->at == '?' || *r->at == '*' || *r->at == '+' || *r->at == '-') item->repeat = *r->at++;
}

static void read_open(reader *r, moon_pattern_item *item) {
  moon_pattern *pattern = r->pattern;
  bool is_position = r->end - r->at >= 2 && r->at[1] == ')';
  if (pattern->capture_count >= MOON_CAPTURES_MAX) {
    make_error(item, "too many captures", 0);
    return;
  }
  item->kind = is_position ? MOON_ITEM_POSITION : MOON_ITEM_OPEN;
  item->capture = pattern->capture_count++;
  pattern->captures[item->capture] = is_position ? MOON_CAPTURE_POSITION : MOON_CAPTURE_OPEN;
  r->at += is_position ? 2 : 1;
}

static void read_close(reader *r, moon_pattern_item *item) {
  moon_pattern *pattern = r->pattern;
  for (int i = pattern->capture_count - 1; i >= 0; i--)
    if (pattern->captures[i] == MOON_CAPTURE_OPEN) {
      pattern->captures[i] = MOON_CAPTURE_CLOSED;
      item->kind = MOON_ITEM_CLOSE;
      item->capture = (uint8_t)i;
      r->at++;
      return;
    }
  make_error(item, "invalid pattern capture", 0);
}

static void read_balance(reader *r, moon_pattern_item *item) {
  if (r->end - r->at < 4) {
    make_error(item, "malformed pattern (missing arguments to '%%b')", 0);
    return;
  }
  item->kind = MOON_ITEM_BALANCE;
  item->first = r->at[2];
  item->second = r->at[3];
  r->at += 4;
}

static void read_back(reader *r, moon_pattern_item *item) {
  int number = r->at[1] - '0';
  if (number == 0 || number > r->pattern->capture_count ||
      r->pattern->captures[number - 1] == MOON_CAPTURE_OPEN) {
    make_error(item, "invalid capture index %%%d", number);
    return;
  }
  item->kind = MOON_ITEM_BACK;
  item->capture = (uint8_t)(number - 1);
  r->at += 2;
}

static void read_item(reader *r, moon_pattern_item *item) {
  uint8_t next = r->end - r->at >= 2 ? r->at[1] : 0;
  item->repeat = item->is_byte = 0;
  if (*r->at == '(') {
    read_open(r, item);
  } else if (*r->at == ')') {
    read_close(r, item);
  } else if (*r->at == '$' && r->end - r->at == 1) {
    item->kind = MOON_ITEM_TAIL;
    r->at++;
  } else if (*r->at == '%' && next == 'b') {
    read_balance(r, item);
  } else if (*r->at == '%' && next == 'f') {
    r->at += 2;
    if (r->at < r->end && *r->at == '[')
      read_set_item(r, item, MOON_ITEM_FRONTIER);
    else
      make_error(item, "missing '[' after '%%f' in pattern", 0);
  } else if (*r->at == '%' && next >= '0' && next <= '9') {
    read_back(r, item);
  } else {
    read_single(r, item);
  }
}

void moon_pattern_compile(moon_pattern *pattern, moon_pattern_item *items, const uint8_t *text,
                          size_t length) {
  reader r = {.pattern = pattern, .at = text, .end = text + length};
  pattern->items = items;
  pattern->capture_count = 0;
  while (r.at < r.end) {
    read_item(&r, items);
    if (items++->kind == MOON_ITEM_ERROR) return;
  }
  items->kind = MOON_ITEM_END;
}

/* ---- Matching ---- */

void moon_pattern_spend(moon_matcher *m, int64_t steps) {
  m->steps_until_poll -= steps;
  if (m->steps_until_poll > 0) return;
  m->steps_left -= MOON_PATTERN_STEPS_POLL - m->steps_until_poll;
  m->steps_until_poll = MOON_PATTERN_STEPS_POLL;
  moon_rethrow_kill(m->L);
  if (m->steps_left <= 0)
    luaL_error(m->L, "%s: the pattern takes too many steps on this text (more than %I)",
               m->function, (LUAI_UACINT)moon_pattern_steps_max((size_t)(m->end - m->subject)));
}

/* A choice to return to when matching fails. */
typedef struct {
  const moon_pattern_item *item; /* the repeated item */
  const uint8_t *low, *at;       /* `at` was tried last; a greedy repetition backs up to `low` */
  int depth;
} choice;

typedef struct {
  const moon_pattern_item *item;
  const uint8_t *at;
  int depth; /* recursion depth that Lua's matcher would have here */
} place;

static bool accepts(const moon_matcher *m, const moon_pattern_item *item, const uint8_t *at) {
  if (at >= m->end) return false;
  return item->is_byte ? item->first == *at : has_byte(item->set, *at);
}

static void go_deeper(moon_matcher *m, place *p, int depth) {
  if (depth >= MOON_PATTERN_DEPTH_MAX) luaL_error(m->L, "pattern too complex");
  p->depth = depth + 1;
}

/* Passes a repeated item. Returns false if it doesn't match at all. */
static bool repeat(moon_matcher *m, place *p, choice *choices, int *count) {
  const moon_pattern_item *item = p->item++;
  if (!accepts(m, item, p->at)) return item->repeat != '+';
  choice *c = &choices[(*count)++];
  *c = (choice){.item = item, .low = p->at, .at = p->at, .depth = p->depth};
  if (item->repeat == '?') {
    p->at++;
  } else if (item->repeat != '-') {
    if (item->repeat == '+') c->low++;
    while (accepts(m, item, ++c->at)) {
    }
    moon_pattern_spend(m, c->at - p->at);
    p->at = c->at;
  }
  go_deeper(m, p, c->depth);
  return true;
}

/* Returns to the last choice with an alternative left. Returns false if there is none. */
static bool backtrack(moon_matcher *m, place *p, choice *choices, int *count) {
  while (*count > 0) {
    choice *c = &choices[*count - 1];
    p->item = c->item + 1;
    moon_pattern_spend(m, 1);
    if (c->item->repeat == '?') {
      p->at = c->at;
      p->depth = c->depth;
      --*count;
      return true;
    }
    if (c->item->repeat == '-' ? accepts(m, c->item, c->at) : c->at > c->low) {
      c->at += c->item->repeat == '-' ? 1 : -1;
      p->at = c->at;
      p->depth = c->depth + 1;
      return true;
    }
    --*count;
  }
  return false;
}

/* The end of the balanced text that begins at `at`, or NULL. */
static const uint8_t *balanced_end(moon_matcher *m, const moon_pattern_item *item,
                                   const uint8_t *at) {
  if (at >= m->end || *at != item->first) return NULL;
  const uint8_t *start = at;
  size_t open = 1;
  while (++at < m->end) {
    if (*at == item->second) {
      if (--open == 0) break;
    } else if (*at == item->first) {
      open++;
    }
  }
  moon_pattern_spend(m, at - start);
  return at < m->end ? at + 1 : NULL;
}

static bool is_frontier(const moon_matcher *m, const moon_pattern_item *item, const uint8_t *at) {
  uint8_t before = at == m->subject ? 0 : at[-1];
  uint8_t after = at == m->end ? 0 : *at;
  return !has_byte(item->set, before) && has_byte(item->set, after);
}

/* The end of the text at `at` that equals a capture, or NULL. A position capture has no text. */
static const uint8_t *repeated_end(moon_matcher *m, const moon_pattern_item *item,
                                   const uint8_t *at) {
  if (m->pattern->captures[item->capture] == MOON_CAPTURE_POSITION) return NULL;
  const uint8_t *start = m->captures[item->capture].start;
  size_t length = (size_t)(m->captures[item->capture].end - start);
  moon_pattern_spend(m, (int64_t)(length / 16));
  if ((size_t)(m->end - at) < length || memcmp(start, at, length) != 0) return NULL;
  return at + length;
}

/* Passes an item. Returns false if it doesn't match. */
static bool pass(moon_matcher *m, place *p, choice *choices, int *count) {
  const moon_pattern_item *item = p->item;
  if (item->kind == MOON_ITEM_SINGLE) {
    if (item->repeat != 0) return repeat(m, p, choices, count);
    if (!accepts(m, item, p->at)) return false;
    p->at++;
  } else if (item->kind == MOON_ITEM_OPEN || item->kind == MOON_ITEM_POSITION) {
    go_deeper(m, p, p->depth);
    m->captures[item->capture].start = p->at;
  } else if (item->kind == MOON_ITEM_CLOSE) {
    go_deeper(m, p, p->depth);
    m->captures[item->capture].end = p->at;
  } else if (item->kind == MOON_ITEM_BALANCE) {
    if ((p->at = balanced_end(m, item, p->at)) == NULL) return false;
  } else if (item->kind == MOON_ITEM_BACK) {
    if ((p->at = repeated_end(m, item, p->at)) == NULL) return false;
  } else if (item->kind == MOON_ITEM_FRONTIER) {
    if (!is_frontier(m, item, p->at)) return false;
  } else if (item->kind == MOON_ITEM_TAIL) {
    if (p->at != m->end) return false;
  } else {
    luaL_error(m->L, item->error.message, item->error.argument);
  }
  p->item++;
  return true;
}

const uint8_t *moon_pattern_match(moon_matcher *m, const uint8_t *start) {
  choice choices[MOON_PATTERN_DEPTH_MAX]; /* each adds at least one level of depth */
  int count = 0;
  place p = {.item = m->pattern->items, .at = start, .depth = 1};
  while (p.item->kind != MOON_ITEM_END) {
    moon_pattern_spend(m, 1);
    if (!pass(m, &p, choices, &count) && !backtrack(m, &p, choices, &count)) return NULL;
  }
  return p.at;
}

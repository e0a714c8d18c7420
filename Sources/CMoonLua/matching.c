/* string.find, match, gmatch and gsub. Results and errors are the same as in Lua's library; the
 * number of steps is limited, and a kill ends them. */
#define _GNU_SOURCE
#include "matching.h"
#include "items.h"
#include "patterns.h"
#include "quota.h"

/* Longest pattern that is compiled on the C stack. Most are shorter. */
#define SMALL_PATTERN 40
/* Places searched for a plain text between two checks for a kill. */
#define PLAIN_PLACES_MIN ((size_t)64 * 1024)

/* A pattern and room for its items. */
typedef struct {
  moon_pattern pattern;
  moon_pattern_item items[SMALL_PATTERN + 1];
} small_pattern;

typedef struct {
  const uint8_t *bytes;
  size_t length;
} span;

static span check_span(lua_State *L, int index) {
  span text;
  text.bytes = (const uint8_t *)luaL_checklstring(L, index, &text.length);
  return text;
}

/* [-0, +0..1, m] Compiles a pattern. The items of a long one are pushed. */
static const moon_pattern *compile(lua_State *L, small_pattern *room, span text) {
  moon_pattern_item *items = room->items;
  if (text.length > SMALL_PATTERN) {
    size_t size = (text.length + 1) * sizeof *items;
    moon_charge(L, size);
    items = lua_newuserdatauv(L, size, 0);
  }
  moon_pattern_compile(&room->pattern, items, text.bytes, text.length);
  return &room->pattern;
}

static void begin(moon_matcher *m, lua_State *L, const char *function, const moon_pattern *pattern,
                  span subject) {
  m->L = L;
  m->function = function;
  m->pattern = pattern;
  m->subject = subject.bytes;
  m->end = subject.bytes + subject.length;
  m->steps_left = moon_pattern_steps_max(subject.length);
  m->steps_until_poll = MOON_PATTERN_STEPS_POLL;
}

/* [-0, +0, v] The text of a capture in the match from `start` to `end`. Returns false for a
 * position capture. Capture 0 of a pattern without captures is the whole match. */
static bool capture_at(moon_matcher *m, int index, const uint8_t *start, const uint8_t *end,
                       span *text, lua_Integer *position) {
  if (index >= m->pattern->capture_count) {
    if (index != 0) luaL_error(m->L, "invalid capture index %%%d", index + 1);
    *text = (span){start, (size_t)(end - start)};
    return true;
  }
  switch (m->pattern->captures[index]) {
    case MOON_CAPTURE_OPEN: luaL_error(m->L, "unfinished capture"); return false;
    case MOON_CAPTURE_POSITION: *position = m->captures[index].start - m->subject + 1; return false;
    default:
      text->bytes = m->captures[index].start;
      text->length = (size_t)(m->captures[index].end - text->bytes);
      return true;
  }
}

/* [-0, +1, v] */
static void push_capture(moon_matcher *m, int index, const uint8_t *start, const uint8_t *end) {
  span text;
  lua_Integer position;
  if (capture_at(m, index, start, end, &text, &position))
    lua_pushlstring(m->L, (const char *)text.bytes, text.length);
  else
    lua_pushinteger(m->L, position);
}

/* [-0, +n, v] Pushes all captures, or the whole match if there are none and `start` isn't NULL. */
static int push_captures(moon_matcher *m, const uint8_t *start, const uint8_t *end) {
  int count = m->pattern->capture_count;
  if (count == 0 && start != NULL) count = 1;
  luaL_checkstack(m->L, count, "too many captures");
  for (int i = 0; i < count; i++) push_capture(m, i, start, end);
  return count;
}

/* The offset given by an `init` argument; more than `length` if it is past the end. */
static size_t start_at(lua_State *L, int index, size_t length) {
  lua_Integer init = luaL_optinteger(L, index, 1);
  if (init > 0) return (lua_Unsigned)init - 1 > length ? length + 1 : (size_t)init - 1;
  if (init == 0 || init < -(lua_Integer)length) return 0;
  return (size_t)((lua_Integer)length + init);
}

static bool is_plain(span pattern) {
  for (size_t i = 0; i < pattern.length; i++)
    if (pattern.bytes[i] != 0 && strchr("^$*+?.([%-", pattern.bytes[i]) != NULL) return false;
  return true;
}

/* [-0, +0, v] The first occurrence of `wanted` in `text`, or NULL. */
static const uint8_t *find_plain(lua_State *L, span text, span wanted) {
  size_t window = wanted.length > PLAIN_PLACES_MIN ? wanted.length : PLAIN_PLACES_MIN;
  for (size_t offset = 0; text.length - offset >= wanted.length; offset += window) {
    size_t rest = text.length - offset;
    size_t searched = rest < window + wanted.length - 1 ? rest : window + wanted.length - 1;
    const uint8_t *found = memmem(text.bytes + offset, searched, wanted.bytes, wanted.length);
    if (found != NULL) return found;
    if (rest <= window) return NULL;
    moon_rethrow_kill(L);
  }
  return NULL;
}

typedef enum { FIND, MATCH } search_kind;

static int search(lua_State *L, search_kind kind) {
  span text = check_span(L, 1), pattern = check_span(L, 2);
  size_t start = start_at(L, 3, text.length);
  if (start > text.length) {
    lua_pushnil(L);
    return 1;
  }
  if (kind == FIND && (lua_toboolean(L, 4) || is_plain(pattern))) {
    const uint8_t *found =
        pattern.length == 0
            ? text.bytes + start
            : find_plain(L, (span){text.bytes + start, text.length - start}, pattern);
    if (found == NULL) {
      lua_pushnil(L);
      return 1;
    }
    lua_pushinteger(L, found - text.bytes + 1);
    lua_pushinteger(L, found - text.bytes + (lua_Integer)pattern.length);
    return 2;
  }
  small_pattern room;
  moon_matcher m;
  bool is_anchored = pattern.length > 0 && pattern.bytes[0] == '^';
  if (is_anchored) pattern = (span){pattern.bytes + 1, pattern.length - 1};
  begin(&m, L, kind == FIND ? "string.find" : "string.match", compile(L, &room, pattern), text);
  for (const uint8_t *at = text.bytes + start; at <= m.end; at++) {
    const uint8_t *end = moon_pattern_match(&m, at);
    if (end != NULL) {
      if (kind == MATCH) return push_captures(&m, at, end);
      lua_pushinteger(L, at - text.bytes + 1);
      lua_pushinteger(L, end - text.bytes);
      return push_captures(&m, NULL, NULL) + 2;
    }
    if (is_anchored) break;
  }
  lua_pushnil(L);
  return 1;
}

static int string_find(lua_State *L) { return search(L, FIND); }
static int string_match(lua_State *L) { return search(L, MATCH); }

/* ---- gmatch ---- */

typedef struct {
  size_t next;     /* offset of the next search */
  size_t last_end; /* end of the last match, where an empty one doesn't count; or SIZE_MAX */
  moon_pattern pattern;
  moon_pattern_item items[];
} walk;

/* Upvalues: the text, the walk. */
static int next_match(lua_State *L) {
  span text;
  walk *w = lua_touserdata(L, lua_upvalueindex(2));
  moon_matcher m;
  text.bytes = (const uint8_t *)lua_tolstring(L, lua_upvalueindex(1), &text.length);
  begin(&m, L, "string.gmatch", &w->pattern, text);
  for (; w->next <= text.length; w->next++) {
    const uint8_t *at = text.bytes + w->next;
    const uint8_t *end = moon_pattern_match(&m, at);
    if (end == NULL || (size_t)(end - text.bytes) == w->last_end) continue;
    w->next = w->last_end = (size_t)(end - text.bytes);
    return push_captures(&m, at, end);
  }
  return 0;
}

static int string_gmatch(lua_State *L) {
  span text = check_span(L, 1), pattern = check_span(L, 2);
  size_t start = start_at(L, 3, text.length);
  lua_settop(L, 1);
  size_t size = sizeof(walk) + (pattern.length + 1) * sizeof(moon_pattern_item);
  moon_charge(L, size);
  walk *w = lua_newuserdatauv(L, size, 0);
  w->next = start;
  w->last_end = SIZE_MAX;
  moon_pattern_compile(&w->pattern, w->items, pattern.bytes, pattern.length);
  lua_pushcclosure(L, next_match, 2);
  return 1;
}

/* ---- gsub ---- */

typedef struct {
  moon_matcher m;
  luaL_Buffer out;
  size_t written, room; /* what was charged */
  int kind;             /* Lua type of the replacement, argument 3 */
  span replacement;     /* if it is a string */
} substitution;

static void add(substitution *s, const uint8_t *bytes, size_t length) {
  s->written += length;
  if (s->written > s->room) {
    s->room = s->written > 2 * s->room ? s->written : 2 * s->room;
    moon_charge(s->m.L, s->room);
  }
  luaL_addlstring(&s->out, (const char *)bytes, length);
}

/* [-1, +0, m] Adds the string or number on top. */
static void add_value(substitution *s) {
  size_t length;
  lua_State *L = s->m.L;
  lua_tolstring(L, -1, &length);
  if (length > LUAL_BUFFERSIZE) moon_charge(L, length);
  s->written += length;
  luaL_addvalue(&s->out);
}

/* Adds the replacement string, with captures for %0 to %9. */
static void add_text(substitution *s, const uint8_t *start, const uint8_t *end) {
  lua_State *L = s->m.L;
  const uint8_t *at = s->replacement.bytes, *last = at + s->replacement.length;
  while (at < last) {
    const uint8_t *mark = memchr(at, '%', (size_t)(last - at));
    add(s, at, (size_t)((mark != NULL ? mark : last) - at));
    if (mark == NULL) return;
    uint8_t next = mark + 1 < last ? mark[1] : 0;
    span text;
    lua_Integer position;
    moon_pattern_spend(&s->m, 1);
    if (next == '%') {
      add(s, mark, 1);
    } else if (next == '0') {
      add(s, start, (size_t)(end - start));
    } else if (next < '1' || next > '9') {
      luaL_error(L, "invalid use of '%c' in replacement string", '%');
    } else if (capture_at(&s->m, next - '1', start, end, &text, &position)) {
      add(s, text.bytes, text.length);
    } else {
      lua_pushinteger(L, position);
      add_value(s);
    }
    at = mark + 2;
  }
}

/* Adds the replacement of a match. Returns false if the match is kept. */
static bool add_replacement(substitution *s, const uint8_t *start, const uint8_t *end) {
  lua_State *L = s->m.L;
  if (s->kind == LUA_TFUNCTION) {
    lua_pushvalue(L, 3);
    lua_call(L, push_captures(&s->m, start, end), 1);
  } else if (s->kind == LUA_TTABLE) {
    push_capture(&s->m, 0, start, end);
    lua_gettable(L, 3);
  } else {
    add_text(s, start, end);
    return true;
  }
  if (!lua_toboolean(L, -1)) {
    lua_pop(L, 1);
    add(s, start, (size_t)(end - start));
    return false;
  }
  if (!lua_isstring(L, -1)) luaL_error(L, "invalid replacement value (a %s)", luaL_typename(L, -1));
  add_value(s);
  return true;
}

static int string_gsub(lua_State *L) {
  span text = check_span(L, 1), pattern = check_span(L, 2);
  substitution s = {.kind = lua_type(L, 3)};
  lua_Integer count = 0, count_max = luaL_optinteger(L, 4, (lua_Integer)text.length + 1);
  luaL_argexpected(L,
                   s.kind == LUA_TNUMBER || s.kind == LUA_TSTRING || s.kind == LUA_TFUNCTION ||
                       s.kind == LUA_TTABLE || moon_is_draft(L, 3),
                   3, "string/function/table");
  if (moon_is_draft(L, 3)) s.kind = LUA_TTABLE;
  if (s.kind == LUA_TNUMBER || s.kind == LUA_TSTRING) s.replacement = check_span(L, 3);
  small_pattern room;
  bool is_anchored = pattern.length > 0 && pattern.bytes[0] == '^', has_changed = false;
  if (is_anchored) pattern = (span){pattern.bytes + 1, pattern.length - 1};
  begin(&s.m, L, "string.gsub", compile(L, &room, pattern), text);
  const uint8_t *at = text.bytes, *kept = at; /* start of the text not added yet */
  const uint8_t *last_end = NULL;
  luaL_buffinit(L, &s.out);
  while (count < count_max) {
    const uint8_t *end = moon_pattern_match(&s.m, at);
    if (end != NULL && end != last_end) {
      count++;
      add(&s, kept, (size_t)(at - kept));
      if (add_replacement(&s, at, end)) has_changed = true;
      kept = at = last_end = end;
    } else if (at < s.m.end) {
      at++;
    } else {
      break;
    }
    if (is_anchored) break;
  }
  if (has_changed) {
    add(&s, kept, (size_t)(s.m.end - kept));
    luaL_pushresult(&s.out);
  } else {
    lua_pushvalue(L, 1);
  }
  lua_pushinteger(L, count);
  return 2;
}

void moon_open_matching(lua_State *L) {
  static const luaL_Reg functions[] = {{"find", string_find},
                                       {"match", string_match},
                                       {"gmatch", string_gmatch},
                                       {"gsub", string_gsub},
                                       {NULL, NULL}};
  lua_getglobal(L, "string");
  luaL_setfuncs(L, functions, 0);
  lua_pop(L, 1);
}

/* Checks and rewrites texts before Lua compiles them. For some texts, the compiler or the search
 * for a variable's name in an error message takes quadratic time, and no hook can stop that. The
 * operator `#` is rewritten as a power, which lengths.c implements. */
#include "source.h"
#include "host.h"
#include "lengths.h"
#include "quota.h"

#include <stdio.h>

/* Most consecutive index operations, as in a.b.c.d. An error message walks through all. */
#define STEPS_MAX 1000
/* Most `and` and `or` in one expression. Each makes the compiler walk through those before. */
#define OPERATORS_MAX 2000
/* Deepest nesting of brackets and blocks. Lua's own limit is 200. */
#define LEVELS_MAX 250
/* Most `elseif` in one text. */
#define BRANCHES_MAX 10000

typedef enum {
  NOTHING,
  NAME,
  OPERAND,
  SYMBOL
} token_kind; /* OPERAND: a literal or closing bracket */

/* Counts for the current expression at one level of nesting. */
typedef struct {
  int steps, operators;
} level;

typedef struct {
  const char *at, *end;
  level levels[LEVELS_MAX + 1];
  int depth, branches;
  size_t lengths; /* operators `#` */
  token_kind last;
} scanner;

/* The level of the long bracket that opens at `[`, or -1. */
static int long_level(const scanner *s) {
  const char *p = s->at + 1;
  while (p < s->end && *p == '=') p++;
  return p < s->end && *p == '[' ? (int)(p - s->at - 1) : -1;
}

static void skip_long(scanner *s, int level) {
  for (s->at += level + 2; s->at < s->end; s->at++) {
    if (*s->at != ']') continue;
    const char *p = s->at + 1;
    while (p < s->end && *p == '=') p++;
    if (p < s->end && *p == ']' && p - s->at - 1 == level) {
      s->at = p + 1;
      return;
    }
  }
}

static void skip_comment(scanner *s) {
  s->at += 2;
  int level = s->at < s->end && *s->at == '[' ? long_level(s) : -1;
  if (level >= 0)
    skip_long(s, level);
  else
    while (s->at < s->end && *s->at != '\n' && *s->at != '\r') s->at++;
}

static void skip_quoted(scanner *s) {
  char quote = *s->at++;
  while (s->at < s->end && *s->at != quote) s->at += *s->at == '\\' ? 2 : 1;
  s->at++;
}

static bool is_word_byte(char c) {
  return c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

/* Begins a new expression. */
static void restart(scanner *s) { s->levels[s->depth] = (level){0, 0}; }

static void open_level(scanner *s) {
  if (s->depth < LEVELS_MAX) s->depth++;
  restart(s);
}

static void close_level(scanner *s) {
  if (s->depth > 0) s->depth--;
  s->last = OPERAND;
}

typedef enum { PLAIN, OPERATOR, UNARY, FUNCTION, STATEMENT, BRANCH, BLOCK, END } word_kind;

static word_kind kind_of(const char *word, size_t length) {
  static const struct {
    char word[9];
    word_kind kind;
  } words[] = {
      {"and", OPERATOR},    {"or", OPERATOR},      {"not", UNARY},      {"function", FUNCTION},
      {"local", STATEMENT}, {"return", STATEMENT}, {"then", STATEMENT}, {"else", STATEMENT},
      {"while", STATEMENT}, {"for", STATEMENT},    {"in", STATEMENT},   {"goto", STATEMENT},
      {"break", STATEMENT}, {"elseif", BRANCH},    {"if", BLOCK},       {"do", BLOCK},
      {"repeat", BLOCK},    {"until", END},        {"end", END},
  };
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (strlen(words[i].word) == length && memcmp(words[i].word, word, length) == 0)
      return words[i].kind;
  return PLAIN;
}

static void take_word(scanner *s) {
  const char *start = s->at;
  bool is_number = *start >= '0' && *start <= '9';
  while (s->at < s->end && (is_word_byte(*s->at) || (is_number && *s->at == '.'))) s->at++;
  word_kind kind = kind_of(start, (size_t)(s->at - start));
  /* Two operands in a row: a new statement begins. */
  bool is_new = s->last == NAME || s->last == OPERAND;
  s->last = SYMBOL;
  switch (kind) {
    case OPERATOR: s->levels[s->depth].operators++; break;
    case UNARY: break;
    case FUNCTION:
      if (is_new) restart(s);
      open_level(s);
      break;
    case BRANCH:
      s->branches++;
      restart(s);
      break;
    case STATEMENT: restart(s); break;
    case BLOCK:
      restart(s);
      open_level(s);
      break;
    case END: close_level(s); break;
    default:
      if (is_new) restart(s);
      s->last = is_number ? OPERAND : NAME;
  }
}

static void take_symbol(scanner *s) {
  char c = *s->at++;
  switch (c) {
    case '.':
      if (s->at < s->end && *s->at == '.') {
        while (s->at < s->end && *s->at == '.') s->at++;
      } else if (s->last == NAME || s->last == OPERAND) {
        s->levels[s->depth].steps++;
      }
      break;
    case '[':
      if (s->last == NAME || s->last == OPERAND) s->levels[s->depth].steps++;
      open_level(s);
      break;
    case '(':
    case '{': open_level(s); break;
    case ')':
    case ']':
    case '}': close_level(s); return;
    case ',':
    case ';': restart(s); break;
    case '=':
      /* `==` continues the expression. */
      if (s->at < s->end && *s->at == '=')
        s->at++;
      else
        restart(s);
      break;
    case '<':
    case '>':
    case '~':
      if (s->at < s->end && *s->at == '=') s->at++;
      break;
    default: break;
  }
  s->last = SYMBOL;
}

static void take_token(scanner *s) {
  char c = *s->at;
  if (c == '-' && s->at + 1 < s->end && s->at[1] == '-') {
    skip_comment(s);
  } else if (c == '"' || c == '\'') {
    skip_quoted(s);
    s->last = OPERAND;
  } else if (c == '[' && long_level(s) >= 0) {
    skip_long(s, long_level(s));
    s->last = OPERAND;
  } else if (is_word_byte(c)) {
    take_word(s);
  } else if (c == ' ' || c == '\t' || c == '\n' || c == '\r') {
    s->at++;
  } else {
    take_symbol(s);
  }
  if (s->at > s->end) s->at = s->end;
}

static void start(scanner *s, const char *text, size_t length) {
  s->at = text, s->end = text + length;
  s->depth = s->branches = 0, s->lengths = 0, s->last = NOTHING;
  restart(s);
}

/* The reason to refuse the text, or NULL. */
static const char *refusal(scanner *s) {
  while (s->at < s->end) {
    if (*s->at == '#') s->lengths++;
    take_token(s);
    if (s->levels[s->depth].steps > STEPS_MAX)
      return "an expression that takes more than 1000 fields in a row";
    if (s->levels[s->depth].operators > OPERATORS_MAX)
      return "an expression with more than 2000 'and' or 'or'";
    if (s->depth >= LEVELS_MAX) return "brackets and blocks nested deeper than 200";
    if (s->branches > BRANCHES_MAX) return "more than 10000 'elseif'";
  }
  return NULL;
}

/* ---- The operator `#` ---- */

/* Longest name of an operand in an error message. */
#define OPERAND_NAME_MAX 40

/* The end of the name that begins at `at`; `at` if there is none. */
static const char *name_end(const char *at, const char *end) {
  if (at < end && *at >= '0' && *at <= '9') return at;
  while (at < end && is_word_byte(*at)) at++;
  return at;
}

/* Whether a word that can follow `#` is a keyword. */
static bool is_keyword(const char *word, size_t length) {
  static const char *const words[] = {"nil", "true", "false", "not", "function"};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (strlen(words[i]) == length && memcmp(words[i], word, length) == 0) return true;
  return false;
}

/* Whether the operand continues at `at`, with a call, an index or a power. */
static bool continues(const char *at, const char *end) {
  while (at < end && (*at == ' ' || *at == '\t' || *at == '\n' || *at == '\r')) at++;
  return at < end && strchr("([{:\"'.^", *at) != NULL && *at != 0 &&
         !(*at == '.' && at + 1 < end && at[1] == '.');
}

/* [-0, +0, m] Adds the string that replaces the operator before `at`. For error messages it holds
 * the name of the operand: `name` for a variable, `.name` for a field. */
static void add_mark(luaL_Buffer *out, const char *at, const char *end) {
  const char *name = at, *last = name_end(name, end);
  bool is_field = false;
  while (last > name && last + 1 < end && *last == '.' && name_end(last + 1, end) > last + 1) {
    is_field = true;
    name = last + 1;
    last = name_end(name, end);
  }
  luaL_addchar(out, '"');
  luaL_addchar(out, MOON_LENGTH_MARK);
  size_t length = (size_t)(last - name);
  if (length > 0 && length <= OPERAND_NAME_MAX && !continues(last, end) &&
      !is_keyword(name, length)) {
    if (is_field) luaL_addchar(out, '.');
    luaL_addlstring(out, name, length);
  }
  luaL_addstring(out, "\"^");
}

/* [-0, +1, m] Pushes the text with `#` rewritten as `"mark"^`. A power binds to its right operand
 * as tightly as `#` does: `-#a^2` becomes `-"mark"^a^2`. */
static void push_rewritten(lua_State *L, const char *text, size_t length) {
  scanner s;
  luaL_Buffer out;
  luaL_buffinit(L, &out);
  for (start(&s, text, length); s.at < s.end;) {
    const char *token = s.at;
    take_token(&s);
    if (*token == '#')
      add_mark(&out, s.at, s.end);
    else
      luaL_addlstring(&out, token, (size_t)(s.at - token));
  }
  luaL_pushresult(&out);
}

/* [-0, +1, v] Compiles a text with `count` operators `#`. */
static int compile_lengths(lua_State *L, const char *text, size_t length, size_t count,
                           const char *name) {
  size_t rewritten_length;
  moon_charge(L, length + count * (OPERAND_NAME_MAX + 5));
  push_rewritten(L, text, length);
  const char *rewritten = lua_tolstring(L, -1, &rewritten_length);
  int status = luaL_loadbufferx(L, rewritten, rewritten_length, name, "t");
  lua_remove(L, -2);
  if (status != LUA_ERRSYNTAX) return status;
  /* The error message is about the original text. */
  lua_pop(L, 1);
  if (luaL_loadbufferx(L, text, length, name, "t") == LUA_OK)
    luaL_error(L, "a text with too many operators '#'");
  return LUA_ERRSYNTAX;
}

int moon_compile(lua_State *L, const char *text, size_t length, const char *name) {
  scanner s;
  start(&s, text, length);
  const char *reason = refusal(&s);
  if (reason == NULL && s.lengths > 0) return compile_lengths(L, text, length, s.lengths, name);
  if (reason == NULL) return luaL_loadbufferx(L, text, length, name, "t");
  char chunk[LUA_IDSIZE];
  snprintf(chunk, sizeof chunk, "%s", name[0] == '@' || name[0] == '=' ? name + 1 : "text");
  lua_pushfstring(L, "%s:1: %s", chunk, reason);
  return LUA_ERRSYNTAX;
}

int moon_compile_own(lua_State *L, const char *text, size_t length, const char *name) {
  /* The prelude only takes the lengths of plain tables. */
  if (strcmp(name, MOON_PRELUDE) == 0) return luaL_loadbufferx(L, text, length, name, "t");
  push_rewritten(L, text, length);
  text = lua_tolstring(L, -1, &length);
  return luaL_loadbufferx(L, text, length, name, "t");
}

bool moon_may_compile(const char *text, size_t length) {
  scanner s;
  start(&s, text, length);
  return refusal(&s) == NULL;
}

int moon_compile_file(lua_State *L, const char *text, size_t length, const char *name) {
  const char *at = text, *end = text + length;
  /* The end of the line stays, so that the lines keep their numbers. */
  if (length > 0 && *at == '#')
    while (at < end && *at != '\n' && *at != '\r') at++;
  return moon_compile(L, at, (size_t)(end - at), name);
}

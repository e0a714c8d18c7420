/* Texts in compiled form: for those that tell where a text has code, and for machines that share
 * what the program has compiled once. */
#include "host.h"
#include "source.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
  const char *text;
  size_t length;
  const char *name; /* NULL for a text of scripts, of which nothing runs */
} source;

typedef struct {
  unsigned char *bytes;
  size_t length;
  bool has_failed;
} dump;

static int append(lua_State *L, const void *bytes, size_t length, void *context) {
  (void)L;
  dump *d = context;
  unsigned char *more = realloc(d->bytes, d->length + length + 1);
  if (more == NULL) {
    d->has_failed = true;
    return 1;
  }
  d->bytes = more;
  memcpy(d->bytes + d->length, bytes, length);
  d->length += length;
  return 0;
}

/* Arguments: the source and the dump. */
static int compile(lua_State *L) {
  const source *s = lua_touserdata(L, 1);
  dump *d = lua_touserdata(L, 2);
  int status = LUA_ERRSYNTAX;
  if (s->name != NULL)
    status = moon_compile_own(L, s->text, s->length, s->name);
  else if (moon_may_compile(s->text, s->length))
    status = luaL_loadbufferx(L, s->text, s->length, "=", "t");
  d->has_failed = status != LUA_OK || lua_dump(L, append, d, 0) != 0;
  return 0;
}

unsigned char *moon_compiled(const char *text, size_t length, const char *name, size_t *size) {
  source s = {text, length, name};
  dump d = {0};
  lua_State *L = luaL_newstate();
  if (L == NULL) return NULL;
  lua_pushcfunction(L, compile);
  lua_pushlightuserdata(L, &s);
  lua_pushlightuserdata(L, &d);
  if (lua_pcall(L, 2, 0, 0) != LUA_OK) d.has_failed = true;
  lua_close(L);
  *size = d.length;
  if (!d.has_failed) return d.bytes;
  free(d.bytes);
  return NULL;
}

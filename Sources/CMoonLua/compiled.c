/* Texts in compiled form, which tells where they have code. Nothing of them runs. */
#include "source.h"

#include <stdlib.h>

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

unsigned char *moon_compiled(const char *text, size_t length, size_t *size) {
  dump d = {0};
  lua_State *L = luaL_newstate();
  if (L == NULL) return NULL;
  if (moon_may_compile(text, length) && luaL_loadbufferx(L, text, length, "=", "t") == LUA_OK)
    lua_dump(L, append, &d, 0);
  else
    d.has_failed = true;
  lua_close(L);
  *size = d.length;
  if (!d.has_failed) return d.bytes;
  free(d.bytes);
  return NULL;
}

// UTF-8, widths and the terminal's size.

#include "medit_internal.h"

#include <langinfo.h>
#include <locale.h>
#include <pthread.h>
#include <string.h>
#include <sys/ioctl.h>
#include <wchar.h>
#include <wctype.h>

static bool speaks_utf8(void) { return strcmp(nl_langinfo(CODESET), "UTF-8") == 0; }

static void choose_locale(void) {
  if (speaks_utf8()) return;
  setlocale(LC_CTYPE, "");
  if (!speaks_utf8()) setlocale(LC_CTYPE, "C.UTF-8");
}

void medit_use_utf8(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, choose_locale);
}

int medit_scalar_width(uint32_t scalar) {
  medit_use_utf8();
  return wcwidth((wchar_t)scalar);
}

int medit_terminal_columns(int descriptor) {
  struct winsize size;
  return ioctl(descriptor, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

int medit_terminal_rows(int descriptor) {
  struct winsize size;
  return ioctl(descriptor, TIOCGWINSZ, &size) == 0 ? size.ws_row : 0;
}

int medit_shown_width(wchar_t character, int column) {
  if (character == L'\n') return -1;
  if (character == L'\t') return 8 - column % 8;
  // libedit shows ASCII controls as ^A, and other unprintable characters as \U+200B.
  if (character < 0x100 && iswcntrl((wint_t)character)) return 2;
  if (!iswprint((wint_t)character)) return character > 0xffff ? 8 : 7;
  int width = wcwidth(character);
  return width < 0 ? 0 : width;
}

size_t medit_encode(char *bytes, wchar_t scalar) {
  uint32_t value = (uint32_t)scalar;
  if (value < 0x80) {
    bytes[0] = (char)value;
    return 1;
  }
  if (value < 0x800) {
    bytes[0] = (char)(0xc0 | value >> 6);
    bytes[1] = (char)(0x80 | (value & 0x3f));
    return 2;
  }
  if (value < 0x10000) {
    bytes[0] = (char)(0xe0 | value >> 12);
    bytes[1] = (char)(0x80 | (value >> 6 & 0x3f));
    bytes[2] = (char)(0x80 | (value & 0x3f));
    return 3;
  }
  bytes[0] = (char)(0xf0 | value >> 18);
  bytes[1] = (char)(0x80 | (value >> 12 & 0x3f));
  bytes[2] = (char)(0x80 | (value >> 6 & 0x3f));
  bytes[3] = (char)(0x80 | (value & 0x3f));
  return 4;
}

int medit_decode(const unsigned char *bytes, size_t count, wchar_t *scalar) {
  unsigned char first = bytes[0];
  if (first < 0x80) {
    *scalar = first;
    return 1;
  }
  int length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4) return -1;
  uint32_t value = first & (0xffu >> (length + 1));
  for (int i = 1; i < length; i++) {
    if ((size_t)i >= count) return 0;
    if ((bytes[i] & 0xc0) != 0x80) return -1;
    value = value << 6 | (bytes[i] & 0x3f);
  }
  static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
  if (value < least[length] || value > 0x10ffff) return -1;
  if (value >= 0xd800 && value < 0xe000) return -1;
  *scalar = (wchar_t)value;
  return length;
}

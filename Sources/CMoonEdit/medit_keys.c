// The commands added to libedit, and their keys.

#include "medit_internal.h"

#include <stdlib.h>
#include <unistd.h>

// Ctrl-C: abandons the line, which stays on the screen.
static unsigned char interrupt(EditLine *el, int key) {
  (void)key;
  medit *m = medit_of(el);
  const LineInfoW *info = el_wline(el);
  m->interrupted = true;
  m->interrupted_empty = info->lastchar == info->buffer;
  medit_leave_line(m, "^C");
  return CC_EOF;
}

// Ctrl-Z: the shell gets the terminal until it continues us.
static unsigned char suspend(EditLine *el, int key) {
  (void)key;
  medit_suspend(medit_of(el));
  return CC_NORM;
}

// Ctrl-\: abandons the line and asks the owner to quit.
static unsigned char quit(EditLine *el, int key) {
  (void)key;
  medit *m = medit_of(el);
  m->quit = true;
  medit_leave_line(m, "^\\");
  return CC_EOF;
}

// Tab: hands the line as UTF-8 to the owner of the editor.
static unsigned char complete(EditLine *el, int key) {
  (void)key;
  medit *m = medit_of(el);
  const LineInfoW *info = el_wline(el);
  size_t count = (size_t)(info->lastchar - info->buffer);
  char *line = malloc(count * 4 + 1);
  if (line == NULL) return CC_ERROR;
  size_t length = 0;
  size_t cursor = 0;
  for (size_t i = 0; i < count; i++) {
    if (info->buffer + i == info->cursor) cursor = length;
    length += medit_encode(line + length, info->buffer[i]);
  }
  if (info->cursor >= info->lastchar) cursor = length;
  m->callbacks.complete(m->callbacks.context, line, length, cursor);
  free(line);
  return CC_REFRESH;
}

// Whether a pasted character may enter the line: text, tabs and newlines, no other controls.
static bool is_pasted_text(wchar_t character) {
  if (character == L'\n' || character == L'\t') return true;
  return character >= 0x20 && character != 0x7f && !(character >= 0x80 && character < 0xa0);
}

// Appends a pasted character; false when there is no room for it.
static bool append_pasted(char *text, size_t *length, wchar_t character) {
  if (!is_pasted_text(character)) return true;
  if (*length + 4 > medit_paste_max) return false;
  *length += medit_encode(text + *length, character);
  return true;
}

// Collects one paste, up to the sequence that ends it. Returns false if the terminal is gone.
// `*cut` says whether something didn't fit. A carriage return, a newline, or both are one newline;
// they come in any order, because libedit has the terminal exchange them.
static bool collect_paste(EditLine *el, char *text, size_t *length, bool *cut) {
  static const wchar_t end[] = L"\033[201~";
  const size_t end_count = sizeof end / sizeof end[0] - 1;
  size_t matched = 0;
  wchar_t before = 0;
  for (;;) {
    wchar_t character;
    if (el_wgetc(el, &character) != 1) return false;
    if (character == end[matched]) {
      matched += 1;
      if (matched == end_count) return true;
      continue;
    }
    // Another sequence: everything after its escape is text. Escape occurs only at the beginning of
    // the wanted sequence, so the search starts over here.
    for (size_t i = 1; i < matched; i++) *cut |= !append_pasted(text, length, end[i]);
    matched = character == end[0] ? 1 : 0;
    if (matched == 1) continue;
    bool pair = (before == L'\r' && character == L'\n') || (before == L'\n' && character == L'\r');
    before = pair ? 0 : character;
    if (pair) continue;
    if (character == L'\r') character = L'\n';
    *cut |= !append_pasted(text, length, character);
  }
}

// The start of a bracketed paste. The whole paste, including newlines, is inserted into the line.
static unsigned char paste(EditLine *el, int key) {
  (void)key;
  char *text = malloc(medit_paste_max + 1);
  if (text == NULL) return CC_ERROR;
  size_t length = 0;
  bool cut = false;
  bool whole = collect_paste(el, text, &length, &cut);
  // A copied block ends with a newline, which would leave the cursor on an empty row.
  while (length > 0 && text[length - 1] == '\n') length -= 1;
  text[length] = '\0';
  if (length > 0) cut |= el_insertstr(el, text) != 0;
  free(text);
  if (!whole) return CC_EOF;
  return cut ? CC_REFRESH_BEEP : CC_REFRESH;
}

void medit_add_commands(medit *m) {
  el_set(m->el, EL_ADDFN, "moon-interrupt", "Give up the line", interrupt);
  el_set(m->el, EL_ADDFN, "moon-suspend", "Suspend the process", suspend);
  el_set(m->el, EL_ADDFN, "moon-quit", "Quit the program", quit);
  el_set(m->el, EL_ADDFN, "moon-complete", "Complete the word", complete);
  el_set(m->el, EL_ADDFN, "moon-paste", "Insert a paste", paste);
}

// Binds one key or sequence of the insert map.
static void bind(medit *m, const char *keys, const char *command) {
  el_set(m->el, EL_BIND, keys, command, NULL);
}

void medit_bind_comforts(medit *m) {
  bind(m, "^R", "em-inc-search-prev");
  bind(m, "^S", "em-inc-search-next");
  bind(m, "^W", "ed-delete-prev-word");
  static const char *const home[] = {"\\e[H", "\\eOH", "\\e[1~", "\\e[7~"};
  static const char *const end[] = {"\\e[F", "\\eOF", "\\e[4~", "\\e[8~"};
  for (size_t i = 0; i < sizeof home / sizeof home[0]; i++) {
    bind(m, home[i], "ed-move-to-beg");
    bind(m, end[i], "ed-move-to-end");
  }
  bind(m, "\\e[3~", "ed-delete-next-char");
  // For a terminal that sends the sequence in pieces.
  bind(m, "\\e[200~", "moon-paste");
  // Control and Alt with an arrow, as xterm and its relatives send them.
  bind(m, "\\e[1;5C", "em-next-word");
  bind(m, "\\e[1;5D", "ed-prev-word");
  bind(m, "\\e[1;3C", "em-next-word");
  bind(m, "\\e[1;3D", "ed-prev-word");
}

void medit_bind_essentials(medit *m) {
  bind(m, "^I", "moon-complete");
  static const char *const commands[][2] = {
      {"^C", "moon-interrupt"},
      {"^Z", "moon-suspend"},
      {"^\\", "moon-quit"},
      // medit_paste_character, in octal.
      {"\\236", "moon-paste"},
  };
  for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++) {
    bind(m, commands[i][0], commands[i][1]);
    // The command map of vi is a second one.
    el_set(m->el, EL_BIND, "-a", commands[i][0], commands[i][1], NULL);
  }
}

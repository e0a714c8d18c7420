// Where libedit has put the line on the screen, and drawing it elsewhere.

#include "medit_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

// A position relative to the first character of the prompt.
typedef struct place {
  int row;
  int column;
} place;

// Advances like libedit: a character that doesn't fit goes to the next row as a whole, and a full
// row continues on the next one at once.
static place advanced(place at, wchar_t character, int columns) {
  int width = medit_shown_width(character, at.column);
  if (width < 0) return (place){at.row + 1, 0};
  bool splits = character == L'\t' || wcwidth(character) < 0;
  if (!splits && at.column + width > columns) at = (place){at.row + 1, 0};
  at.column += width;
  // A tab ends at the margin; a control's ^A may straddle it.
  if (at.column >= columns) {
    at = (place){at.row + 1, character == L'\t' ? 0 : at.column - columns};
  }
  return at;
}

// Where the cursor stands after the prompt and the line up to `until`, in rows of `columns`.
static place place_before(medit *m, const wchar_t *until, int columns) {
  place at = {0, 0};
  const unsigned char *prompt = (const unsigned char *)(m->prompt ? m->prompt : "");
  size_t left = strlen((const char *)prompt);
  bool literal = false;
  while (left > 0) {
    wchar_t character = 0;
    int used = medit_decode(prompt, left, &character);
    if (used <= 0) used = 1;
    if (character == L'\001') {
      literal = !literal;
    } else if (!literal) {
      at = advanced(at, character, columns);
    }
    prompt += used;
    left -= (size_t)used;
  }
  const LineInfoW *info = el_wline(m->el);
  for (const wchar_t *c = info->buffer; c < until; c++) at = advanced(at, *c, columns);
  // A wide character that doesn't fit takes the cursor in front of it to the next row.
  if (until < info->lastchar && wcwidth(*until) > 1 && at.column + 2 > columns) {
    at = (place){at.row + 1, 0};
  }
  return at;
}

// libedit's idea of the terminal's size: "co" columns or "li" lines.
static int capability(medit *m, const char *name, int otherwise) {
  int value = 0;
  if (el_get(m->el, EL_GETTC, name, &value, NULL) != 0 || value < 1) return otherwise;
  return value;
}

// Erases from the first row of the prompt down, from a cursor in `row`.
static void clear_from(medit *m, int row) {
  fflush(m->drawing);
  m->draft_count = 0;
  // If the line is taller than the screen, libedit shows the last screenful.
  int last = capability(m, "li", 24) - 1;
  if (row > last) row = last;
  fputc('\r', m->out);
  if (row > 0) fprintf(m->out, "\033[%dA", row);
  fputs("\033[J", m->out);
  fflush(m->out);
  m->shown_row = 0;
}

void medit_clear(medit *m) { clear_from(m, m->shown_row); }

// Whether the prompt or the line shows a character that takes two columns.
static bool has_wide_characters(medit *m) {
  const LineInfoW *info = el_wline(m->el);
  for (const wchar_t *c = info->buffer; c < info->lastchar; c++) {
    if (wcwidth(*c) > 1) return true;
  }
  for (const char *c = m->prompt ? m->prompt : ""; *c != '\0'; c++) {
    if ((unsigned char)*c >= 0x80) return true;
  }
  return false;
}

void medit_look_at_line(medit *m) {
  const LineInfoW *info = el_wline(m->el);
  ptrdiff_t count = info->lastchar - info->buffer;
  if (count == m->looked_at_count) return;
  m->looked_at_count = count;
  m->wide |= has_wide_characters(m);
}

// Appends libedit's output to the draft; the write callback of its stream.
static ssize_t append_to_draft(void *cookie, const char *bytes, size_t count) {
  medit *m = cookie;
  if (m->draft_count + count > m->draft_capacity) {
    size_t capacity = (m->draft_count + count) * 2;
    char *draft = realloc(m->draft, capacity);
    if (draft == NULL) return 0;
    m->draft = draft;
    m->draft_capacity = capacity;
  }
  memcpy(m->draft + m->draft_count, bytes, count);
  m->draft_count += count;
  return (ssize_t)count;
}

bool medit_open_drawing(medit *m) {
  m->drawing = fopencookie(m, "w", (cookie_io_functions_t){.write = append_to_draft});
  return m->drawing != NULL;
}

// Shows the draft unchanged, and records the cursor's new position.
static void show_draft(medit *m) {
  fflush(m->drawing);
  if (m->draft_count > 0) fwrite(m->draft, 1, m->draft_count, m->out);
  fflush(m->out);
  m->draft_count = 0;
  m->shown_row = place_before(m, el_wline(m->el)->cursor, capability(m, "co", 80)).row;
  m->wide = has_wide_characters(m);
}

// Draws a line with wide characters. To move a few columns to the right, libedit rewrites the text
// there, which spoils the row if it begins in the middle of a wide character. So libedit first
// draws with its cursor at the end, where there is nothing to rewrite. It then draws once more,
// unseen, with the cursor in its place, to update its own position, and this function moves the
// terminal's cursor.
static void redraw_wide(medit *m) {
  const LineInfoW *info = el_wline(m->el);
  int offset = (int)(info->cursor - info->buffer);
  el_cursor(m->el, (int)(info->lastchar - info->cursor));
  el_set(m->el, EL_REFRESH);
  show_draft(m);
  int drawn_row = m->shown_row;
  // In vi's command mode the cursor cannot be after the last character.
  info = el_wline(m->el);
  el_cursor(m->el, offset - (int)(info->cursor - info->buffer));
  el_set(m->el, EL_REFRESH);
  fflush(m->drawing);
  m->draft_count = 0;
  place wanted = place_before(m, el_wline(m->el)->cursor, capability(m, "co", 80));
  if (wanted.row < drawn_row) fprintf(m->out, "\033[%dA", drawn_row - wanted.row);
  fputc('\r', m->out);
  if (wanted.column > 0) fprintf(m->out, "\033[%dC", wanted.column);
  fflush(m->out);
  m->shown_row = wanted.row;
}

void medit_redraw(medit *m) {
  if (has_wide_characters(m)) {
    redraw_wide(m);
  } else {
    el_set(m->el, EL_REFRESH);
    show_draft(m);
  }
}

void medit_settle(medit *m) {
  fflush(m->drawing);
  if (!m->wide && !has_wide_characters(m)) {
    show_draft(m);
    return;
  }
  // Apart from the line, libedit's output may ring the bell or clear the screen.
  if (memchr(m->draft, '\a', m->draft_count) != NULL) fputc('\a', m->out);
  if (memmem(m->draft, m->draft_count, "\033[H", 3) != NULL) {
    fputs("\033[H\033[2J", m->out);
    m->shown_row = 0;
  }
  medit_clear(m);
  medit_redraw(m);
}

void medit_finish_line(medit *m) {
  fflush(m->drawing);
  if (m->interrupted || m->quit) {
    m->draft_count = 0;
    return;
  }
  const LineInfoW *info = el_wline(m->el);
  el_cursor(m->el, (int)(info->lastchar - info->cursor));
  medit_settle(m);
}

void medit_beep(medit *m) {
  fputc('\a', m->out);
  fflush(m->out);
}

void medit_replace(medit *m, size_t count, const char *text) {
  if (count > 0) el_deletestr(m->el, (int)count);
  if (*text != '\0' && el_insertstr(m->el, text) != 0) medit_beep(m);
}

void medit_leave_line(medit *m, const char *mark) {
  medit_clear(m);
  const LineInfoW *info = el_wline(m->el);
  long offset = info->lastchar - info->cursor;
  el_cursor(m->el, (int)offset);
  medit_redraw(m);
  el_cursor(m->el, -(int)offset);
  m->shown_row = 0;
  m->wide = false;
  fprintf(m->out, "%s\r\n", mark);
  fflush(m->out);
}

void medit_resize(medit *m) {
  // Terminals that rewrap long lines have moved the line before they report their new size.
  int columns = medit_terminal_columns(m->output);
  if (columns <= 0) columns = capability(m, "co", 80);
  clear_from(m, place_before(m, el_wline(m->el)->cursor, columns).row);
  el_resize(m->el);
  medit_redraw(m);
}

void medit_begin_paste_mode(medit *m) {
  fputs("\033[?2004h", m->out);
  fflush(m->out);
}

void medit_end_paste_mode(medit *m) {
  fputs("\033[?2004l", m->out);
  fflush(m->out);
}

void medit_resume(medit *m) {
  // libedit assumes that its mode is still set. Only a change makes it set the terminal again.
  el_set(m->el, EL_PREP_TERM, 0);
  el_set(m->el, EL_PREP_TERM, 1);
  medit_begin_paste_mode(m);
  fputs("\r\033[J", m->out);
  el_resize(m->el);
  medit_redraw(m);
}

void medit_lend_terminal(medit *m) {
  medit_leave_line(m, "");
  medit_end_paste_mode(m);
  el_set(m->el, EL_PREP_TERM, 0);
}

void medit_suspend(medit *m) {
  medit_lend_terminal(m);
  m->resumed = medit_stop_process_group();
  medit_resume(m);
  if (!m->resumed) medit_beep(m);
}

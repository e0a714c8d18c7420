// Declarations shared by the files of this shim. Included first, because it enables the system's
// extensions.

#ifndef MEDIT_INTERNAL_H
#define MEDIT_INTERNAL_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include <histedit.h>
#include <stdbool.h>
#include <stdio.h>

#include "CMoonEdit.h"

// Most bytes read from the terminal at once, so that a paste isn't read byte by byte.
enum { medit_input_max = 4096 };

// The character that replaces the escape sequence at the start of a paste: a Latin-1 control, which
// no keyboard sends.
enum { medit_paste_character = 0x9e };

// The bytes sent through the pipe that wakes a reading editor.
enum {
  medit_wake_print = 'p',
  medit_wake_resized = 'w',
  medit_wake_stop = 't',
  medit_wake_continued = 'c',
};

struct medit {
  EditLine *el;
  History *history;
  FILE *in;
  FILE *out;
  // The stream that libedit draws to. `medit_settle` decides what is shown.
  FILE *drawing;
  char *draft;
  size_t draft_count;
  size_t draft_capacity;
  // The row of the terminal's cursor, counted from the row of the prompt's first character.
  int shown_row;
  // Whether the line has had wide characters since it was last shown, and its length at the last
  // check.
  bool wide;
  ptrdiff_t looked_at_count;
  int input;
  int output;
  // The editor reads [0]; other threads and signal handlers write [1].
  int wake[2];
  medit_callbacks callbacks;
  // The prompt of the line being read; owned.
  char *prompt;
  // The line last read, or last given to `complete`; owned.
  char *line;
  // Ctrl-C or Ctrl-\ has ended the line.
  bool interrupted;
  bool interrupted_empty; // the line was empty then
  bool quit;
  // The terminal has already been taken back, so the SIGCONT that follows is ignored.
  bool resumed;
  // libedit has got a character since the line was last settled.
  bool touched;
  // Bytes read from the terminal and not yet given to libedit.
  unsigned char pending[medit_input_max];
  size_t pending_from;
  size_t pending_count;
};

// medit.c: the editor behind libedit's callback.
medit *medit_of(EditLine *el);

// medit_keys.c: registers the commands and binds keys. The user's file may rebind the convenience
// keys; the essential ones are bound after it.
void medit_add_commands(medit *m);
void medit_bind_comforts(medit *m);
void medit_bind_essentials(medit *m);

// medit_input.c: libedit's EL_GETCFN. Waits for the terminal and for the pipe at once.
int medit_get_character(EditLine *el, wchar_t *character);
// Whether Ctrl-C was typed after the end of the line, but before the terminal sent signals again,
// so that it has arrived as a character; takes it.
bool medit_take_late_interrupt(medit *m);

// medit_signal.c: while watching, SIGWINCH, SIGTSTP and SIGCONT put a byte into the editor's pipe.
void medit_watch_signals(const medit *m);
void medit_unwatch_signals(const medit *m);

// medit_screen.c: leaves the line on the screen and the cursor on a fresh row below it.
void medit_leave_line(medit *m, const char *mark);
// Opens `drawing`. Returns false if memory runs out.
bool medit_open_drawing(medit *m);
// Notes whether the line has wide characters, before a command that may remove them.
void medit_look_at_line(medit *m);
// Shows what libedit has drawn. Redraws the whole line if it has wide characters, because libedit's
// partial updates lose columns and even rows around them.
void medit_settle(medit *m);
// Shows the rest of a finished line, and leaves the cursor after it.
void medit_finish_line(medit *m);
// Tells libedit the terminal's new size and draws the line again.
void medit_resize(medit *m);
// Restores the terminal's ordinary mode, with the cursor below the line.
void medit_lend_terminal(medit *m);
// Stops the process group until the shell continues it.
void medit_suspend(medit *m);
// Takes the terminal back and draws the line in the cursor's row.
void medit_resume(medit *m);
// Switches bracketed paste on.
void medit_begin_paste_mode(medit *m);
void medit_end_paste_mode(medit *m);

// medit_text.c: appends a scalar as UTF-8 and returns how many bytes (1 to 4) that took.
size_t medit_encode(char *bytes, wchar_t scalar);
// Decodes one scalar of strict UTF-8. Returns its length in bytes, 0 when more bytes are needed,
// -1 when the first byte begins no valid sequence.
int medit_decode(const unsigned char *bytes, size_t count, wchar_t *scalar);
// The number of columns that libedit uses for a character of the line at `column`, including tabs
// and controls; -1 for a newline.
int medit_shown_width(wchar_t character, int column);

#endif

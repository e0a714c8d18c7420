// What the files of this shim share. Included first, because it asks for the system's extensions.

#ifndef MEDIT_INTERNAL_H
#define MEDIT_INTERNAL_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include <histedit.h>
#include <stdbool.h>
#include <stdio.h>

#include "CMoonEdit.h"

// How many bytes of typed input are taken from the terminal at once: a paste comes in pieces of
// this size and not of one byte.
enum { medit_input_max = 4096 };

// The character that a paste begins with, once its escape sequence was recognised: a control of
// Latin-1, which no keyboard sends.
enum { medit_paste_character = 0x9e };

// The bytes that travel through the pipe that wakes a reading editor.
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
  // Where libedit draws: nothing of it is seen before `medit_settle` has looked at it.
  FILE *drawing;
  char *draft;
  size_t draft_count;
  size_t draft_capacity;
  // The terminal's cursor is in this row, counted from that of the prompt's first character.
  int shown_row;
  // Since the line was last shown it has had wide characters; how long it was when that was last
  // looked at.
  bool wide;
  ptrdiff_t looked_at_count;
  int input;
  int output;
  // [0] is read by the editor, [1] is written by other threads and by signal handlers.
  int wake[2];
  medit_callbacks callbacks;
  // The prompt of the line being read; owned.
  char *prompt;
  // The line last read, or last given to `complete`; owned.
  char *line;
  // Ctrl-C or Ctrl-\ has ended the line.
  bool interrupted;
  bool quit;
  // The terminal was taken back already; the SIGCONT that comes with it asks for nothing more.
  bool resumed;
  // libedit got a character since the line was last settled.
  bool touched;
  // Bytes read from the terminal and not yet given to libedit.
  unsigned char pending[medit_input_max];
  size_t pending_from;
  size_t pending_count;
};

// medit.c: the editor behind libedit's callback.
medit *medit_of(EditLine *el);

// medit_keys.c: registers our commands and binds keys. The comforts may be rebound by the user's
// file; the essentials are bound after it.
void medit_add_commands(medit *m);
void medit_bind_comforts(medit *m);
void medit_bind_essentials(medit *m);

// medit_input.c: libedit's EL_GETCFN. Waits for the terminal and for the pipe at once.
int medit_get_character(EditLine *el, wchar_t *character);

// medit_signal.c: while watching, SIGWINCH, SIGTSTP and SIGCONT put a byte into the editor's pipe.
void medit_watch_signals(const medit *m);
void medit_unwatch_signals(const medit *m);
// Stops the process group the way the terminal's Ctrl-Z does; returns when it was continued.
// Returns false at once when this process ignores being stopped.
bool medit_stop_process_group(void);

// medit_screen.c: leaves the line on the screen and the cursor on a fresh row below it.
void medit_leave_line(medit *m, const char *mark);
// Opens `drawing`. Returns false without memory.
bool medit_open_drawing(medit *m);
// Takes note of wide characters in the line, before a command that may remove them.
void medit_look_at_line(medit *m);
// Shows what libedit has drawn, or the whole line anew when it has wide characters: libedit's way
// of changing a part of a row loses columns and even rows around them.
void medit_settle(medit *m);
// Shows the last of a line that is finished, and leaves the cursor behind it.
void medit_finish_line(medit *m);
// Tells libedit the terminal's new size and draws the line again.
void medit_resize(medit *m);
// Gives the terminal its ordinary mode, below the line, for others to use.
void medit_lend_terminal(medit *m);
// Stops the process group until the shell continues it.
void medit_suspend(medit *m);
// Takes the terminal back and draws the line in the cursor's row.
void medit_resume(medit *m);
// Switches bracketed paste.
void medit_begin_paste_mode(medit *m);
void medit_end_paste_mode(medit *m);

// medit_text.c: appends a scalar as UTF-8 and returns how many bytes (1 to 4) that took.
size_t medit_encode(char *bytes, wchar_t scalar);
// Decodes one scalar of strict UTF-8. Returns its length in bytes, 0 when more bytes are needed,
// -1 when the first byte begins no valid sequence.
int medit_decode(const unsigned char *bytes, size_t count, wchar_t *scalar);
// How many columns libedit uses to show a character of the line at `column`, tabs and controls
// included; -1 for a newline.
int medit_shown_width(wchar_t character, int column);

#endif

// libedit for Swift: the variadic calls, the callbacks that must be C functions, and the reading
// loop that lets other threads print while a line is being typed.
//
// A `medit` belongs to one thread at a time. `medit_wake` alone may be called from any thread.
// libedit keeps the terminal's description in one place per process, so two editors must not be
// opened or read at the same time.

#ifndef CMOONEDIT_H
#define CMOONEDIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct medit medit;

// How reading a line ended.
typedef enum medit_outcome {
  medit_outcome_line,
  medit_outcome_interrupted,
  medit_outcome_interrupted_empty, // on an empty line
  medit_outcome_quit,
  medit_outcome_end,
} medit_outcome;

// What the editor calls back, always on the thread that is inside `medit_read`.
typedef struct medit_callbacks {
  void *context;
  // Called after `medit_wake`. It may call `medit_clear`, write to the terminal, and then call
  // `medit_redraw`.
  void (*wake)(void *context);
  // Called when Tab is pressed. `line` is UTF-8, not terminated, and valid during the call.
  // `cursor` is a byte offset into it. It may call `medit_replace`, `medit_beep`, `medit_clear`,
  // `medit_redraw`.
  void (*complete)(void *context, const char *line, size_t length, size_t cursor);
} medit_callbacks;

// Most bytes of one paste; the rest is dropped with a beep. The time to redraw grows with the
// length of the line.
enum { medit_paste_max = 1 << 20 };

// Opens an editor on copies of two descriptors of a terminal.
// `terminal` is a terminal type as in TERM; NULL takes TERM, and a type the system does not know
// is treated as xterm. Keeps at most `history_max` entries in memory.
// Returns NULL when memory or descriptors run out or `output` is not a terminal.
medit *medit_open(int input, int output, const char *terminal, int history_max);

// Sets the callbacks. Call once, before the first `medit_read`.
void medit_set_callbacks(medit *m, medit_callbacks callbacks);

// Frees the editor and restores the terminal's modes. NULL is allowed.
void medit_close(medit *m);

// Reads the user's bindings: from `path`, or from $EDITRC or ~/.editrc when `path` is NULL. A
// missing file is not an error. Tab, Ctrl-C, Ctrl-Z, Ctrl-\ and pasting are bound again after it.
void medit_source(medit *m, const char *path);

// Adds an entry to the history in memory. O(1).
void medit_remember(medit *m, const char *entry);

// Reads one line. `prompt` may hold escape sequences between pairs of \001; a visible character
// must follow each of them. `*line` is UTF-8 without its final newline, terminated, valid until the
// next call, and set only for `medit_outcome_line`. On return, the terminal is in its ordinary mode
// again.
medit_outcome medit_read(medit *m, const char *prompt, const char **line, size_t *length);

// Makes `medit_read` call `wake` soon. Callable from any thread between open and close.
void medit_wake(const medit *m);

// Erases the prompt and the line from the screen and leaves the cursor where the prompt began.
void medit_clear(medit *m);

// Draws the prompt and the line at the cursor, which must be in the first column.
void medit_redraw(medit *m);

// Replaces the prompt of the line being read; the format is that of `medit_read`. Call between
// `medit_clear` and `medit_redraw`.
void medit_set_prompt(medit *m, const char *prompt);

// Replaces the `count` characters (Unicode scalars) in front of the cursor with `text`.
void medit_replace(medit *m, size_t count, const char *text);

// Rings the bell.
void medit_beep(medit *m);

// Sets the process's LC_CTYPE to a UTF-8 locale: the environment's, or else C.UTF-8. Only the first
// call has an effect.
void medit_use_utf8(void);

// A function that is called on the reading thread, before an editor stops the program for a while.
typedef void (*medit_stop_hook)(void);

// Sets that function for all editors; NULL for none.
void medit_before_stop(medit_stop_hook hook);

// Stops the process group the way the terminal's Ctrl-Z does; returns when it was continued.
// Returns false at once if this process ignores SIGTSTP.
bool medit_stop_process_group(void);

// The number of columns that a Unicode scalar takes: 0, 1 or 2, or -1 if it cannot be printed.
int medit_scalar_width(uint32_t scalar);

// The number of columns of the terminal behind `descriptor`; 0 if it isn't a terminal or doesn't
// report its size.
int medit_terminal_columns(int descriptor);

// The number of its rows; 0 likewise.
int medit_terminal_rows(int descriptor);

#endif

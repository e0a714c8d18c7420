// ncurses for Swift: its macros, its global variables, and the signals about the terminal.
//
// ncurses keeps its screen in one place per process. One thread draws and reads; `mcurses_close`
// and `mcurses_wake` may be called from any thread.

#ifndef CMOONCURSES_H
#define CMOONCURSES_H

#include <stdbool.h>
#include <stdint.h>

// The reason that a terminal can't show a full screen.
typedef enum mcurses_problem {
  mcurses_fine,
  mcurses_unknown,  // the system doesn't know the type
  mcurses_plain,    // the type can't move its cursor
  mcurses_resources // no memory or descriptors
} mcurses_problem;

// Styles of text, which may be combined; the lowest three bits are one of the eight colours, 0 for
// the terminal's own, and 7 for inputs.
enum {
  mcurses_input_color = 7,
  mcurses_bold = 8,
  mcurses_dim = 16,
  mcurses_underlined = 32,
  mcurses_reversed = 64,
};

// What happened at the terminal.
typedef enum mcurses_kind {
  mcurses_nothing,
  mcurses_character, // code: a Unicode scalar
  mcurses_key,       // code: a `mcurses_name`
  mcurses_pressed,   // the mouse's first button
  mcurses_wheel_up,
  mcurses_wheel_down,
  mcurses_pasted, // see `mcurses_paste`
  mcurses_resized,
  mcurses_stop, // the program is asked to stop for a while
  mcurses_woken,
  mcurses_gone, // there is no terminal any more
} mcurses_kind;

// Keys without a character. Those above are the function keys, by their numbers.
typedef enum mcurses_name {
  mcurses_up = 100,
  mcurses_down,
  mcurses_left,
  mcurses_right,
  mcurses_home,
  mcurses_end,
  mcurses_page_up,
  mcurses_page_down,
  mcurses_backspace,
  mcurses_delete,
  mcurses_back_tab,
  mcurses_enter,
  // With Ctrl.
  mcurses_word_left,
  mcurses_word_right,
  // With Shift.
  mcurses_select_left,
  mcurses_select_right,
  mcurses_select_up,
  mcurses_select_down,
  mcurses_select_home,
  mcurses_select_end,
  mcurses_other,
} mcurses_name;

typedef struct mcurses_event {
  mcurses_kind kind;
  uint32_t code;
  int row;
  int column;
} mcurses_event;

// Returns whether a terminal of this type, behind a descriptor, can show a full screen.
mcurses_problem mcurses_check(int output, const char *terminal);

// Takes the terminal behind two descriptors until `mcurses_close`. Call once. The palette has the
// colours of styles as 0xRRGGBB, of which the nearest is shown; -1 is the terminal's own.
mcurses_problem mcurses_open(int input, int output, const char *terminal, bool colors, bool mouse,
                             const int32_t palette[8]);

// Gives the terminal back as it was. More calls have no effect.
void mcurses_close(void);

// Gives the terminal back, stops the process group as Ctrl-Z does, and takes the terminal again
// once the program goes on.
void mcurses_stop_for_a_while(void);

// The number of rows and columns, after `mcurses_resized` the new ones.
void mcurses_size(int *rows, int *columns);

// The size of a cell in pixels; 0 if the terminal doesn't tell.
void mcurses_cell(int *width, int *height);

// Blanks a row of the next picture.
void mcurses_blank(int row);

// Writes `length` bytes of UTF-8 into the next picture.
void mcurses_put(int row, int column, const char *text, int length, int style);

// Shows the picture, with the cursor at a place, or nowhere if `row` is below 0.
void mcurses_show(int row, int column);

// Writes bytes to the terminal, beside the picture; images that they have it draw are removed once
// the terminal is given back.
void mcurses_send(const char *bytes, int length);

// Writes everything again, in case something else was written to the terminal.
void mcurses_repaint(void);

// Returns what has happened; with `waits`, waits for it.
mcurses_event mcurses_next(bool waits);

// The most characters of a paste; the rest is dropped.
enum { mcurses_paste_max = 1 << 16 };

// The characters of the last paste, valid until the next call of `mcurses_next`.
const uint32_t *mcurses_paste(int *count);

// Makes `mcurses_next` return `mcurses_woken` soon.
void mcurses_wake(void);

// Rings the bell.
void mcurses_beep(void);

#endif

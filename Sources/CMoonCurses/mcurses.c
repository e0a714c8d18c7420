// Taking the terminal, drawing on it, and giving it back.

#define NCURSES_WIDECHAR 1
#define _GNU_SOURCE

#include "mcurses_internal.h"

#include <CMoonEdit.h>
#include <curses.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>
#include <wchar.h>

// Held while ncurses is used, so that the terminal can be given back at any time.
pthread_mutex_t mcurses_mutex = PTHREAD_MUTEX_INITIALIZER;
int mcurses_input = -1;
int mcurses_output = -1;
static SCREEN *screen;
static bool shows_colors;
static bool takes_mouse;
static bool has_images;

// Bytes of a scalar that stands for one that the system can't show.
enum { replacement = 0xFFFD, put_max = 4096, escape_delay = 25 };

bool mcurses_is_open(void) { return screen != NULL; }

static void begin_modes(void) {
  mcurses_write("\033[?2004h");
  if (takes_mouse) {
    mousemask(BUTTON1_PRESSED | BUTTON4_PRESSED | BUTTON5_PRESSED, NULL);
    mouseinterval(0);
  }
}

static void end_modes(void) {
  if (has_images) mcurses_write("\033_Gq=2,a=d,d=A\033\\");
  has_images = false;
  if (takes_mouse) mousemask(0, NULL);
  mcurses_write("\033[?2004l");
}

// The numbers of the colours that were asked for, as 0xRRGGBB; -1 is the terminal's own.
static int32_t shades[8];

static int square(int number) { return number * number; }

static int distance(int32_t one, int32_t other) {
  int red = (one >> 16 & 255) - (other >> 16 & 255), green = (one >> 8 & 255) - (other >> 8 & 255);
  return square(red) + square(green) + square((one & 255) - (other & 255));
}

// What terminals show for one of their colours, as xterm does.
static int32_t shade_of(int color) {
  static const int32_t first[16] = {0x000000, 0xCD0000, 0x00CD00, 0xCDCD00, 0x0000EE, 0xCD00CD,
                                    0x00CDCD, 0xE5E5E5, 0x7F7F7F, 0xFF0000, 0x00FF00, 0xFFFF00,
                                    0x5C5CFF, 0xFF00FF, 0x00FFFF, 0xFFFFFF};
  static const int levels[6] = {0, 95, 135, 175, 215, 255};
  if (color < 16) return first[color];
  if (color >= 232) return (8 + 10 * (color - 232)) * 0x010101;
  int cube = color - 16;
  return levels[cube / 36] << 16 | levels[cube / 6 % 6] << 8 | levels[cube % 6];
}

// The colour of the terminal that is nearest.
static short nearest(int32_t shade) {
  int count = COLORS >= 256 ? 256 : COLORS >= 16 ? 16 : 8;
  // People set the first colours to others than xterm's, so where there are others, they are left.
  int best = count == 256 ? 16 : 0;
  for (int color = best; color < count; color++)
    if (distance(shade, shade_of(color)) < distance(shade, shade_of(best))) best = color;
  return (short)best;
}

static void choose_colors(void) {
  if (!shows_colors || !has_colors()) {
    shows_colors = false;
    return;
  }
  start_color();
  use_default_colors();
  for (short pair = 1; pair < 8; pair++) {
    short color = pair == mcurses_input_color ? COLOR_GREEN : pair;
    init_pair(pair, shades[pair] < 0 ? color : nearest(shades[pair]), -1);
  }
}

mcurses_problem mcurses_open(int input, int output, const char *terminal, bool colors, bool mouse,
                             const int32_t palette[8]) {
  mcurses_problem problem = mcurses_check(output, terminal);
  if (problem != mcurses_fine) return problem;
  mcurses_input = input;
  mcurses_output = output;
  FILE *source = fdopen(dup(input), "r");
  FILE *target = fdopen(dup(output), "w");
  if (source == NULL || target == NULL) return mcurses_resources;
  medit_use_utf8();
  if (!mcurses_begin_signals()) return mcurses_resources;
  pthread_mutex_lock(&mcurses_mutex);
  shows_colors = colors;
  memcpy(shades, palette, sizeof(shades));
  takes_mouse = mouse;
  screen = newterm((char *)terminal, target, source);
  if (screen == NULL) {
    pthread_mutex_unlock(&mcurses_mutex);
    mcurses_end_signals();
    return mcurses_unknown;
  }
  set_escdelay(escape_delay);
  raw();
  noecho();
  nonl();
  keypad(stdscr, TRUE);
  nodelay(stdscr, TRUE);
  leaveok(stdscr, FALSE);
  define_key((char *)"\033[200~", mcurses_key_paste_begins);
  define_key((char *)"\033[201~", mcurses_key_paste_ends);
  // ncurses has no names for them.
  define_key((char *)"\033[1;5D", mcurses_key_word_left);
  define_key((char *)"\033[1;5C", mcurses_key_word_right);
  choose_colors();
  begin_modes();
  pthread_mutex_unlock(&mcurses_mutex);
  return mcurses_fine;
}

void mcurses_close(void) {
  pthread_mutex_lock(&mcurses_mutex);
  if (screen != NULL) {
    end_modes();
    endwin();
    // The screen is kept, since a thread may be about to draw on it; the program ends soon.
    screen = NULL;
  }
  pthread_mutex_unlock(&mcurses_mutex);
  mcurses_end_signals();
}

void mcurses_stop_for_a_while(void) {
  pthread_mutex_lock(&mcurses_mutex);
  bool is_open = screen != NULL;
  if (is_open) {
    def_prog_mode();
    end_modes();
    endwin();
  }
  pthread_mutex_unlock(&mcurses_mutex);
  if (!is_open) return;
  medit_stop_process_group();
  pthread_mutex_lock(&mcurses_mutex);
  if (screen != NULL) {
    reset_prog_mode();
    clearok(curscr, TRUE);
    begin_modes();
    refresh();
  }
  pthread_mutex_unlock(&mcurses_mutex);
}

void mcurses_size(int *rows, int *columns) {
  struct winsize size;
  pthread_mutex_lock(&mcurses_mutex);
  *rows = 1;
  *columns = 1;
  if (screen != NULL) {
    if (ioctl(mcurses_output, TIOCGWINSZ, &size) == 0 && size.ws_row > 0 && size.ws_col > 0 &&
        (size.ws_row != LINES || size.ws_col != COLS))
      resizeterm(size.ws_row, size.ws_col);
    getmaxyx(stdscr, *rows, *columns);
  }
  pthread_mutex_unlock(&mcurses_mutex);
}

void mcurses_cell(int *width, int *height) {
  struct winsize size;
  *width = 0;
  *height = 0;
  if (ioctl(mcurses_output, TIOCGWINSZ, &size) != 0 || size.ws_row == 0 || size.ws_col == 0) return;
  *width = size.ws_xpixel / size.ws_col;
  *height = size.ws_ypixel / size.ws_row;
}

void mcurses_blank(int row) {
  pthread_mutex_lock(&mcurses_mutex);
  if (screen != NULL) {
    attrset(A_NORMAL);
    if (move(row, 0) == OK) clrtoeol();
  }
  pthread_mutex_unlock(&mcurses_mutex);
}

static attr_t attributes(int style) {
  attr_t result = A_NORMAL;
  if (style & mcurses_bold) result |= A_BOLD;
  if (style & mcurses_dim) result |= A_DIM;
  if (style & mcurses_underlined) result |= A_UNDERLINE;
  if (style & mcurses_reversed) result |= A_REVERSE;
  return result;
}

void mcurses_put(int row, int column, const char *text, int length, int style) {
  wchar_t wide[put_max];
  int count = 0;
  mbstate_t state;
  memset(&state, 0, sizeof state);
  while (length > 0 && count < put_max) {
    size_t step = mbrtowc(&wide[count], text, (size_t)length, &state);
    if (step == (size_t)-1 || step == (size_t)-2) {
      wide[count] = replacement;
      memset(&state, 0, sizeof state);
      step = 1;
    }
    if (step == 0 || wcwidth(wide[count]) < 0) wide[count] = replacement;
    if (step == 0) step = 1;
    text += step;
    length -= (int)step;
    count += 1;
  }
  pthread_mutex_lock(&mcurses_mutex);
  if (screen != NULL && row < LINES && column < COLS) {
    attr_set(attributes(style), (short)(shows_colors ? style & 7 : 0), NULL);
    mvaddnwstr(row, column, wide, count);
  }
  pthread_mutex_unlock(&mcurses_mutex);
}

void mcurses_show(int row, int column) {
  pthread_mutex_lock(&mcurses_mutex);
  if (screen != NULL) {
    curs_set(row < 0 ? 0 : 1);
    if (row >= 0) move(row, column);
    refresh();
  }
  pthread_mutex_unlock(&mcurses_mutex);
}

void mcurses_send(const char *bytes, int length) {
  pthread_mutex_lock(&mcurses_mutex);
  if (screen != NULL) {
    has_images = true;
    mcurses_write_bytes(bytes, (size_t)length);
  }
  pthread_mutex_unlock(&mcurses_mutex);
}

void mcurses_repaint(void) {
  pthread_mutex_lock(&mcurses_mutex);
  if (screen != NULL) clearok(curscr, TRUE);
  pthread_mutex_unlock(&mcurses_mutex);
}

void mcurses_beep(void) {
  pthread_mutex_lock(&mcurses_mutex);
  if (screen != NULL) beep();
  pthread_mutex_unlock(&mcurses_mutex);
}

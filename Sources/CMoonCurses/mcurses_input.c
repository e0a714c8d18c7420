// Reading keys, the mouse and signals.

#define NCURSES_WIDECHAR 1
#define _GNU_SOURCE

#include "mcurses_internal.h"

#include <curses.h>
#include <errno.h>
#include <poll.h>
#include <unistd.h>

// The paste that is under way, or the last one.
static uint32_t pasted[mcurses_paste_max];
static int pasted_count;
static bool is_pasting;

const uint32_t *mcurses_paste(int *count) {
  *count = pasted_count;
  return pasted;
}

static mcurses_event event(mcurses_kind kind, uint32_t code) {
  mcurses_event result = {kind, code, 0, 0};
  return result;
}

static mcurses_event mouse_event(void) {
  MEVENT mouse;
  if (getmouse(&mouse) != OK) return event(mcurses_key, mcurses_other);
  mcurses_event result = {mcurses_pressed, 0, mouse.y, mouse.x};
  if (mouse.bstate & BUTTON4_PRESSED) result.kind = mcurses_wheel_up;
  if (mouse.bstate & BUTTON5_PRESSED) result.kind = mcurses_wheel_down;
  return result;
}

static mcurses_event key_event(uint32_t code) {
  switch (code) {
    case KEY_UP: return event(mcurses_key, mcurses_up);
    case KEY_DOWN: return event(mcurses_key, mcurses_down);
    case KEY_LEFT: return event(mcurses_key, mcurses_left);
    case KEY_RIGHT: return event(mcurses_key, mcurses_right);
    case KEY_HOME: return event(mcurses_key, mcurses_home);
    case KEY_END: return event(mcurses_key, mcurses_end);
    case KEY_PPAGE: return event(mcurses_key, mcurses_page_up);
    case KEY_NPAGE: return event(mcurses_key, mcurses_page_down);
    case KEY_BACKSPACE: return event(mcurses_key, mcurses_backspace);
    case KEY_DC: return event(mcurses_key, mcurses_delete);
    case KEY_BTAB: return event(mcurses_key, mcurses_back_tab);
    case KEY_ENTER: return event(mcurses_key, mcurses_enter);
    case mcurses_key_word_left: return event(mcurses_key, mcurses_word_left);
    case mcurses_key_word_right: return event(mcurses_key, mcurses_word_right);
    case KEY_SLEFT: return event(mcurses_key, mcurses_select_left);
    case KEY_SRIGHT: return event(mcurses_key, mcurses_select_right);
    case KEY_SR: return event(mcurses_key, mcurses_select_up);
    case KEY_SF: return event(mcurses_key, mcurses_select_down);
    case KEY_SHOME: return event(mcurses_key, mcurses_select_home);
    case KEY_SEND: return event(mcurses_key, mcurses_select_end);
    case KEY_RESIZE: return event(mcurses_resized, 0);
    case KEY_MOUSE: return mouse_event();
    default: break;
  }
  if (code > KEY_F0 && code <= KEY_F(63)) return event(mcurses_key, code - KEY_F0);
  return event(mcurses_key, mcurses_other);
}

// A key that has been pressed already.
static mcurses_event pressed_key(void) {
  mcurses_event result = event(mcurses_nothing, 0);
  wint_t code = 0;
  pthread_mutex_lock(&mcurses_mutex);
  if (mcurses_is_open()) {
    int kind = get_wch(&code);
    while (kind != ERR) {
      bool is_mark = kind == KEY_CODE_YES;
      if (is_mark && code == mcurses_key_paste_begins) {
        is_pasting = true;
        pasted_count = 0;
      } else if (!is_pasting) {
        break;
      } else if (is_mark && code == mcurses_key_paste_ends) {
        is_pasting = false;
        pthread_mutex_unlock(&mcurses_mutex);
        return event(mcurses_pasted, 0);
      } else if (kind == OK && pasted_count < mcurses_paste_max) {
        pasted[pasted_count++] = (uint32_t)code;
      }
      kind = get_wch(&code);
    }
    if (kind == KEY_CODE_YES) result = key_event((uint32_t)code);
    if (kind == OK) result = event(mcurses_character, (uint32_t)code);
  } else {
    result = event(mcurses_gone, 0);
  }
  pthread_mutex_unlock(&mcurses_mutex);
  return result;
}

static mcurses_event signal_event(void) {
  char bytes[64];
  bool is_woken = false;
  while (true) {
    ssize_t count = read(mcurses_wake_source(), bytes, 1);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return event(is_woken ? mcurses_woken : mcurses_nothing, 0);
    if (bytes[0] == 'w' || bytes[0] == 'c') return event(mcurses_resized, bytes[0] == 'c');
    if (bytes[0] == 's') return event(mcurses_stop, 0);
    is_woken = true;
  }
}

mcurses_event mcurses_next(bool waits) {
  while (true) {
    mcurses_event result = signal_event();
    if (result.kind == mcurses_nothing) result = pressed_key();
    if (result.kind != mcurses_nothing || !waits) return result;
    struct pollfd sources[2] = {
        {mcurses_input, POLLIN, 0},
        {mcurses_wake_source(), POLLIN, 0},
    };
    if (poll(sources, 2, -1) < 0 && errno != EINTR) return event(mcurses_gone, 0);
    if (sources[0].revents & (POLLHUP | POLLERR | POLLNVAL)) return event(mcurses_gone, 0);
  }
}

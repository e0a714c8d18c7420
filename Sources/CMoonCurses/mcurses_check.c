// What a type of terminal can do. Apart, since term.h makes macros of common words.

#include "mcurses_internal.h"

#include <curses.h>
#include <term.h>

mcurses_problem mcurses_check(int output, const char *terminal) {
  int code = 0;
  if (terminal == NULL || *terminal == '\0') return mcurses_unknown;
  if (setupterm((char *)terminal, output, &code) != OK) return mcurses_unknown;
  const char *movement = tigetstr((char *)"cup");
  bool can_move = movement != NULL && movement != (char *)-1;
  del_curterm(cur_term);
  return can_move ? mcurses_fine : mcurses_plain;
}

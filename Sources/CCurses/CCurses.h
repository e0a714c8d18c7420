#ifndef CCURSES_H
#define CCURSES_H

#include <curses.h>

#endif

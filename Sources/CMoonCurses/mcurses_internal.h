// What the files of this target share.

#ifndef MCURSES_INTERNAL_H
#define MCURSES_INTERNAL_H

#include "CMoonCurses.h"

#include <pthread.h>
#include <stddef.h>

// Codes of keys that terminals don't have; ncurses gives others up to a few hundred.
enum {
  mcurses_key_paste_begins = 60001,
  mcurses_key_paste_ends,
  mcurses_key_word_left,
  mcurses_key_word_right,
};

extern pthread_mutex_t mcurses_mutex;

// The descriptors of the terminal.
extern int mcurses_input;
extern int mcurses_output;

// Whether the terminal is taken. Call with the mutex held.
bool mcurses_is_open(void);

// Installs the handlers of signals about the terminal, and of crashes; false without descriptors.
bool mcurses_begin_signals(void);
void mcurses_end_signals(void);

// The end of the pipe that signals and `mcurses_wake` write to.
int mcurses_wake_source(void);

// Writes to the terminal, beside ncurses.
void mcurses_write(const char *text);
void mcurses_write_bytes(const char *bytes, size_t count);

#endif

// Signals about the terminal, and the terminal's recovery when the program crashes.

#define _GNU_SOURCE

#include "mcurses_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

enum { watched_count = 3, crash_count = 6 };
static const int watched[watched_count] = {SIGWINCH, SIGTSTP, SIGCONT};
static const int crashes[crash_count] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP};

static struct sigaction previous[watched_count];
static struct sigaction previous_crash[crash_count];
static atomic_int wake_ends[2] = {-1, -1};
static struct termios modes;
static atomic_bool is_watching;

// The ordinary screen, with its cursor, without pasting and the mouse's reports.
static const char recovery[] =
    "\033[?1000l\033[?1002l\033[?1003l\033[?1006l\033[?2004l\033[?1l\033>\033[?1049l\033[?25h\033["
    "0m"
    "\r\n";

void mcurses_write(const char *text) { mcurses_write_bytes(text, strlen(text)); }

void mcurses_write_bytes(const char *bytes, size_t count) {
  while (count > 0) {
    ssize_t written = write(mcurses_output, bytes, count);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return;
    bytes += written;
    count -= (size_t)written;
  }
}

// The handler. Calls nothing but write, which is safe in a handler.
static void tell(int number) {
  int saved = errno;
  char byte = number == SIGWINCH ? 'w' : number == SIGTSTP ? 's' : 'c';
  ssize_t ignored = write(atomic_load(&wake_ends[1]), &byte, 1);
  (void)ignored;
  if (number == SIGCONT) {
    void (*own)(int) = previous[2].sa_handler;
    if (own != SIG_DFL && own != SIG_IGN) own(number);
  }
  errno = saved;
}

// Gives the terminal back; when the handler returns, the signal has the effect that it had before.
static void recover(int number) {
  mcurses_write(recovery);
  tcsetattr(mcurses_input, TCSANOW, &modes);
  for (int i = 0; i < crash_count; i++) {
    if (crashes[i] == number) sigaction(number, &previous_crash[i], NULL);
  }
  raise(number);
}

bool mcurses_begin_signals(void) {
  int ends[2];
  if (atomic_load(&wake_ends[0]) < 0) {
    if (pipe2(ends, O_CLOEXEC | O_NONBLOCK) != 0) return false;
    atomic_store(&wake_ends[0], ends[0]);
    atomic_store(&wake_ends[1], ends[1]);
  }
  tcgetattr(mcurses_input, &modes);
  struct sigaction action;
  memset(&action, 0, sizeof action);
  sigemptyset(&action.sa_mask);
  action.sa_flags = SA_RESTART;
  action.sa_handler = tell;
  for (int i = 0; i < watched_count; i++) {
    sigaction(watched[i], NULL, &previous[i]);
    if (previous[i].sa_handler != SIG_IGN) sigaction(watched[i], &action, NULL);
  }
  // A stack that has overflowed has no room for a handler.
  action.sa_flags = SA_ONSTACK;
  action.sa_handler = recover;
  for (int i = 0; i < crash_count; i++) {
    sigaction(crashes[i], NULL, &previous_crash[i]);
    if (previous_crash[i].sa_handler != SIG_IGN) sigaction(crashes[i], &action, NULL);
  }
  atomic_store(&is_watching, true);
  return true;
}

void mcurses_end_signals(void) {
  bool was_watching = true;
  if (!atomic_compare_exchange_strong(&is_watching, &was_watching, false)) return;
  for (int i = 0; i < watched_count; i++) sigaction(watched[i], &previous[i], NULL);
  for (int i = 0; i < crash_count; i++) sigaction(crashes[i], &previous_crash[i], NULL);
}

int mcurses_wake_source(void) { return atomic_load(&wake_ends[0]); }

void mcurses_wake(void) {
  char byte = 'k';
  // A full pipe wakes the reader, too.
  ssize_t ignored = write(atomic_load(&wake_ends[1]), &byte, 1);
  (void)ignored;
}

// Waiting for typed characters and for wake-ups at the same time.

#include "medit_internal.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

// Whether the bytes begin a bracketed paste. Returns the length of its sequence, 0 when it isn't
// one, -1 when it may become one. Never waits after Escape, alone or with a bracket: that is a key.
// A binding can't do this, because a bound sequence would make the Escape key useless with vi's
// keys.
static int paste_start(const unsigned char *bytes, size_t count) {
  static const char sequence[] = "\033[200~";
  size_t length = sizeof sequence - 1;
  if (count < 3) return 0;
  if (memcmp(bytes, sequence, count < length ? count : length) != 0) return 0;
  return count < length ? -1 : (int)length;
}

// Takes the next character out of the bytes read so far; bytes that aren't valid UTF-8 are dropped.
// Returns false when more bytes are needed.
static bool take_character(medit *m, wchar_t *character) {
  while (m->pending_count > 0) {
    const unsigned char *bytes = m->pending + m->pending_from;
    int used = paste_start(bytes, m->pending_count);
    if (used < 0) return false;
    if (used > 0) {
      *character = medit_paste_character;
    } else {
      used = medit_decode(bytes, m->pending_count, character);
    }
    if (used == 0) return false;
    size_t step = used < 0 ? 1 : (size_t)used;
    m->pending_from += step;
    m->pending_count -= step;
    if (used > 0) return true;
  }
  return false;
}

// Reads the available bytes. Returns 1 if there were some or more may come, 0 at the end, -1 on an
// error.
static int fill(medit *m) {
  memmove(m->pending, m->pending + m->pending_from, m->pending_count);
  m->pending_from = 0;
  ssize_t count =
      read(m->input, m->pending + m->pending_count, sizeof m->pending - m->pending_count);
  if (count < 0) return errno == EINTR || errno == EAGAIN ? 1 : -1;
  m->pending_count += (size_t)count;
  return count > 0 ? 1 : 0;
}

// Handles each kind of byte in the pipe once.
static void answer_wake(medit *m) {
  char bytes[256];
  bool print = false;
  bool resized = false;
  bool stop = false;
  bool continued = false;
  ssize_t count;
  while ((count = read(m->wake[0], bytes, sizeof bytes)) > 0) {
    size_t size = (size_t)count;
    print |= memchr(bytes, medit_wake_print, size) != NULL;
    resized |= memchr(bytes, medit_wake_resized, size) != NULL;
    stop |= memchr(bytes, medit_wake_stop, size) != NULL;
    continued |= memchr(bytes, medit_wake_continued, size) != NULL;
  }
  if (stop) {
    medit_suspend(m);
  } else if (continued && !m->resumed) {
    medit_resume(m);
  } else if (continued) {
    m->resumed = false;
  }
  if (resized) medit_resize(m);
  if (print) m->callbacks.wake(m->callbacks.context);
}

int medit_get_character(EditLine *el, wchar_t *character) {
  medit *m = medit_of(el);
  *character = L'\0';
  medit_look_at_line(m);
  for (;;) {
    if (take_character(m, character)) {
      m->touched = true;
      return 1;
    }
    if (m->touched) {
      m->touched = false;
      medit_settle(m);
    }
    struct pollfd sources[2] = {
        {.fd = m->wake[0], .events = POLLIN},
        {.fd = m->input, .events = POLLIN},
    };
    if (poll(sources, 2, -1) < 0) {
      if (errno == EINTR || errno == EAGAIN) continue;
      return -1;
    }
    if (sources[0].revents != 0) answer_wake(m);
    if (sources[1].revents != 0) {
      int result = fill(m);
      if (result <= 0) return result;
    }
  }
}

bool medit_take_late_interrupt(medit *m) {
  int count = 0;
  while (ioctl(m->input, FIONREAD, &count) == 0 && count > 0 &&
         m->pending_count < sizeof m->pending && fill(m) > 0) {
  }
  const unsigned char *bytes = m->pending + m->pending_from;
  const unsigned char *found = memchr(bytes, 0x03, m->pending_count);
  // A paste, and some keys, may have this byte inside.
  if (found == NULL || memchr(bytes, '\033', (size_t)(found - bytes)) != NULL) return false;
  // As a terminal does, it drops what was typed before.
  size_t used = (size_t)(found - bytes) + 1;
  m->pending_from += used;
  m->pending_count -= used;
  return true;
}

// Opening, reading and closing.

#include "medit_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

medit *medit_of(EditLine *el) {
  void *data = NULL;
  el_get(el, EL_CLIENTDATA, &data);
  return data;
}

// libedit's prompt callback. The editor keeps ownership of the string.
static char *prompt_of(EditLine *el) {
  static char none[] = "";
  medit *m = medit_of(el);
  return m != NULL && m->prompt != NULL ? m->prompt : none;
}

// A stream over a copy of a descriptor, so that closing it leaves the caller's open.
static FILE *stream_over(int descriptor, const char *mode) {
  int copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 3);
  if (copy < 0) return NULL;
  FILE *stream = fdopen(copy, mode);
  if (stream == NULL) close(copy);
  return stream;
}

// Opens the pipe, the streams and libedit. Returns false if one of them could not be opened.
static bool acquire(medit *m, const char *terminal) {
  if (!isatty(m->output)) return false;
  if (pipe2(m->wake, O_CLOEXEC | O_NONBLOCK) != 0) return false;
  m->in = stream_over(m->input, "r");
  m->out = stream_over(m->output, "w");
  if (m->in == NULL || m->out == NULL || !medit_open_drawing(m)) return false;
  // The copies, because closing the editor sets the terminal's modes. By then the caller may have
  // closed the originals, and the system may have reused their numbers.
  m->input = fileno(m->in);
  m->output = fileno(m->out);

  // libedit's message about an unknown terminal type goes into the drawing and is never shown,
  // since there is a fallback.
  m->el = el_init_fd("moonwire", m->in, m->drawing, m->drawing, m->input, m->output, m->output);
  if (m->el != NULL && el_set(m->el, EL_TERMINAL, terminal) != 0) {
    el_set(m->el, EL_TERMINAL, "xterm");
  }
  if (m->el != NULL) el_set(m->el, EL_SETFP, 2, m->out);
  return m->el != NULL;
}

medit *medit_open(int input, int output, const char *terminal, int history_max) {
  // Before libedit starts, because it asks the locale which keys are letters.
  medit_use_utf8();
  medit *m = calloc(1, sizeof *m);
  if (m == NULL) return NULL;
  m->input = input;
  m->output = output;
  m->wake[0] = m->wake[1] = -1;
  m->history = history_init();
  if (m->history == NULL || !acquire(m, terminal)) {
    medit_close(m);
    return NULL;
  }

  HistEvent event;
  history(m->history, &event, H_SETSIZE, history_max);
  el_set(m->el, EL_CLIENTDATA, m);
  el_set(m->el, EL_PROMPT_ESC, prompt_of, '\001');
  el_set(m->el, EL_HIST, history, m->history);
  el_set(m->el, EL_SIGNAL, 0);
  el_set(m->el, EL_GETCFN, medit_get_character);
  el_set(m->el, EL_EDITOR, "emacs");
  // While a line is typed, Ctrl-C, Ctrl-Z and Ctrl-\ arrive as characters, so that they need no
  // signal handlers. Between lines the terminal sends signals as usual.
  el_set(m->el, EL_SETTY, "-d", "-isig", NULL);
  medit_add_commands(m);
  medit_bind_comforts(m);
  medit_bind_essentials(m);
  return m;
}

void medit_set_callbacks(medit *m, medit_callbacks callbacks) { m->callbacks = callbacks; }

void medit_close(medit *m) {
  if (m == NULL) return;
  if (m->el != NULL) el_end(m->el);
  if (m->history != NULL) history_end(m->history);
  if (m->in != NULL) fclose(m->in);
  if (m->out != NULL) fclose(m->out);
  if (m->drawing != NULL) fclose(m->drawing);
  free(m->draft);
  if (m->wake[0] >= 0) close(m->wake[0]);
  if (m->wake[1] >= 0) close(m->wake[1]);
  free(m->prompt);
  free(m->line);
  free(m);
}

void medit_source(medit *m, const char *path) {
  el_source(m->el, path);
  // The user's file may have chosen another key map ("bind -v"), which drops these bindings.
  medit_bind_essentials(m);
}

void medit_remember(medit *m, const char *entry) {
  HistEvent event;
  history(m->history, &event, H_ENTER, entry);
}

void medit_wake(const medit *m) {
  const char byte = medit_wake_print;
  // A full pipe means that a wake-up is already pending.
  while (write(m->wake[1], &byte, 1) < 0 && errno == EINTR) {
  }
}

void medit_set_prompt(medit *m, const char *prompt) {
  char *copy = strdup(prompt);
  // Keeps the old prompt if memory runs out.
  if (copy == NULL) return;
  free(m->prompt);
  m->prompt = copy;
}

// Copies libedit's result without its final newline. Returns false if memory runs out.
static bool keep_line(medit *m, const char *text, size_t *length) {
  size_t count = strlen(text);
  if (count > 0 && text[count - 1] == '\n') count -= 1;
  char *copy = malloc(count + 1);
  if (copy == NULL) return false;
  memcpy(copy, text, count);
  copy[count] = '\0';
  free(m->line);
  m->line = copy;
  *length = count;
  return true;
}

medit_outcome medit_read(medit *m, const char *prompt, const char **line, size_t *length) {
  free(m->prompt);
  m->prompt = strdup(prompt);
  m->interrupted = false;
  m->quit = false;
  m->touched = true;
  m->shown_row = 0;
  m->looked_at_count = -1;
  fflush(m->drawing);
  m->draft_count = 0;
  // Before the prompt is drawn, so that no key typed at it is echoed or sends a signal.
  el_set(m->el, EL_PREP_TERM, 1);
  medit_begin_paste_mode(m);
  medit_watch_signals(m);
  int count = 0;
  const char *text = el_gets(m->el, &count);
  medit_finish_line(m);
  medit_unwatch_signals(m);
  medit_end_paste_mode(m);
  if (m->interrupted)
    return m->interrupted_empty ? medit_outcome_interrupted_empty : medit_outcome_interrupted;
  if (m->quit) return medit_outcome_quit;
  if (text == NULL || count <= 0 || !keep_line(m, text, length)) {
    // The shell's prompt must begin in a new row.
    fputs("\r\n", m->out);
    fflush(m->out);
    return medit_outcome_end;
  }
  *line = m->line;
  if (medit_take_late_interrupt(m)) {
    fputs("^C\r\n", m->out);
    fflush(m->out);
    return medit_outcome_interrupted;
  }
  return medit_outcome_line;
}

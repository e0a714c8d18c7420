// peer: libcurl alone -- the floor for requests. It makes the same calls as moon.http: one thread,
// the multi interface with epoll, at most 32 connections to a host, an address looked up before,
// headers, limits and decompression. There are 100 senders; each sends one request at a time.
//   bench_curl URL COUNT
// build: gcc -O2 bench_curl.c -o bench_curl -lcurl
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <curl/curl.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { senders = 100, spare_max = 32, event_max = 64 };

static CURLM *multi;
static int sockets;
static long wake = -1;
static long left_to_send, done;
static const char *url;
static char resolve[300];

typedef struct {
  CURL *easy;
  struct curl_slist *headers, *addresses;
  char error[CURL_ERROR_SIZE];
  char *body;
  size_t size, capacity;
} request;

static double now(int clock) {
  struct timespec t;
  clock_gettime(clock, &t);
  return t.tv_sec + t.tv_nsec * 1e-9;
}

static size_t on_head(char *bytes, size_t size, size_t count, void *context) {
  (void)bytes, (void)context;
  return size * count;
}

static size_t on_body(char *bytes, size_t size, size_t count, void *context) {
  request *r = context;
  size_t more = size * count;
  if (r->size + more > r->capacity) {
    r->capacity = (r->size + more) * 2;
    r->body = realloc(r->body, r->capacity);
    if (r->body == NULL) exit(1);
  }
  memcpy(r->body + r->size, bytes, more);
  r->size += more;
  return more;
}

static curl_socket_t open_socket(void *context, curlsocktype purpose, struct curl_sockaddr *a) {
  (void)context, (void)purpose;
  char text[INET6_ADDRSTRLEN];
  if (a->family == AF_INET)
    inet_ntop(AF_INET, &((struct sockaddr_in *)&a->addr)->sin_addr, text, sizeof text);
  return socket(a->family, a->socktype | SOCK_CLOEXEC, a->protocol);
}

static int before(void *context, char *address, char *local, int port, int local_port) {
  (void)context, (void)address, (void)local, (void)port, (void)local_port;
  return CURL_PREREQFUNC_OK;
}

static int on_socket(CURL *easy, curl_socket_t socket, int what, void *context, void *known) {
  (void)easy, (void)context;
  struct epoll_event event = {.data.fd = socket};
  if (what == CURL_POLL_REMOVE) {
    epoll_ctl(sockets, EPOLL_CTL_DEL, socket, &event);
    return 0;
  }
  if (what & CURL_POLL_IN) event.events |= EPOLLIN;
  if (what & CURL_POLL_OUT) event.events |= EPOLLOUT;
  epoll_ctl(sockets, known ? EPOLL_CTL_MOD : EPOLL_CTL_ADD, socket, &event);
  if (!known) curl_multi_assign(multi, socket, &sockets);
  return 0;
}

static int on_timer(CURLM *m, long milliseconds, void *context) {
  (void)m, (void)context;
  wake = milliseconds < 0 ? -1 : (long)(now(CLOCK_MONOTONIC) * 1e3) + milliseconds;
  return 0;
}

static void begin(request *r) {
  if (left_to_send == 0) return;
  left_to_send--;
  curl_slist_free_all(r->headers);
  curl_slist_free_all(r->addresses);
  r->headers = curl_slist_append(NULL, "Expect:");
  curl_slist_append(r->headers, "Content-Type:");
  curl_slist_append(r->headers, "accept: */*");
  curl_slist_append(r->headers, "user-agent: moonwire");
  r->addresses = curl_slist_append(NULL, resolve);
  r->size = 0;
  CURL *e = r->easy;
  curl_easy_setopt(e, CURLOPT_HEADERFUNCTION, on_head);
  curl_easy_setopt(e, CURLOPT_HEADERDATA, r);
  curl_easy_setopt(e, CURLOPT_WRITEFUNCTION, on_body);
  curl_easy_setopt(e, CURLOPT_WRITEDATA, r);
  curl_easy_setopt(e, CURLOPT_OPENSOCKETFUNCTION, open_socket);
  curl_easy_setopt(e, CURLOPT_OPENSOCKETDATA, r);
  curl_easy_setopt(e, CURLOPT_PREREQFUNCTION, before);
  curl_easy_setopt(e, CURLOPT_PREREQDATA, r);
  curl_easy_setopt(e, CURLOPT_PRIVATE, r);
  curl_easy_setopt(e, CURLOPT_URL, url);
  curl_easy_setopt(e, CURLOPT_NOBODY, 0L);
  curl_easy_setopt(e, CURLOPT_CUSTOMREQUEST, "GET");
  curl_easy_setopt(e, CURLOPT_HTTPGET, 1L);
  curl_easy_setopt(e, CURLOPT_HTTPHEADER, r->headers);
  curl_easy_setopt(e, CURLOPT_RESOLVE, r->addresses);
  curl_easy_setopt(e, CURLOPT_CONNECTTIMEOUT_MS, 10000L);
  curl_easy_setopt(e, CURLOPT_FRESH_CONNECT, 0L);
  curl_easy_setopt(e, CURLOPT_CONNECT_ONLY, 0L);
  curl_easy_setopt(e, CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_2TLS);
  curl_easy_setopt(e, CURLOPT_ACCEPT_ENCODING, "gzip, deflate");
  curl_multi_add_handle(multi, e);
}

static void collect(void) {
  int left;
  CURLMsg *message;
  while ((message = curl_multi_info_read(multi, &left)) != NULL) {
    request *r = NULL;
    curl_easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, (char **)&r);
    if (message->data.result == CURLE_OK && r->size > 0) done++;
    curl_multi_remove_handle(multi, r->easy);
    curl_easy_setopt(r->easy, CURLOPT_POSTFIELDS, NULL);
    curl_easy_setopt(r->easy, CURLOPT_HTTPGET, 1L);
    begin(r);
  }
}

int main(int argc, char **argv) {
  if (argc < 3) return 2;
  url = argv[1];
  long count = left_to_send = atol(argv[2]);
  int port = 80;
  sscanf(url, "http://localhost:%d", &port);
  snprintf(resolve, sizeof resolve, "+localhost:%d:127.0.0.1", port);
  curl_global_init(CURL_GLOBAL_DEFAULT);
  multi = curl_multi_init();
  sockets = epoll_create1(EPOLL_CLOEXEC);
  curl_multi_setopt(multi, CURLMOPT_MAX_HOST_CONNECTIONS, 32L);
  curl_multi_setopt(multi, CURLMOPT_MAX_TOTAL_CONNECTIONS, 256L);
  curl_multi_setopt(multi, CURLMOPT_SOCKETFUNCTION, on_socket);
  curl_multi_setopt(multi, CURLMOPT_TIMERFUNCTION, on_timer);
  double wall = now(CLOCK_MONOTONIC), processor = now(CLOCK_PROCESS_CPUTIME_ID);
  for (int i = 0; i < senders; i++) {
    request *r = calloc(1, sizeof *r);
    if (r == NULL || (r->easy = curl_easy_init()) == NULL) return 1;
    curl_easy_setopt(r->easy, CURLOPT_ERRORBUFFER, r->error);
    curl_easy_setopt(r->easy, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(r->easy, CURLOPT_PROXY, "");
    curl_easy_setopt(r->easy, CURLOPT_PATH_AS_IS, 1L);
    curl_easy_setopt(r->easy, CURLOPT_MAXAGE_CONN, 30L);
    begin(r);
  }
  int running = 1;
  struct epoll_event events[event_max];
  while (done < count) {
    long wait = wake < 0 ? -1 : wake - (long)(now(CLOCK_MONOTONIC) * 1e3);
    if (wake >= 0 && wait <= 0) {
      wake = -1;
      curl_multi_socket_action(multi, CURL_SOCKET_TIMEOUT, 0, &running);
      collect();
      continue;
    }
    int ready = epoll_wait(sockets, events, event_max, (int)wait);
    for (int i = 0; i < ready; i++) {
      int action = 0;
      if (events[i].events & EPOLLIN) action |= CURL_CSELECT_IN;
      if (events[i].events & EPOLLOUT) action |= CURL_CSELECT_OUT;
      if (events[i].events & (EPOLLERR | EPOLLHUP)) action |= CURL_CSELECT_ERR;
      curl_multi_socket_action(multi, events[i].data.fd, action, &running);
      collect();
    }
    if (running == 0 && left_to_send == 0 && done < count) return 1;
  }
  printf(
      "{\"peer\":\"libcurl\",\"workload\":\"client\",\"n\":%ld,\"wall_s\":%f,\"cpu_s\":%f,\"done\":"
      "%ld}\n",
      count, now(CLOCK_MONOTONIC) - wall, now(CLOCK_PROCESS_CPUTIME_ID) - processor, done);
  return 0;
}

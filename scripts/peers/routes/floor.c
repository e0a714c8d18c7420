// The floor of `scripts/bench routes`: the cost of matching with nothing around it. It has one hash
// table of (node, component), and in each node a child for a parameter and a route for a wildcard.
// A literal precedes a parameter, which precedes a wildcard; captures are slices of the URL. It
// answers with the route's number and checks nothing.
//
//   floor FILE SECONDS      one line of JSON
#define _GNU_SOURCE
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

typedef struct {
  const char *start;
  uint32_t length;
} slice;

typedef struct {
  const char *text; // NULL: free
  uint32_t length, hash, parent, child;
} edge;

typedef struct {
  int32_t parameter, route, wildcard; // -1: none
} node;

typedef struct {
  const char *url, *parameters;
  int route;
} visit;

enum { CAPTURES_MAX = 16 };

static edge *edges;
static uint32_t edge_count, edge_capacity;
static node *nodes;
static uint32_t node_count, node_capacity;
static slice captures[CAPTURES_MAX];
static int capture_count;

static void *must(void *memory) {
  if (!memory) abort();
  return memory;
}

static uint32_t make_node(void) {
  if (node_count == node_capacity) {
    node_capacity = node_capacity ? node_capacity * 2 : 1024;
    nodes = must(realloc(nodes, node_capacity * sizeof *nodes));
  }
  nodes[node_count] = (node){-1, -1, -1};
  return node_count++;
}

static inline uint64_t load(const char *bytes, uint32_t count) {
  uint64_t word = 0;
  memcpy(&word, bytes, count);
  return word;
}

static inline uint32_t hash(uint32_t parent, slice part) {
  uint64_t state = parent * 0x9E3779B97F4A7C15u ^ part.length;
  const char *bytes = part.start;
  for (uint32_t left = part.length; left > 0;) {
    uint32_t count = left < 8 ? left : 8;
    state = (state ^ (count == 8 ? load(bytes, 8) : load(bytes, count))) * 0xff51afd7ed558ccdu;
    state ^= state >> 32;
    bytes += count;
    left -= count;
  }
  return (uint32_t)(state * 0xc4ceb9fe1a85ec53u >> 32);
}

static inline edge *find(uint32_t parent, slice part, uint32_t hashed) {
  for (uint32_t i = hashed & (edge_capacity - 1);; i = (i + 1) & (edge_capacity - 1)) {
    edge *it = &edges[i];
    if (!it->text) return it;
    if (it->hash == hashed && it->parent == parent && it->length == part.length &&
        memcmp(it->text, part.start, part.length) == 0)
      return it;
  }
}

static void grow(void) {
  edge *old = edges;
  uint32_t count = edge_capacity;
  edge_capacity = count ? count * 2 : 1024;
  edges = must(calloc(edge_capacity, sizeof *edges));
  for (uint32_t i = 0; i < count; i++)
    if (old[i].text)
      *find(old[i].parent, (slice){old[i].text, old[i].length}, old[i].hash) = old[i];
  free(old);
}

static uint32_t literal_child(uint32_t parent, slice part) {
  if (edge_count * 2 >= edge_capacity) grow();
  uint32_t hashed = hash(parent, part);
  edge *it = find(parent, part, hashed);
  if (!it->text) {
    *it = (edge){part.start, part.length, hashed, parent, make_node()};
    edge_count++;
  }
  return it->child;
}

static void add(const char *pattern, int route) {
  uint32_t at = 0;
  for (const char *start = pattern + 1;;) {
    const char *end = strchrnul(start, '/');
    if (*start == '*') {
      nodes[at].wildcard = route;
      return;
    }
    if (*start == ':') {
      if (nodes[at].parameter < 0) {
        uint32_t child = make_node();
        nodes[at].parameter = (int32_t)child;
      }
      at = (uint32_t)nodes[at].parameter;
    } else {
      at = literal_child(at, (slice){start, (uint32_t)(end - start)});
    }
    if (!*end) break;
    start = end + 1;
  }
  nodes[at].route = route;
}

// `start` is where a component begins.
static int match(uint32_t at, const char *start) {
  const char *end = strchrnul(start, '/');
  slice part = {start, (uint32_t)(end - start)};
  edge *it = find(at, part, hash(at, part));
  if (it->text) {
    int route = *end ? match(it->child, end + 1) : nodes[it->child].route;
    if (route >= 0) return route;
  }
  if (nodes[at].parameter >= 0 && part.length > 0 && capture_count < CAPTURES_MAX) {
    uint32_t child = (uint32_t)nodes[at].parameter;
    int before = capture_count;
    captures[capture_count++] = part;
    int route = *end ? match(child, end + 1) : nodes[child].route;
    if (route >= 0) return route;
    capture_count = before;
  }
  if (nodes[at].wildcard >= 0 && capture_count < CAPTURES_MAX)
    captures[capture_count++] = (slice){start, (uint32_t)strlen(start)};
  return nodes[at].wildcard;
}

static int is_right(const visit *it) {
  capture_count = 0;
  int route = match(0, it->url + 1);
  if (route != it->route) return 0;
  if (route < 0) return 1;
  const char *pair = it->parameters;
  for (int i = 0; i < capture_count; i++) {
    const char *value = strchr(pair, '=');
    if (!value || strncmp(value + 1, captures[i].start, captures[i].length) != 0) return 0;
    pair = value + 1 + captures[i].length;
    if (*pair == '&') pair++;
  }
  return *pair == 0;
}

static double processor_time(void) {
  struct timespec time;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static long resident_kilobytes(void) {
  long size = 0, resident = 0;
  FILE *file = fopen("/proc/self/statm", "r");
  if (!file) return 0;
  if (fscanf(file, "%ld %ld", &size, &resident) != 2) resident = 0;
  fclose(file);
  return resident * (sysconf(_SC_PAGESIZE) / 1024);
}

static char *contents(const char *path) {
  FILE *file = fopen(path, "r");
  if (!file || fseek(file, 0, SEEK_END) != 0) return NULL;
  long size = ftell(file);
  rewind(file);
  char *text = must(malloc((size_t)size + 1));
  if (fread(text, 1, (size_t)size, file) != (size_t)size) return NULL;
  text[size] = 0;
  fclose(file);
  return text;
}

int main(int count, char **arguments) {
  char *text = count == 3 ? contents(arguments[1]) : NULL;
  if (!text) {
    puts("usage: floor FILE SECONDS");
    return 64;
  }
  size_t lines = 0;
  for (const char *it = text; *it; it++) lines += *it == '\n';
  const char **patterns = must(calloc(lines + 1, sizeof *patterns));
  visit *visits = must(calloc(lines + 1, sizeof *visits));
  int pattern_count = 0, visit_count = 0;
  for (char *rest = text, *line; (line = strsep(&rest, "\n")) && *line;) {
    char *kind = strsep(&line, "\t"), *first = strsep(&line, "\t"), *second = strsep(&line, "\t");
    if (*kind == 'P')
      patterns[pattern_count++] = second;
    else
      visits[visit_count++] = (visit){first, line, atoi(second)};
  }

  long resident = resident_kilobytes();
  double start = processor_time();
  make_node();
  for (int i = 0; i < pattern_count; i++) add(patterns[i], i);
  double build = processor_time() - start;
  long memory = resident_kilobytes() - resident;

  int wrong = 0;
  for (int i = 0; i < visit_count; i++) wrong += !is_right(&visits[i]);

  double seconds = atof(arguments[2]), used = 0;
  long matched = 0;
  volatile long sum = 0;
  start = processor_time();
  while (visit_count > 0 && used < seconds) {
    for (int i = 0; i < visit_count; i++) {
      capture_count = 0;
      sum += match(0, visits[i].url + 1);
    }
    matched += visit_count;
    used = processor_time() - start;
  }
  printf(
      "{\"peer\":\"hash trie in C (floor)\",\"build_ms\":%.2f,\"ns_match\":%.2f,"
      "\"rss_kb\":%ld,\"wrong\":%d,\"rejected\":0}\n",
      build * 1e3, used / (double)matched * 1e9, memory, wrong);
}

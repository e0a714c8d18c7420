// A disk that fails on demand, below SQLite: every call for a file whose path has `faulty_mark` in
// it is counted, and a chosen one fails.
#ifndef FAULTY_DISK_H
#define FAULTY_DISK_H

#include <stdint.h>

// What the chosen call does.
enum faulty_mode {
  // It fails and does nothing; the calls after it succeed.
  faulty_once = 0,
  // A write does its first half and fails; any other call as with faulty_once.
  faulty_half = 1,
  // It fails, and so do all writes after it: the disk is full.
  faulty_full = 2,
};

// Makes the disk SQLite's default; returns an SQLite result code. It can be called repeatedly.
int faulty_install(void);

// Begins to count anew; the call with this number fails, or none if it is 0.
void faulty_arm(int64_t number, enum faulty_mode mode);

// The number of calls since.
int64_t faulty_count(void);

#endif

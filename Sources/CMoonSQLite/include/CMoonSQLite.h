// The settings of SQLite that are variadic calls, for Swift.

#ifndef CMOONSQLITE_H
#define CMOONSQLITE_H

#include <sqlite3.h>

// Protects a connection from its file, which anyone may have written: no function of the schema
// runs, and no trigger or view. With `is_defensive`, SQL can't damage the file either, which leaves
// out `PRAGMA writable_schema`. Returns SQLITE_OK, or the code of the first setting that failed.
int msqlite_distrust(sqlite3 *connection, int is_defensive);

#endif

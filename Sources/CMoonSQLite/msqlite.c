#include "CMoonSQLite.h"

#include <stddef.h>

int msqlite_distrust(sqlite3 *connection, int is_defensive) {
  const int settings[][2] = {
      {SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0},
      {SQLITE_DBCONFIG_ENABLE_TRIGGER, 0},
      {SQLITE_DBCONFIG_ENABLE_VIEW, 0},
      {SQLITE_DBCONFIG_DEFENSIVE, is_defensive},
  };
  for (size_t i = 0; i < sizeof settings / sizeof settings[0]; i++) {
    int code = sqlite3_db_config(connection, settings[i][0], settings[i][1], (int *)NULL);
    if (code != SQLITE_OK) {
      return code;
    }
  }
  return SQLITE_OK;
}

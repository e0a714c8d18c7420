// The files that new apps and modules begin with, as they are when the program is built.

#include "CMoonTemplates.h"

// From C23, which this compiler has.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char shared_gitignore[] = {
#embed "shared/.gitignore"
};
static const unsigned char minimal_README[] = {
#embed "minimal/README.md"
};
static const unsigned char minimal_counter[] = {
#embed "minimal/counter.lua"
};
static const unsigned char minimal_tests_counter[] = {
#embed "minimal/tests/counter.lua"
};
static const unsigned char tabs_README[] = {
#embed "tabs/README.md"
};
static const unsigned char tabs_app[] = {
#embed "tabs/app.lua"
};
static const unsigned char tabs_settings[] = {
#embed "tabs/settings.lua"
};
static const unsigned char tabs_tasks[] = {
#embed "tabs/tasks.lua"
};
static const unsigned char tabs_lib_text[] = {
#embed "tabs/lib/text.lua"
};
static const unsigned char tabs_tests_settings[] = {
#embed "tabs/tests/settings.lua"
};
static const unsigned char tabs_tests_tasks[] = {
#embed "tabs/tests/tasks.lua"
};
static const unsigned char service_README[] = {
#embed "service/README.md"
};
static const unsigned char service_jobs[] = {
#embed "service/jobs.lua"
};
static const unsigned char service_tests_jobs[] = {
#embed "service/tests/jobs.lua"
};
static const unsigned char module_feature[] = {
#embed "module/feature.lua"
};
static const unsigned char module_tests_feature[] = {
#embed "module/tests/feature.lua"
};
static const unsigned char screen_feature[] = {
#embed "screen/feature.lua"
};
static const unsigned char screen_tests_feature[] = {
#embed "screen/tests/feature.lua"
};

#define FILE_OF(template, path, text) \
  { template, path, text, sizeof text }

static const mtemplatefile all[] = {
    FILE_OF("shared", ".gitignore", shared_gitignore),
    FILE_OF("minimal", "README.md", minimal_README),
    FILE_OF("minimal", "counter.lua", minimal_counter),
    FILE_OF("minimal", "tests/counter.lua", minimal_tests_counter),
    FILE_OF("tabs", "README.md", tabs_README),
    FILE_OF("tabs", "app.lua", tabs_app),
    FILE_OF("tabs", "settings.lua", tabs_settings),
    FILE_OF("tabs", "tasks.lua", tabs_tasks),
    FILE_OF("tabs", "lib/text.lua", tabs_lib_text),
    FILE_OF("tabs", "tests/settings.lua", tabs_tests_settings),
    FILE_OF("tabs", "tests/tasks.lua", tabs_tests_tasks),
    FILE_OF("service", "README.md", service_README),
    FILE_OF("service", "jobs.lua", service_jobs),
    FILE_OF("service", "tests/jobs.lua", service_tests_jobs),
    FILE_OF("module", "feature.lua", module_feature),
    FILE_OF("module", "tests/feature.lua", module_tests_feature),
    FILE_OF("screen", "feature.lua", screen_feature),
    FILE_OF("screen", "tests/feature.lua", screen_tests_feature),
};

const mtemplatefile *mtemplatefiles(size_t *count) {
  *count = sizeof all / sizeof *all;
  return all;
}

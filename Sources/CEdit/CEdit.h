#ifndef CEDIT_H
#define CEDIT_H

#include <histedit.h>

#endif

// The 8-bit library is the one this package uses.
#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

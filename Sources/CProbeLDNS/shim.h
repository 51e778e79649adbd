// Before the library, which otherwise has a bool of its own.
#include <stdbool.h>

#include <ldns/ldns.h>

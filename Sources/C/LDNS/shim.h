// Included before the library, which otherwise defines its own bool.
#include <stdbool.h>

#include <ldns/ldns.h>

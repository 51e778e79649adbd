#include "CProbeBuild.h"

#include <stddef.h>

#define TEXT_OF(tokens) #tokens
#define TEXT(macro) TEXT_OF(macro)

const char *probekit_build_commit(void) {
#ifdef PROBEKIT_COMMIT
  return TEXT(PROBEKIT_COMMIT);
#else
  return NULL;
#endif
}

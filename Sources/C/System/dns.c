#define _GNU_SOURCE
#include "CProbeSystem.h"

#include <netdb.h>

int probe_no_address_of_family(void) {
#ifdef EAI_NODATA
  return EAI_NODATA;
#else
  return EAI_NONAME;
#endif
}

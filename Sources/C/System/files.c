#define _GNU_SOURCE
#include "CProbeSystem.h"
#include <fcntl.h>

int probe_open_place_only(void) { return O_PATH; }

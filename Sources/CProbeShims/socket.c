#define _GNU_SOURCE
#include "CProbeShims.h"

#include <sys/socket.h>

int probe_accept_cloexec(int listener) { return accept4(listener, NULL, NULL, SOCK_CLOEXEC); }

#define _GNU_SOURCE
#include "CProbeShims.h"

#include <linux/sockios.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

int probe_accept_cloexec(int listener) { return accept4(listener, NULL, NULL, SOCK_CLOEXEC); }

int probe_accept_nonblocking(int listener) {
  return accept4(listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
}

int probe_unacknowledged(int socket) {
  int count = 0;
  return ioctl(socket, SIOCOUTQ, &count) == 0 ? count : -1;
}

#define _GNU_SOURCE
#include "CProbeShims.h"

#include <fcntl.h>
#include <linux/sockios.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

int probe_accept_cloexec(int listener) { return accept4(listener, NULL, NULL, SOCK_CLOEXEC); }

int probe_accept_nonblocking(int listener) {
  return accept4(listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
}

int probe_duplicate_onto(int descriptor, int replaced) { return dup3(descriptor, replaced, O_CLOEXEC); }

int probe_unacknowledged(int socket) {
  int count = 0;
  return ioctl(socket, SIOCOUTQ, &count) == 0 ? count : -1;
}

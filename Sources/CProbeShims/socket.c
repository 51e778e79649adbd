#define _GNU_SOURCE
#include "CProbeShims.h"

#include <fcntl.h>
#include <linux/sockios.h>
#include <netinet/in.h>
#include <string.h>
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

ssize_t probe_receive_with_hop_limit(int socket, void *buffer, size_t size, int *limit) {
  union {
    struct cmsghdr header;
    char room[CMSG_SPACE(sizeof(int))];
  } control;
  struct iovec part = {.iov_base = buffer, .iov_len = size};
  struct msghdr message = {
      .msg_iov = &part, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
  *limit = -1;
  ssize_t count = recvmsg(socket, &message, 0);
  if (count < 0) return count;
  for (struct cmsghdr *next = CMSG_FIRSTHDR(&message); next; next = CMSG_NXTHDR(&message, next)) {
    bool isV4 = next->cmsg_level == IPPROTO_IP && next->cmsg_type == IP_TTL;
    bool isV6 = next->cmsg_level == IPPROTO_IPV6 && next->cmsg_type == IPV6_HOPLIMIT;
    if ((isV4 || isV6) && next->cmsg_len >= CMSG_LEN(sizeof(int))) memcpy(limit, CMSG_DATA(next), sizeof(int));
  }
  return count;
}

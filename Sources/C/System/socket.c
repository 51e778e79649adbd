#define _GNU_SOURCE
#include "CProbeSystem.h"

#include <fcntl.h>
#include <linux/errqueue.h>
#include <linux/icmp.h>
#include <linux/sockios.h>
#include <netinet/icmp6.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

const int probe_stream = SOCK_STREAM;
const int probe_datagram = SOCK_DGRAM;
const int probe_raw = SOCK_RAW;

int probe_open_socket(int family, int type, int protocol) {
  return socket(family, type | SOCK_CLOEXEC | SOCK_NONBLOCK, protocol);
}

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

bool probe_receive_only_icmp(int socket, bool is_v6, int type) {
  if (is_v6) {
    struct icmp6_filter filter;
    ICMP6_FILTER_SETBLOCKALL(&filter);
    if (type >= 0) ICMP6_FILTER_SETPASS(type, &filter);
    return setsockopt(socket, IPPROTO_ICMPV6, ICMP6_FILTER, &filter, sizeof filter) == 0;
  }
  // A bit for each discarded type (raw(7)).
  struct icmp_filter filter = {.data = type < 0 ? ~0U : ~(1U << type)};
  return setsockopt(socket, SOL_RAW, ICMP_FILTER, &filter, sizeof filter) == 0;
}

ssize_t probe_receive_error(int socket, void *buffer, size_t size, int *error) {
  union {
    struct cmsghdr header;
    // The error, and the address of the machine that reported it.
    char room[CMSG_SPACE(sizeof(struct sock_extended_err) + sizeof(struct sockaddr_in6)) + CMSG_SPACE(sizeof(int))];
  } control;
  struct iovec part = {.iov_base = buffer, .iov_len = size};
  struct msghdr message = {
      .msg_iov = &part, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
  *error = 0;
  ssize_t count = recvmsg(socket, &message, MSG_ERRQUEUE | MSG_DONTWAIT);
  if (count < 0) return count;
  for (struct cmsghdr *next = CMSG_FIRSTHDR(&message); next; next = CMSG_NXTHDR(&message, next)) {
    bool isV4 = next->cmsg_level == IPPROTO_IP && next->cmsg_type == IP_RECVERR;
    bool isV6 = next->cmsg_level == IPPROTO_IPV6 && next->cmsg_type == IPV6_RECVERR;
    struct sock_extended_err reported;
    if (!(isV4 || isV6) || next->cmsg_len < CMSG_LEN(sizeof reported)) continue;
    memcpy(&reported, CMSG_DATA(next), sizeof reported);
    if (reported.ee_origin != SO_EE_ORIGIN_LOCAL) *error = (int)reported.ee_errno;
  }
  return count;
}

#define _GNU_SOURCE
#include "CProbeShims.h"

#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

static ares_socket_t open_socket(int family, int type, int protocol, void *user) {
  probe_ares_sockets *sockets = user;
  int descriptor = socket(family, type | SOCK_CLOEXEC | SOCK_NONBLOCK, protocol);
  sockets->error = descriptor < 0 ? errno : 0;
  if (descriptor >= 0 && type == SOCK_STREAM) {
    int on = 1;
    setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  }
  if (descriptor >= 0 && type == SOCK_DGRAM) {
    // All lookups share the socket: the responses to hundreds of queries may arrive before the thread reads them.
    int size = 1 << 20;
    if (setsockopt(descriptor, SOL_SOCKET, SO_RCVBUFFORCE, &size, sizeof size) != 0)
      setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &size, sizeof size);
  }
  return descriptor;
}

static int close_socket(ares_socket_t descriptor, void *user) {
  (void)user;
  return close(descriptor);
}

static int connect_socket(ares_socket_t descriptor, const struct sockaddr *address, ares_socklen_t size,
                          void *user) {
  (void)user;
  return connect(descriptor, address, size);
}

static ares_ssize_t receive(ares_socket_t descriptor, void *bytes, size_t size, int flags, struct sockaddr *from,
                            ares_socklen_t *from_size, void *user) {
  probe_ares_sockets *sockets = user;
  ares_ssize_t count = recvfrom(descriptor, bytes, size, flags, from, from_size);
  int code = count >= 4 ? ((const unsigned char *)bytes)[3] & 0xF : -1;
  if (from != NULL) {
    // A datagram.
    sockets->code = code;
  } else if (size <= 2) {
    // The length before a response on a stream.
    sockets->code = -1;
    sockets->begins = true;
  } else if (sockets->begins) {
    sockets->code = code;
    sockets->begins = false;
  }
  return count;
}

static bool is_datagram(int descriptor) {
  int type = 0;
  socklen_t size = sizeof type;
  return getsockopt(descriptor, SOL_SOCKET, SO_TYPE, &type, &size) == 0 && type == SOCK_DGRAM;
}

static ares_ssize_t send_parts(ares_socket_t descriptor, const struct iovec *parts, int count, void *user) {
  (void)user;
  struct msghdr message = {.msg_iov = (struct iovec *)parts, .msg_iovlen = (size_t)count};
  ssize_t sent = sendmsg(descriptor, &message, MSG_NOSIGNAL);
  // On a UDP socket, this is the error of an earlier query (udp(7)). Another attempt sends this one, and the response to
  // it shows the error to c-ares, which then ends all queries to the server.
  if (sent < 0 && errno == ECONNREFUSED && is_datagram(descriptor))
    sent = sendmsg(descriptor, &message, MSG_NOSIGNAL);
  return sent;
}

void probe_ares_open_sockets(ares_channel channel, probe_ares_sockets *sockets) {
  static const struct ares_socket_functions functions = {
      .asocket = open_socket,
      .aclose = close_socket,
      .aconnect = connect_socket,
      .arecvfrom = receive,
      .asendv = send_parts,
  };
  sockets->code = -1;
  ares_set_socket_functions(channel, &functions, sockets);
}

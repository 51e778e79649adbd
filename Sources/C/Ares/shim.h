#include <ares.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdbool.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

// Information about a channel's sockets.
typedef struct {
  // The errno of the last socket if it could not be opened, or 0.
  int error;
  // The code of the response being read (RFC 1035 §4.1.1), or -1.
  int code;
  // Whether the next bytes of a stream are the first of a response.
  bool begins;
} probe_ares_sockets;

static inline ares_socket_t probe_ares_socket(int family, int type, int protocol, void *_Nullable user) {
  probe_ares_sockets *sockets = (probe_ares_sockets *)user;
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

static inline int probe_ares_close(ares_socket_t descriptor, void *_Nullable user) {
  (void)user;
  return close(descriptor);
}

static inline int probe_ares_connect(ares_socket_t descriptor, const struct sockaddr *_Nonnull address,
                                     ares_socklen_t size, void *_Nullable user) {
  (void)user;
  return connect(descriptor, address, size);
}

static inline ares_ssize_t probe_ares_receive(ares_socket_t descriptor, void *_Nonnull bytes, size_t size,
                                              int flags, struct sockaddr *_Nullable from,
                                              ares_socklen_t *_Nullable from_size, void *_Nullable user) {
  probe_ares_sockets *sockets = (probe_ares_sockets *)user;
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

static inline bool probe_ares_is_datagram(int descriptor) {
  int type = 0;
  socklen_t size = sizeof type;
  return getsockopt(descriptor, SOL_SOCKET, SO_TYPE, &type, &size) == 0 && type == SOCK_DGRAM;
}

static inline ares_ssize_t probe_ares_send(ares_socket_t descriptor, const struct iovec *_Nonnull parts,
                                        int count,
                                           void *_Nullable user) {
  (void)user;
  struct msghdr message = {.msg_iov = (struct iovec *)parts, .msg_iovlen = (size_t)count};
  ssize_t sent = sendmsg(descriptor, &message, MSG_NOSIGNAL);
  // On a UDP socket, this is the error of an earlier query (udp(7)). Another attempt sends this one, and the response to
  // it shows the error to c-ares, which then ends all queries to the server.
  if (sent < 0 && errno == ECONNREFUSED && probe_ares_is_datagram(descriptor))
    sent = sendmsg(descriptor, &message, MSG_NOSIGNAL);
  return sent;
}

// Makes the channel open its sockets with close-on-exec set and send without SIGPIPE, and keeps *sockets up to date.
static inline void probe_ares_open_sockets(ares_channel _Nonnull channel,
                                        probe_ares_sockets *_Nonnull sockets) {
  static const struct ares_socket_functions functions = {
      .asocket = probe_ares_socket,
      .aclose = probe_ares_close,
      .aconnect = probe_ares_connect,
      .arecvfrom = probe_ares_receive,
      .asendv = probe_ares_send,
  };
  sockets->code = -1;
  ares_set_socket_functions(channel, &functions, sockets);
}

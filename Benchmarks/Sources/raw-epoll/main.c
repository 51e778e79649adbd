// Yardstick: the limit of the machine. HTTP probes over bare sockets and epoll, with one thread and no library; with a
// file of authorities over bare OpenSSL, with full and verified handshakes.
//
// usage: raw-epoll ADDRESS PORT PATH COUNT CONCURRENCY [CA-FILE]
// Writes one line of JSON: seconds, CPU seconds, peak memory in KiB, the number of probes that failed or had a status
// other than 2xx.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "CUsage.h"

enum { EVENTS = 256, HEAD = 16, BUFFER = 64 * 1024 };

struct probe {
  int descriptor;
  SSL *tls;
  int is_sent;
  int head_size;
  char head[HEAD];
};

static struct sockaddr_in address;
static char request[1024];
static int request_size;
static int queue;
static SSL_CTX *context;

static void give_up(const char *what) {
  fprintf(stderr, "raw-epoll: %s: %s\n", what, strerror(errno));
  exit(70);
}

static void trust(const char *authorities) {
  context = SSL_CTX_new(TLS_client_method());
  if (!context || SSL_CTX_load_verify_file(context, authorities) != 1)
    give_up(authorities);
  SSL_CTX_set_verify(context, SSL_VERIFY_PEER, NULL);
  SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
  SSL_CTX_set_mode(context, SSL_MODE_RELEASE_BUFFERS);
}

static SSL *new_tls(int descriptor, const char *host) {
  SSL *tls = SSL_new(context);
  if (!tls || SSL_set_fd(tls, descriptor) != 1 || X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(tls), host) != 1)
    give_up("OpenSSL");
  SSL_set_connect_state(tls);
  return tls;
}

static void finish(struct probe *probe) {
  if (probe->tls)
    SSL_free(probe->tls);
  close(probe->descriptor);
}

// Like send(2) and recv(2), but over TLS if it is used; the first call does the handshake.
static ssize_t send_all(struct probe *probe) {
  if (!probe->tls)
    return send(probe->descriptor, request, request_size, MSG_NOSIGNAL);
  ERR_clear_error();
  int count = SSL_write(probe->tls, request, request_size);
  if (count > 0)
    return count;
  int code = SSL_get_error(probe->tls, count);
  errno = code == SSL_ERROR_WANT_READ || code == SSL_ERROR_WANT_WRITE ? EAGAIN : EPROTO;
  return -1;
}

static ssize_t receive(struct probe *probe, char *buffer, int room) {
  if (!probe->tls)
    return recv(probe->descriptor, buffer, room, 0);
  ERR_clear_error();
  int count = SSL_read(probe->tls, buffer, room);
  if (count > 0)
    return count;
  switch (SSL_get_error(probe->tls, count)) {
  case SSL_ERROR_ZERO_RETURN:
    return 0;
  case SSL_ERROR_WANT_READ:
  case SSL_ERROR_WANT_WRITE:
    errno = EAGAIN;
    return -1;
  default:
    errno = EPROTO;
    return -1;
  }
}

static void start(struct probe *probe, const char *host) {
  *probe = (struct probe){.descriptor = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0)};
  if (probe->descriptor < 0)
    give_up("socket");
  if (connect(probe->descriptor, (struct sockaddr *)&address, sizeof address) && errno != EINPROGRESS)
    give_up("connect");
  if (context)
    probe->tls = new_tls(probe->descriptor, host);
  struct epoll_event event = {.events = EPOLLIN | EPOLLOUT | EPOLLET, .data.ptr = probe};
  if (epoll_ctl(queue, EPOLL_CTL_ADD, probe->descriptor, &event))
    give_up("epoll_ctl");
}

// Whether the probe has ended; *failed counts those without a 2xx response.
static int proceed(struct probe *probe, long *failed) {
  static char buffer[BUFFER];
  if (!probe->is_sent) {
    ssize_t sent = send_all(probe);
    if (sent < 0 && (errno == EAGAIN || errno == ENOTCONN))
      return 0;
    if (sent != request_size) {
      (*failed)++;
      return 1;
    }
    probe->is_sent = 1;
  }
  while (1) {
    ssize_t count = receive(probe, buffer, sizeof buffer);
    if (count < 0 && errno == EAGAIN)
      return 0;
    if (count <= 0) {
      // The request asks the server to close, so the end of the connection is the end of the response.
      if (count < 0 || probe->head_size < HEAD || memcmp(probe->head, "HTTP/1.1 2", 10) != 0)
        (*failed)++;
      return 1;
    }
    for (ssize_t i = 0; i < count && probe->head_size < HEAD; i++)
      probe->head[probe->head_size++] = buffer[i];
  }
}

int main(int argc, char **argv) {
  long left = argc > 5 ? atol(argv[4]) : 0;
  long concurrency = argc > 5 ? atol(argv[5]) : 0;
  address.sin_family = AF_INET;
  if (left < 1 || concurrency < 1 || inet_pton(AF_INET, argv[1], &address.sin_addr) != 1) {
    fprintf(stderr, "usage: raw-epoll ADDRESS PORT PATH COUNT CONCURRENCY [CA-FILE]\n");
    return 64;
  }
  address.sin_port = htons(atoi(argv[2]));
  const char *format = "GET %s HTTP/1.1\r\nHost: %s:%s\r\nConnection: close\r\n\r\n";
  request_size = snprintf(request, sizeof request, format, argv[3], argv[1], argv[2]);
  if (request_size >= (int)sizeof request) {
    fprintf(stderr, "raw-epoll: the path is too long\n");
    return 64;
  }
  if (argc > 6)
    trust(argv[6]);
  // OpenSSL writes with write(2).
  signal(SIGPIPE, SIG_IGN);
  long failed = 0, open = 0;
  struct probe *probes = calloc(concurrency, sizeof *probes);
  struct epoll_event events[EVENTS];
  queue = epoll_create1(EPOLL_CLOEXEC);
  if (!probes || queue < 0)
    give_up("no memory or descriptor");
  struct usage began = usage_now();
  for (; open < concurrency && left > 0; left--, open++)
    start(&probes[open], argv[1]);
  while (open > 0) {
    int count = epoll_wait(queue, events, EVENTS, 5000);
    if (count < 0 && errno == EINTR)
      continue;
    if (count < 0)
      give_up("epoll_wait");
    if (count == 0) {
      errno = ETIMEDOUT;
      give_up("no answer");
    }
    for (int i = 0; i < count; i++) {
      struct probe *probe = events[i].data.ptr;
      if (!proceed(probe, &failed))
        continue;
      finish(probe);
      open--;
      if (left > 0) {
        left--;
        open++;
        start(probe, argv[1]);
      }
    }
  }
  struct usage end = usage_now();
  printf("{\"seconds\":%.6f,\"cpu\":%.6f,\"peakKiB\":%ld,\"failed\":%ld}\n", end.seconds - began.seconds,
         end.cpu - began.cpu, usage_peak_kib(), failed);
  SSL_CTX_free(context);
  free(probes);
  return 0;
}

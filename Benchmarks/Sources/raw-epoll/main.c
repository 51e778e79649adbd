// Yardstick: what the machine allows. Plain HTTP probes over bare sockets and epoll, one thread, no library.
//
// usage: raw-epoll ADDRESS PORT PATH COUNT CONCURRENCY
// Writes one line of JSON: seconds, CPU seconds, peak memory in KiB, how many probes failed or had another
// status than 2xx.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
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
  int is_sent;
  int head_size;
  char head[HEAD];
};

static struct sockaddr_in address;
static char request[1024];
static int request_size;
static int queue;

static void give_up(const char *what) {
  fprintf(stderr, "raw-epoll: %s: %s\n", what, strerror(errno));
  exit(70);
}

static void start(struct probe *probe) {
  *probe = (struct probe){.descriptor = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0)};
  if (probe->descriptor < 0)
    give_up("socket");
  if (connect(probe->descriptor, (struct sockaddr *)&address, sizeof address) && errno != EINPROGRESS)
    give_up("connect");
  struct epoll_event event = {.events = EPOLLIN | EPOLLOUT | EPOLLET, .data.ptr = probe};
  if (epoll_ctl(queue, EPOLL_CTL_ADD, probe->descriptor, &event))
    give_up("epoll_ctl");
}

// Whether the probe is over; *failed counts those without a 2xx answer.
static int proceed(struct probe *probe, long *failed) {
  static char buffer[BUFFER];
  if (!probe->is_sent) {
    ssize_t sent = send(probe->descriptor, request, request_size, MSG_NOSIGNAL);
    if (sent < 0 && (errno == EAGAIN || errno == ENOTCONN))
      return 0;
    if (sent != request_size) {
      (*failed)++;
      return 1;
    }
    probe->is_sent = 1;
  }
  while (1) {
    ssize_t count = recv(probe->descriptor, buffer, sizeof buffer, 0);
    if (count < 0 && errno == EAGAIN)
      return 0;
    if (count <= 0) {
      // The request asks the server to close, so the end of the connection is the end of the answer.
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
    fprintf(stderr, "usage: raw-epoll ADDRESS PORT PATH COUNT CONCURRENCY\n");
    return 64;
  }
  address.sin_port = htons(atoi(argv[2]));
  const char *format = "GET %s HTTP/1.1\r\nHost: %s:%s\r\nConnection: close\r\n\r\n";
  request_size = snprintf(request, sizeof request, format, argv[3], argv[1], argv[2]);
  if (request_size >= (int)sizeof request) {
    fprintf(stderr, "raw-epoll: the path is too long\n");
    return 64;
  }
  long failed = 0, open = 0;
  struct probe *probes = calloc(concurrency, sizeof *probes);
  struct epoll_event events[EVENTS];
  queue = epoll_create1(EPOLL_CLOEXEC);
  if (!probes || queue < 0)
    give_up("no memory or descriptor");
  struct usage began = usage_now();
  for (; open < concurrency && left > 0; left--, open++)
    start(&probes[open]);
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
      close(probe->descriptor);
      open--;
      if (left > 0) {
        left--;
        open++;
        start(probe);
      }
    }
  }
  struct usage end = usage_now();
  printf("{\"seconds\":%.6f,\"cpu\":%.6f,\"peakKiB\":%ld,\"failed\":%ld}\n", end.seconds - began.seconds,
         end.cpu - began.cpu, usage_peak_kib(), failed);
  free(probes);
  return 0;
}

// A slow server: it responds to each request after a fixed delay, and closes the connection.
//
// usage: slow-server ADDRESS MILLISECONDS [MILLISECONDS-OF-EACH-20TH]
// Writes one line of JSON: its port. It has one thread; requests with the same delay are answered in order.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { EVENTS = 256, WAITING = 1 << 16 };

static const char answer[] =
    "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 8\r\nConnection: close\r\n\r\nSuccess\n";
// Waiting requests with the same delay.
struct queue {
  int64_t delay;
  struct {
    int64_t due;
    int descriptor;
  } waiting[WAITING];
  size_t first, last;
};
static struct queue usual, late;

static void fail(const char *what) {
  perror(what);
  exit(1);
}

static int64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * INT64_C(1000000) + time.tv_nsec / 1000;
}

static void watch(int poller, int descriptor, uint32_t events) {
  struct epoll_event event = {.events = events, .data.fd = descriptor};
  if (epoll_ctl(poller, EPOLL_CTL_ADD, descriptor, &event) != 0)
    fail("epoll_ctl");
}

static void accept_all(int poller, int listener) {
  int accepted;
  while ((accepted = accept4(listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK)) >= 0)
    watch(poller, accepted, EPOLLIN | EPOLLONESHOT);
}

// Puts a connection with a request into the queue. A client that sends nothing and closes has only connected.
static void take(int descriptor) {
  static char received[16 * 1024];
  static long taken;
  if (recv(descriptor, received, sizeof received, 0) <= 0) {
    close(descriptor);
    return;
  }
  struct queue *queue = ++taken % 20 == 0 ? &late : &usual;
  if (queue->last - queue->first == WAITING) {
    fprintf(stderr, "slow-server: too many requests are waiting\n");
    exit(70);
  }
  queue->waiting[queue->last % WAITING].due = now() + queue->delay;
  queue->waiting[queue->last++ % WAITING].descriptor = descriptor;
}

// The microseconds until the first request of a queue is due.
static int64_t left(const struct queue *queue) {
  return queue->first < queue->last ? queue->waiting[queue->first % WAITING].due - now() : INT64_MAX;
}

static void answer_due(struct queue *queue) {
  int64_t moment = now();
  while (queue->first < queue->last && queue->waiting[queue->first % WAITING].due <= moment) {
    int descriptor = queue->waiting[queue->first++ % WAITING].descriptor;
    (void)!send(descriptor, answer, sizeof answer - 1, MSG_NOSIGNAL);
    close(descriptor);
  }
}

int main(int count, char **arguments) {
  int64_t delay = count == 3 || count == 4 ? atol(arguments[2]) * INT64_C(1000) : -1;
  usual.delay = delay;
  late.delay = count == 4 ? atol(arguments[3]) * INT64_C(1000) : delay;
  struct sockaddr_in address = {.sin_family = AF_INET};
  if (delay < 0 || late.delay < 0 || inet_pton(AF_INET, arguments[1], &address.sin_addr) != 1) {
    fputs("usage: slow-server ADDRESS MILLISECONDS [MILLISECONDS-OF-EACH-20TH]\n", stderr);
    return 64;
  }
  int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  socklen_t length = sizeof address;
  if (listener < 0 || bind(listener, (struct sockaddr *)&address, length) != 0 || listen(listener, 16384) != 0 ||
      getsockname(listener, (struct sockaddr *)&address, &length) != 0)
    fail("socket");
  printf("{\"http\":%d}\n", ntohs(address.sin_port));
  fflush(stdout);

  int poller = epoll_create1(EPOLL_CLOEXEC);
  watch(poller, listener, EPOLLIN);
  struct epoll_event events[EVENTS];
  for (;;) {
    int64_t wait = left(&usual) < left(&late) ? left(&usual) : left(&late);
    int timeout = wait == INT64_MAX ? -1 : wait <= 0 ? 0 : (int)((wait + 999) / 1000);
    int happened = epoll_wait(poller, events, EVENTS, timeout);
    for (int index = 0; index < happened; index++) {
      int descriptor = events[index].data.fd;
      if (descriptor == listener)
        accept_all(poller, listener);
      else
        take(descriptor);
    }
    answer_due(&usual);
    answer_due(&late);
  }
}

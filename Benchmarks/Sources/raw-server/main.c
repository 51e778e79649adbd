// Yardstick: the limit of the machine for a server with one thread. It answers whatever it receives with the bytes of a
// file, and parses nothing.
//
// usage: raw-server FILE
// Writes one line of JSON: its port.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

static char answer[1 << 20];
static char received[64 * 1024];

static void fail(const char *what) {
  perror(what);
  exit(1);
}

static void watch(int poller, int descriptor) {
  struct epoll_event event = {.events = EPOLLIN, .data.fd = descriptor};
  if (epoll_ctl(poller, EPOLL_CTL_ADD, descriptor, &event) != 0)
    fail("epoll_ctl");
}

int main(int count, char **arguments) {
  if (count != 2) {
    fputs("usage: raw-server FILE\n", stderr);
    return 64;
  }
  FILE *file = fopen(arguments[1], "re");
  if (!file)
    fail(arguments[1]);
  size_t size = fread(answer, 1, sizeof answer, file);
  fclose(file);

  int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  socklen_t length = sizeof address;
  int on = 1;
  if (listener < 0 || setsockopt(listener, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on) != 0 ||
      bind(listener, (struct sockaddr *)&address, length) != 0 || listen(listener, 4096) != 0 ||
      getsockname(listener, (struct sockaddr *)&address, &length) != 0)
    fail("socket");
  printf("{\"http\":%d}\n", ntohs(address.sin_port));
  fflush(stdout);

  int poller = epoll_create1(EPOLL_CLOEXEC);
  watch(poller, listener);
  struct epoll_event events[256];
  for (;;) {
    int happened = epoll_wait(poller, events, 256, -1);
    for (int index = 0; index < happened; index++) {
      int descriptor = events[index].data.fd;
      if (descriptor == listener) {
        int accepted = accept4(listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
        if (accepted >= 0)
          watch(poller, accepted);
        continue;
      }
      if (recv(descriptor, received, sizeof received, 0) <= 0 ||
          send(descriptor, answer, size, MSG_NOSIGNAL) != (ssize_t)size)
        close(descriptor);
    }
  }
}

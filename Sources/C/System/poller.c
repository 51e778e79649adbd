#include "CProbeSystem.h"

#include <stddef.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>

const uint32_t probe_readable = EPOLLIN;
const uint32_t probe_writable = EPOLLOUT;
const uint32_t probe_broken = EPOLLERR | EPOLLHUP;
const uint32_t probe_peer_ended = EPOLLRDHUP;
const uint32_t probe_edge_triggered = EPOLLET;

int probe_poller_make(void) { return epoll_create1(EPOLL_CLOEXEC); }

static int control(int poller, int operation, int descriptor, uint32_t events, uint64_t id) {
  struct epoll_event event = {.events = events, .data.u64 = id};
  return epoll_ctl(poller, operation, descriptor, &event);
}

int probe_poller_add(int poller, int descriptor, uint32_t events, uint64_t id) {
  return control(poller, EPOLL_CTL_ADD, descriptor, events, id);
}

int probe_poller_change(int poller, int descriptor, uint32_t events, uint64_t id) {
  return control(poller, EPOLL_CTL_MOD, descriptor, events, id);
}

int probe_poller_remove(int poller, int descriptor) { return epoll_ctl(poller, EPOLL_CTL_DEL, descriptor, NULL); }

int probe_poller_wait(int poller, struct probe_event *events, int capacity, int milliseconds) {
  enum { most = 256 };
  struct epoll_event found[most];
  int count = epoll_wait(poller, found, capacity < most ? capacity : most, milliseconds);
  for (int index = 0; index < count; index++) {
    events[index].id = found[index].data.u64;
    events[index].events = found[index].events;
  }
  return count;
}

int probe_wake_descriptor(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }

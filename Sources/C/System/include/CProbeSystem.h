// Small C functions for what Swift cannot import from the C library: variadic functions, macros, and GNU extensions.
#ifndef C_PROBE_SYSTEM_H
#define C_PROBE_SYSTEM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

// The first occurrence of the needle in the haystack, or NULL, as by memmem(3).
const void *_Nullable probe_memmem(const void *_Nonnull haystack, size_t haystack_size,
                                   const void *_Nonnull needle, size_t needle_size);

// DNS and threads (dns.c, thread.c)

// The getaddrinfo(3) result for a name that exists without an address of the family; a GNU extension.
int probe_no_address_of_family(void);

// Names the calling thread for debuggers; at most 15 bytes.
void probe_name_this_thread(const char *_Nonnull name);

// Processes (process.c)

// The number of processors available to the process, at least 1.
int probe_usable_processors(void);

// Whether a new descriptor is one of the last available to the process. These are reserved: a name lookup needs several,
// and libdispatch ends a process in which it cannot open its own.
bool probe_descriptor_is_reserved(int descriptor);

// Makes all future threads share one heap; otherwise glibc reserves 64 MiB of address space for each.
void probe_share_one_heap(void);

// New processes (spawn.c)

// A program to start as a child process.
struct probe_program {
  // The path of its file.
  const char *_Nonnull path;
  // Its arguments, starting with its name, and its environment; both end with NULL.
  char *_Nullable const *_Nonnull arguments;
  char *_Nullable const *_Nonnull environment;
  // Its working directory; NULL for that of this process.
  const char *_Nullable folder;
  // Its standard descriptors; a negative input is empty. No others are open, and it has its own process group. If the
  // output is negative, it inherits all descriptors and the group of this process.
  int input, output, errors;
  // The data size limit of each of its processes in bytes, with core files disabled; 0 to inherit limits.
  uint64_t memory;
  // Whether it keeps the capabilities of this process; otherwise it has none but those of its user, without CAP_NET_RAW.
  bool keeps_capabilities;
  // Whether it and its descendants have no keys of the kernel, no io_uring, no sockets but those of their network
  // namespace, and no more rights than this process, whatever they execute.
  bool is_confined;
  // The socket on which it announces its group before it executes its file, as "SIGNAL GROUP\n", or -1; if it does not
  // start after all, "0 GROUP\n" follows. Without an output, it has no group to announce.
  int guard, orphan_signal;
};

// Starts a program without blocked or ignored signals, and returns its process ID, or -1 with the reason.
//
// Like posix_spawn(3), which cannot set limits or remove capabilities.
pid_t probe_spawn(const struct probe_program *_Nonnull program, int *_Nonnull error);

// A descriptor that becomes readable when a process has ended (pidfd_open(2)), or -1.
int probe_process_descriptor(pid_t process);

// pipe(2) with close-on-exec set atomically.
int probe_pipe(int *_Nonnull ends);

// The number of bytes in a pipe.
int probe_waiting_bytes(int descriptor);

// Files (files.c)

// The flag of open(2) for a path that is neither read nor written; a GNU extension.
int probe_open_place_only(void);

// Sockets (socket.c)

// The types of sockets.
extern const int probe_stream, probe_datagram, probe_raw;

// socket(2) for a nonblocking socket, with close-on-exec set atomically.
int probe_open_socket(int family, int type, int protocol);

// accept(2) with close-on-exec set atomically.
int probe_accept_cloexec(int listener);

// accept(2) as above, for a nonblocking socket.
int probe_accept_nonblocking(int listener);

// Replaces a descriptor by a duplicate of another one, with close-on-exec set (dup3(2)).
int probe_duplicate_onto(int descriptor, int replaced);

// The number of sent bytes on a TCP socket that the peer has not acknowledged, or a negative number.
int probe_unacknowledged(int socket);

// recv(2) on a datagram socket, with the remaining hop limit (TTL in IPv4) of the packet, or -1 if the system does not
// report it.
ssize_t probe_receive_with_hop_limit(int socket, void *_Nonnull buffer, size_t size, int *_Nonnull limit);

// Makes a raw socket discard ICMP messages of every type but one; of every type if it is negative.
bool probe_receive_only_icmp(int socket, bool is_v6, int type);

// The next datagram in a socket's error queue (recv(2), MSG_ERRQUEUE): its bytes as they were sent, and the error that
// the network reported for it, or 0 if this machine did. Returns -1 at the end of the queue.
ssize_t probe_receive_error(int socket, void *_Nonnull buffer, size_t size, int *_Nonnull error);

// Events on many descriptors (poller.c)

// The events of a descriptor, and the number with which it was added.
struct probe_event {
  uint64_t id;
  uint32_t events;
};

// The events of epoll(7).
extern const uint32_t probe_readable, probe_writable, probe_broken, probe_peer_ended, probe_edge_triggered;

// epoll_create1(2) with close-on-exec set, epoll_ctl(2) and epoll_wait(2), with their results.
int probe_poller_make(void);
int probe_poller_add(int poller, int descriptor, uint32_t events, uint64_t id);
int probe_poller_change(int poller, int descriptor, uint32_t events, uint64_t id);
int probe_poller_remove(int poller, int descriptor);
int probe_poller_wait(int poller, struct probe_event *_Nonnull events, int capacity, int milliseconds);

// A nonblocking eventfd(2) with close-on-exec set.
int probe_wake_descriptor(void);

#endif

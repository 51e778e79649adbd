// Small C functions that wrap what Swift cannot import: variadic functions, macros, and GNU extensions.
#ifndef C_PROBE_SHIMS_H
#define C_PROBE_SHIMS_H

// The headers of the modules CProbeAres and CProbeCurl. If the libraries' headers were included by their own names, the
// declarations would belong to this module too, and a Swift file that imports only one module might not see them.
#include "../../CProbeAres/shim.h"
#include "../../CProbeCurl/shim.h"
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
bool probe_is_among_the_last(int descriptor);

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

// libcurl (curl.c)

// curl_easy_setopt and curl_easy_getinfo, with one function for each type of value.
CURLcode probe_curl_set_long(CURL *_Nonnull easy, CURLoption option, long value);
CURLcode probe_curl_set_size(CURL *_Nonnull easy, CURLoption option, curl_off_t value);
CURLcode probe_curl_set_string(CURL *_Nonnull easy, CURLoption option, const char *_Nullable value);
CURLcode probe_curl_set_pointer(CURL *_Nonnull easy, CURLoption option, void *_Nullable value);
CURLcode probe_curl_set_list(CURL *_Nonnull easy, CURLoption option, struct curl_slist *_Nullable value);
// A cache of names for a single handle, instead of that of its multi handle; NULL without memory.
CURLSH *_Nullable probe_curl_make_names(void);
CURLcode probe_curl_set_receiver(CURL *_Nonnull easy, CURLoption option,
                                 curl_write_callback _Nonnull callback);
CURLcode probe_curl_set_tls_setup(CURL *_Nonnull easy, curl_ssl_ctx_callback _Nonnull callback);
long probe_curl_get_long(CURL *_Nonnull easy, CURLINFO info);
curl_off_t probe_curl_get_time(CURL *_Nonnull easy, CURLINFO info);
const char *_Nullable probe_curl_get_string(CURL *_Nonnull easy, CURLINFO info);
void *_Nullable probe_curl_get_pointer(CURL *_Nonnull easy);
curl_socket_t probe_curl_get_socket(CURL *_Nonnull easy);

// Sets the callbacks with which a multi handle reports the sockets to watch and its timer; NULL removes them.
void probe_curl_watch(CURLM *_Nonnull multi, curl_socket_callback _Nullable socket,
                      curl_multi_timer_callback _Nullable timer, void *_Nullable user);

// Sets a callback for when the connection is established, before anything is sent, and one that replaces close(2).
void probe_curl_hand_over(CURL *_Nonnull easy, curl_prereq_callback _Nonnull stands,
                          curl_closesocket_callback _Nonnull close, void *_Nonnull user);

// Sets a callback that is called periodically, and after each byte of a proxy's response to CONNECT; it returns 0 to
// continue.
void probe_curl_follow(CURL *_Nonnull easy, curl_xferinfo_callback _Nonnull callback, void *_Nonnull user);

// The version of the running libcurl, as 0xXXYYZZ.
unsigned probe_curl_version(void);

// The features of libcurl, as CURL_VERSION_… bits.
int probe_curl_features(void);

// Information about the sockets that a handle opened.
typedef struct {
  // The errno of a socket that could not be opened, or 0.
  int error;
  // The address for which the last socket was opened, as text; empty before the first.
  char address[46];
  // Its port.
  unsigned short port;
  // Returns whether to refuse an address, as text; NULL for no restriction.
  bool (*_Nullable refuses)(void *_Nullable user, const char *_Nonnull address);
  // The first argument of `refuses`.
  void *_Nullable user;
  // Whether an address was refused.
  bool refused;
  // Whether libcurl was refused another socket to repeat the request.
  unsigned char again;
  // The handle, and libcurl's error buffer.
  CURL *_Nullable easy;
  const char *_Nullable words;
} probe_curl_sockets;

// Makes the handle open its sockets with close-on-exec set, and keeps *sockets up to date.
//
// After a request is sent, no more sockets are opened: libcurl would repeat a request up to five times if the server
// refuses its stream (RFC 9113 §8.7), but the caller decides about retries. A fallback to HTTP/1.1 remains possible.
void probe_curl_open_sockets(CURL *_Nonnull easy, probe_curl_sockets *_Nonnull sockets);
const char *_Nonnull probe_curl_sockets_address(const probe_curl_sockets *_Nonnull sockets);

// c-ares (ares.c)

// Information about a channel's sockets.
typedef struct {
  // The errno of the last socket if it could not be opened, or 0.
  int error;
  // The code of the response being read (RFC 1035 §4.1.1), or -1.
  int code;
  // Whether the next bytes of a stream are the first of a response.
  bool begins;
} probe_ares_sockets;

// Makes the channel open its sockets with close-on-exec set and send without SIGPIPE, and keeps *sockets up to date.
void probe_ares_open_sockets(ares_channel _Nonnull channel, probe_ares_sockets *_Nonnull sockets);

// OpenSSL (openssl.c)

// The flags for X509_NAME_print_ex that result in one line in the format of RFC 2253, with non-ASCII letters as UTF-8.
unsigned long probe_distinguished_name_flags(void);

// The option for SSL_CTX_set_options that disables session tickets.
uint64_t probe_no_ticket_option(void);

// The option for SSL_CTX_set_options that makes a server choose cipher suites in its own order.
uint64_t probe_server_order_option(void);

// The options for SSL_CTX_set_options that result in the same ClientHello as libcurl's: with workarounds for bugs of
// servers, and without tickets and compression.
uint64_t probe_client_options(void);

// Sockets (socket.c)

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

// HTML (html.c)

// A parsed HTML page.
struct probe_html;

// Parses a page with gumbo; NULL if that takes too much memory, time or stack. The bytes must outlive the result.
struct probe_html *_Nullable probe_html_parse(const void *_Nullable bytes, size_t size);
// The page's document, a GumboNode.
const void *_Nullable probe_html_document(const struct probe_html *_Nonnull page);
// Frees the page and all its nodes.
void probe_html_free(struct probe_html *_Nonnull page);

#endif

// Small C functions for what Swift cannot import: variadic functions, macros, and GNU extensions.
#ifndef C_PROBE_SHIMS_H
#define C_PROBE_SHIMS_H

// The headers of the modules CProbeAres and CProbeCurl: included by their own names, the libraries' declarations would belong to
// this module and to those, and a Swift file that imports only one of them might not see them.
#include "../../CProbeAres/shim.h"
#include "../../CProbeCurl/shim.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

// The first place in the haystack where the needle stands, or NULL; as memmem(3).
const void *_Nullable probe_memmem(const void *_Nonnull haystack, size_t haystack_size,
                                   const void *_Nonnull needle, size_t needle_size);

// DNS and threads (dns.c, thread.c)

// The getaddrinfo(3) result for a name that exists without an address of the family; a GNU extension.
int probe_no_address_of_family(void);

// Names the calling thread for debuggers; at most 15 bytes.
void probe_name_this_thread(const char *_Nonnull name);

// Processes (process.c)

// How many processors the process may use, at least 1.
int probe_usable_processors(void);

// Whether a new descriptor is one of the last that the process may have, which are left to others: a name lookup takes
// several, and libdispatch ends a process in which it gets none for its own.
bool probe_is_among_the_last(int descriptor);

// Has all threads to come share one heap: glibc gives each 64 MiB of the address space otherwise.
void probe_share_one_heap(void);

// New processes (spawn.c)

// A program to start as a child process.
struct probe_program {
  // Its file.
  const char *_Nonnull path;
  // Its arguments, from its name on, and its environment; both end with NULL.
  char *_Nullable const *_Nonnull arguments;
  char *_Nullable const *_Nonnull environment;
  // Its working directory; NULL for that of this process.
  const char *_Nullable folder;
  // Its standard descriptors; a negative input is empty. No other is open in it, and it has a process group of its own. If
  // the output is negative, it has all descriptors of this process, and its group.
  int input, output, errors;
  // The data that each of its processes may have, in bytes, without a core file; 0 for the limits of this process.
  uint64_t memory;
};

// Starts a program without blocked or ignored signals, and returns its process ID, or -1 with the reason.
//
// As posix_spawn(3), which cannot set limits.
pid_t probe_spawn(const struct probe_program *_Nonnull program, int *_Nonnull error);

// A descriptor that becomes readable when a process has ended (pidfd_open(2)), or -1.
int probe_process_descriptor(pid_t process);

// pipe(2) whose ends no other program inherits, from the first moment on.
int probe_pipe(int *_Nonnull ends);

// How many bytes a pipe contains.
int probe_waiting_bytes(int descriptor);

// Files (files.c)

// The flag of open(2) for a place that is neither read nor written; a GNU extension.
int probe_open_place_only(void);

// libcurl (curl.c)

// curl_easy_setopt and curl_easy_getinfo, one function for each kind of value.
CURLcode probe_curl_set_long(CURL *_Nonnull easy, CURLoption option, long value);
CURLcode probe_curl_set_size(CURL *_Nonnull easy, CURLoption option, curl_off_t value);
CURLcode probe_curl_set_string(CURL *_Nonnull easy, CURLoption option, const char *_Nullable value);
CURLcode probe_curl_set_pointer(CURL *_Nonnull easy, CURLoption option, void *_Nullable value);
CURLcode probe_curl_set_list(CURL *_Nonnull easy, CURLoption option, struct curl_slist *_Nullable value);
CURLcode probe_curl_set_receiver(CURL *_Nonnull easy, CURLoption option,
                                 curl_write_callback _Nonnull callback);
CURLcode probe_curl_set_tls_setup(CURL *_Nonnull easy, curl_ssl_ctx_callback _Nonnull callback);
long probe_curl_get_long(CURL *_Nonnull easy, CURLINFO info);
curl_off_t probe_curl_get_time(CURL *_Nonnull easy, CURLINFO info);
const char *_Nullable probe_curl_get_string(CURL *_Nonnull easy, CURLINFO info);
void *_Nullable probe_curl_get_pointer(CURL *_Nonnull easy);
curl_socket_t probe_curl_get_socket(CURL *_Nonnull easy);

// Has a multi handle tell which sockets to watch, and when to call it; nothing is told any more when they are NULL.
void probe_curl_watch(CURLM *_Nonnull multi, curl_socket_callback _Nullable socket,
                      curl_multi_timer_callback _Nullable timer, void *_Nullable user);

// Has the handle call the first when its connection stands, before it sends anything, and the second in place of close(2).
void probe_curl_hand_over(CURL *_Nonnull easy, curl_prereq_callback _Nonnull stands,
                          curl_closesocket_callback _Nonnull close, void *_Nonnull user);

// Has the handle call back now and then, and after each byte of a proxy's answer to CONNECT: whether to go on, with 0.
void probe_curl_follow(CURL *_Nonnull easy, curl_xferinfo_callback _Nonnull callback, void *_Nonnull user);

// The version of libcurl that runs, as 0xXXYYZZ.
unsigned probe_curl_version(void);

// What libcurl was built with, as CURL_VERSION_… bits.
int probe_curl_features(void);

// What is known of the sockets that a handle opened.
typedef struct {
  // The errno of one that could not be opened, or 0.
  int error;
  // The address the last one was opened for, as text; empty before the first.
  char address[46];
  // Its port.
  unsigned short port;
  // Whether an address, as text, must not be connected to; NULL for none such.
  bool (*_Nullable refuses)(void *_Nullable user, const char *_Nonnull address);
  // What it is told.
  void *_Nullable user;
  // Whether it has said so of one.
  bool refused;
  // Whether libcurl wanted one more to send the request again, which it did not get.
  unsigned char again;
  // The handle, and where libcurl writes what went wrong.
  CURL *_Nullable easy;
  const char *_Nullable words;
} probe_curl_sockets;

// Has the handle open its sockets with close-on-exec set, and keep *sockets up to date.
//
// Once a request is sent it opens none: how often something is tried is not libcurl's affair, which would send a request
// again, up to five times, whose stream a server refuses (RFC 9113 §8.7). A server that wants HTTP/1.1 gets it.
void probe_curl_open_sockets(CURL *_Nonnull easy, probe_curl_sockets *_Nonnull sockets);
const char *_Nonnull probe_curl_sockets_address(const probe_curl_sockets *_Nonnull sockets);

// c-ares (ares.c)

// What is known of a channel's sockets.
typedef struct {
  // The errno of the last one when it could not be opened, or 0.
  int error;
  // The code of the answer that is being read (RFC 1035 §4.1.1), or -1.
  int code;
  // Whether the next bytes of a stream are the first of an answer.
  bool begins;
} probe_ares_sockets;

// Has the channel open its sockets with close-on-exec set, send without SIGPIPE, and keep *sockets up to date.
void probe_ares_open_sockets(ares_channel _Nonnull channel, probe_ares_sockets *_Nonnull sockets);

// OpenSSL (openssl.c)

// The flags for X509_NAME_print_ex that give one line as RFC 2253 has it, with letters beyond ASCII as UTF-8.
unsigned long probe_distinguished_name_flags(void);

// The option for SSL_CTX_set_options that keeps session tickets from being made.
uint64_t probe_no_ticket_option(void);

// The option for SSL_CTX_set_options that makes a server choose cipher suites in its own order.
uint64_t probe_server_order_option(void);

// The options for SSL_CTX_set_options of a client that says hello as libcurl's does: it gets along with
// servers' bugs, and asks for neither tickets nor compression.
uint64_t probe_client_options(void);

// Sockets (socket.c)

// accept(2) whose descriptor no child process inherits, from the first moment on.
int probe_accept_cloexec(int listener);

// accept(2) as above, for a socket that never blocks.
int probe_accept_nonblocking(int listener);

// Closes a descriptor and gives its number to a duplicate of another one, which no child process inherits (dup3(2)).
int probe_duplicate_onto(int descriptor, int replaced);

// How many bytes that were sent on a TCP socket the peer has not acknowledged, or a negative number.
int probe_unacknowledged(int socket);

// recv(2) on a socket for datagrams, and the hop limit (TTL in IPv4) that the packet had left, or -1 if the system does
// not report it.
ssize_t probe_receive_with_hop_limit(int socket, void *_Nonnull buffer, size_t size, int *_Nonnull limit);

// Events on many descriptors (poller.c)

// What happened on a descriptor, and the number it was added with.
struct probe_event {
  uint64_t id;
  uint32_t events;
};

// The events of epoll(7).
extern const uint32_t probe_readable, probe_writable, probe_broken, probe_peer_ended, probe_edge_triggered;

// epoll_create1(2), epoll_ctl(2) and epoll_wait(2), the set closed on exec; the results are theirs.
int probe_poller_make(void);
int probe_poller_add(int poller, int descriptor, uint32_t events, uint64_t id);
int probe_poller_change(int poller, int descriptor, uint32_t events, uint64_t id);
int probe_poller_remove(int poller, int descriptor);
int probe_poller_wait(int poller, struct probe_event *_Nonnull events, int capacity, int milliseconds);

// An eventfd(2) that does not block and is closed on exec.
int probe_wake_descriptor(void);

// HTML (html.c)

// A parsed HTML page.
struct probe_html;

// Parses a page with gumbo; NULL when the page asks for too much memory, time or stack. The bytes must outlive it.
struct probe_html *_Nullable probe_html_parse(const void *_Nullable bytes, size_t size);
// The page's document, a GumboNode.
const void *_Nullable probe_html_document(const struct probe_html *_Nonnull page);
// Frees the page and all its nodes.
void probe_html_free(struct probe_html *_Nonnull page);

#endif

#include <arpa/inet.h>
#include <curl/curl.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <stdbool.h>
#include <string.h>
#include <sys/socket.h>

// curl_easy_setopt and curl_easy_getinfo, with one function for each type of value.
static inline CURLcode probe_curl_set_long(CURL *_Nonnull easy, CURLoption option, long value) {
  return curl_easy_setopt(easy, option, value);
}

static inline CURLcode probe_curl_set_size(CURL *_Nonnull easy, CURLoption option, curl_off_t value) {
  return curl_easy_setopt(easy, option, value);
}

static inline CURLcode probe_curl_set_string(CURL *_Nonnull easy, CURLoption option,
                                        const char *_Nullable value) {
  return curl_easy_setopt(easy, option, value);
}

static inline CURLcode probe_curl_set_pointer(CURL *_Nonnull easy, CURLoption option, void *_Nullable value) {
  return curl_easy_setopt(easy, option, value);
}

static inline CURLcode probe_curl_set_list(CURL *_Nonnull easy, CURLoption option,
                                        struct curl_slist *_Nullable value) {
  return curl_easy_setopt(easy, option, value);
}

// A cache of names for a single handle, instead of that of its multi handle; NULL without memory.
static inline CURLSH *_Nullable probe_curl_make_names(void) {
  CURLSH *share = curl_share_init();
  if (share != NULL && curl_share_setopt(share, CURLSHOPT_SHARE, CURL_LOCK_DATA_DNS) != CURLSHE_OK) {
    curl_share_cleanup(share);
    return NULL;
  }
  return share;
}

static inline CURLcode probe_curl_set_receiver(CURL *_Nonnull easy, CURLoption option,
                                        curl_write_callback _Nonnull callback) {
  return curl_easy_setopt(easy, option, callback);
}

static inline CURLcode probe_curl_set_tls_setup(CURL *_Nonnull easy,
                                        curl_ssl_ctx_callback _Nonnull callback) {
  return curl_easy_setopt(easy, CURLOPT_SSL_CTX_FUNCTION, callback);
}

// Sets a callback for when the connection is established, before anything is sent, and one that replaces close(2).
static inline void probe_curl_hand_over(CURL *_Nonnull easy, curl_prereq_callback _Nonnull stands,
                                        curl_closesocket_callback _Nonnull close, void *_Nonnull user) {
  curl_easy_setopt(easy, CURLOPT_PREREQFUNCTION, stands);
  curl_easy_setopt(easy, CURLOPT_PREREQDATA, user);
  curl_easy_setopt(easy, CURLOPT_CLOSESOCKETFUNCTION, close);
  curl_easy_setopt(easy, CURLOPT_CLOSESOCKETDATA, user);
}

// Sets a callback that is called periodically, and after each byte of a proxy's response to CONNECT; it returns 0 to
// continue.
static inline void probe_curl_follow(CURL *_Nonnull easy, curl_xferinfo_callback _Nonnull callback,
                                     void *_Nonnull user) {
  curl_easy_setopt(easy, CURLOPT_XFERINFOFUNCTION, callback);
  curl_easy_setopt(easy, CURLOPT_XFERINFODATA, user);
  curl_easy_setopt(easy, CURLOPT_NOPROGRESS, 0L);
}

static inline long probe_curl_get_long(CURL *_Nonnull easy, CURLINFO info) {
  long value = 0;
  return curl_easy_getinfo(easy, info, &value) == CURLE_OK ? value : 0;
}

static inline curl_off_t probe_curl_get_time(CURL *_Nonnull easy, CURLINFO info) {
  curl_off_t value = 0;
  return curl_easy_getinfo(easy, info, &value) == CURLE_OK ? value : 0;
}

static inline const char *_Nullable probe_curl_get_string(CURL *_Nonnull easy, CURLINFO info) {
  char *value = NULL;
  return curl_easy_getinfo(easy, info, &value) == CURLE_OK ? value : NULL;
}

static inline void *_Nullable probe_curl_get_pointer(CURL *_Nonnull easy) {
  void *value = NULL;
  return curl_easy_getinfo(easy, CURLINFO_PRIVATE, &value) == CURLE_OK ? value : NULL;
}

static inline curl_socket_t probe_curl_get_socket(CURL *_Nonnull easy) {
  curl_socket_t value = CURL_SOCKET_BAD;
  return curl_easy_getinfo(easy, CURLINFO_ACTIVESOCKET, &value) == CURLE_OK ? value : CURL_SOCKET_BAD;
}

// Sets the callbacks with which a multi handle reports the sockets to watch and its timer; NULL removes them.
static inline void probe_curl_watch(CURLM *_Nonnull multi, curl_socket_callback _Nullable socket,
                                    curl_multi_timer_callback _Nullable timer, void *_Nullable user) {
  curl_multi_setopt(multi, CURLMOPT_SOCKETFUNCTION, socket);
  curl_multi_setopt(multi, CURLMOPT_SOCKETDATA, user);
  curl_multi_setopt(multi, CURLMOPT_TIMERFUNCTION, timer);
  curl_multi_setopt(multi, CURLMOPT_TIMERDATA, user);
}

// The version of the running libcurl, as 0xXXYYZZ.
static inline unsigned probe_curl_version(void) { return curl_version_info(CURLVERSION_NOW)->version_num; }

// The features of libcurl, as CURL_VERSION_… bits.
static inline int probe_curl_features(void) { return curl_version_info(CURLVERSION_NOW)->features; }

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

static inline void probe_curl_note_address(probe_curl_sockets *_Nonnull sockets,
                                        const struct sockaddr *_Nonnull address, int family) {
  const void *bits = NULL;
  sockets->port = 0;
  if (family == AF_INET) {
    const struct sockaddr_in *v4 = (const struct sockaddr_in *)address;
    bits = &v4->sin_addr;
    sockets->port = ntohs(v4->sin_port);
  } else if (family == AF_INET6) {
    const struct sockaddr_in6 *v6 = (const struct sockaddr_in6 *)address;
    bits = &v6->sin6_addr;
    sockets->port = ntohs(v6->sin6_port);
  }
  if (bits == NULL || inet_ntop(family, bits, sockets->address, sizeof sockets->address) == NULL)
    sockets->address[0] = '\0';
}

static inline curl_socket_t probe_curl_open_socket(void *_Nullable user, curlsocktype purpose,
                                        struct curl_sockaddr *_Nonnull address) {
  (void)purpose;
  probe_curl_sockets *sockets = (probe_curl_sockets *)user;
  sockets->again = probe_curl_get_long(sockets->easy, CURLINFO_REQUEST_SIZE) > 0 &&
                   strstr(sockets->words, "HTTP_1_1_REQUIRED") == NULL;
  if (sockets->again)
    return CURL_SOCKET_BAD;
  probe_curl_note_address(sockets, &address->addr, address->family);
  if (sockets->refuses != NULL && sockets->refuses(sockets->user, sockets->address)) {
    sockets->refused = true;
    return CURL_SOCKET_BAD;
  }
#ifdef SOCK_CLOEXEC
  curl_socket_t opened = socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
#else
  curl_socket_t opened = socket(address->family, address->socktype, address->protocol);
  if (opened >= 0)
    fcntl(opened, F_SETFD, FD_CLOEXEC);
#endif
  if (opened < 0)
    sockets->error = errno;
  return opened;
}

// Makes the handle open its sockets with close-on-exec set, and keeps *sockets up to date.
//
// After a request is sent, no more sockets are opened: libcurl would repeat a request up to five times if the server
// refuses its stream (RFC 9113 §8.7), but the caller decides about retries. A fallback to HTTP/1.1 remains possible.
static inline void probe_curl_open_sockets(CURL *_Nonnull easy, probe_curl_sockets *_Nonnull sockets) {
  curl_easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, probe_curl_open_socket);
  curl_easy_setopt(easy, CURLOPT_OPENSOCKETDATA, sockets);
}

static inline const char *_Nonnull probe_curl_sockets_address(const probe_curl_sockets *_Nonnull sockets) { return sockets->address; }

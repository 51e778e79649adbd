#define _GNU_SOURCE
#include "CProbeShims.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>

CURLcode probe_curl_set_long(CURL *easy, CURLoption option, long value) {
  return curl_easy_setopt(easy, option, value);
}

CURLcode probe_curl_set_size(CURL *easy, CURLoption option, curl_off_t value) {
  return curl_easy_setopt(easy, option, value);
}

CURLcode probe_curl_set_string(CURL *easy, CURLoption option, const char *value) {
  return curl_easy_setopt(easy, option, value);
}

CURLcode probe_curl_set_pointer(CURL *easy, CURLoption option, void *value) {
  return curl_easy_setopt(easy, option, value);
}

CURLcode probe_curl_set_list(CURL *easy, CURLoption option, struct curl_slist *value) {
  return curl_easy_setopt(easy, option, value);
}

CURLSH *probe_curl_make_names(void) {
  CURLSH *share = curl_share_init();
  if (share != NULL && curl_share_setopt(share, CURLSHOPT_SHARE, CURL_LOCK_DATA_DNS) != CURLSHE_OK) {
    curl_share_cleanup(share);
    return NULL;
  }
  return share;
}

CURLcode probe_curl_set_receiver(CURL *easy, CURLoption option, curl_write_callback callback) {
  return curl_easy_setopt(easy, option, callback);
}

CURLcode probe_curl_set_tls_setup(CURL *easy, curl_ssl_ctx_callback callback) {
  return curl_easy_setopt(easy, CURLOPT_SSL_CTX_FUNCTION, callback);
}

void probe_curl_hand_over(CURL *easy, curl_prereq_callback stands, curl_closesocket_callback close, void *user) {
  curl_easy_setopt(easy, CURLOPT_PREREQFUNCTION, stands);
  curl_easy_setopt(easy, CURLOPT_PREREQDATA, user);
  curl_easy_setopt(easy, CURLOPT_CLOSESOCKETFUNCTION, close);
  curl_easy_setopt(easy, CURLOPT_CLOSESOCKETDATA, user);
}

void probe_curl_follow(CURL *easy, curl_xferinfo_callback callback, void *user) {
  curl_easy_setopt(easy, CURLOPT_XFERINFOFUNCTION, callback);
  curl_easy_setopt(easy, CURLOPT_XFERINFODATA, user);
  curl_easy_setopt(easy, CURLOPT_NOPROGRESS, 0L);
}

long probe_curl_get_long(CURL *easy, CURLINFO info) {
  long value = 0;
  return curl_easy_getinfo(easy, info, &value) == CURLE_OK ? value : 0;
}

curl_off_t probe_curl_get_time(CURL *easy, CURLINFO info) {
  curl_off_t value = 0;
  return curl_easy_getinfo(easy, info, &value) == CURLE_OK ? value : 0;
}

const char *probe_curl_get_string(CURL *easy, CURLINFO info) {
  char *value = NULL;
  return curl_easy_getinfo(easy, info, &value) == CURLE_OK ? value : NULL;
}

void *probe_curl_get_pointer(CURL *easy) {
  void *value = NULL;
  return curl_easy_getinfo(easy, CURLINFO_PRIVATE, &value) == CURLE_OK ? value : NULL;
}

curl_socket_t probe_curl_get_socket(CURL *easy) {
  curl_socket_t value = CURL_SOCKET_BAD;
  return curl_easy_getinfo(easy, CURLINFO_ACTIVESOCKET, &value) == CURLE_OK ? value : CURL_SOCKET_BAD;
}

void probe_curl_watch(CURLM *multi, curl_socket_callback socket, curl_multi_timer_callback timer, void *user) {
  curl_multi_setopt(multi, CURLMOPT_SOCKETFUNCTION, socket);
  curl_multi_setopt(multi, CURLMOPT_SOCKETDATA, user);
  curl_multi_setopt(multi, CURLMOPT_TIMERFUNCTION, timer);
  curl_multi_setopt(multi, CURLMOPT_TIMERDATA, user);
}

unsigned probe_curl_version(void) { return curl_version_info(CURLVERSION_NOW)->version_num; }

int probe_curl_features(void) { return curl_version_info(CURLVERSION_NOW)->features; }

static void note_address(probe_curl_sockets *sockets, const struct sockaddr *address, int family) {
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

static curl_socket_t open_socket(void *user, curlsocktype purpose, struct curl_sockaddr *address) {
  (void)purpose;
  probe_curl_sockets *sockets = user;
  sockets->again = probe_curl_get_long(sockets->easy, CURLINFO_REQUEST_SIZE) > 0 &&
                   strstr(sockets->words, "HTTP_1_1_REQUIRED") == NULL;
  if (sockets->again)
    return CURL_SOCKET_BAD;
  note_address(sockets, &address->addr, address->family);
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

void probe_curl_open_sockets(CURL *easy, probe_curl_sockets *sockets) {
  curl_easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, open_socket);
  curl_easy_setopt(easy, CURLOPT_OPENSOCKETDATA, sockets);
}

const char *probe_curl_sockets_address(const probe_curl_sockets *sockets) { return sockets->address; }

// Yardstick: the simplest libcurl program that probes many URLs at a time, with one thread and one multi handle.
//
// usage: curl-multi-loop URL COUNT CONCURRENCY [CA-FILE [TIMEOUT-MS]]
// {n} in the URL is replaced by the number of the probe, starting at 0. With a tcp URL, the program only connects.
// Writes one line of JSON: seconds, CPU seconds, peak memory in KiB, the number of probes that failed or had a status
// other than 2xx, bytes received.
#include <curl/curl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "CUsage.h"

// The body is discarded; only its size is counted.
static size_t count_bytes(char *bytes, size_t size, size_t count, void *user) {
  (void)bytes;
  *(size_t *)user += size * count;
  return size * count;
}

static void check(CURLMcode code) {
  if (code == CURLM_OK)
    return;
  fprintf(stderr, "curl-multi-loop: %s\n", curl_multi_strerror(code));
  exit(70);
}

// The URL of the next probe; libcurl keeps a copy.
static void set_url(CURL *easy, const char *pattern, long number) {
  char url[2048];
  const char *place = strstr(pattern, "{n}");
  int is_tcp = strncmp(pattern, "tcp:", 4) == 0;
  if (place)
    snprintf(url, sizeof url, "%.*s%ld%s", (int)(place - pattern), pattern, number, place + 3);
  else
    snprintf(url, sizeof url, "%s%s", is_tcp ? "http:" : "", pattern + (is_tcp ? 4 : 0));
  curl_easy_setopt(easy, CURLOPT_URL, url);
  curl_easy_setopt(easy, CURLOPT_CONNECT_ONLY, (long)is_tcp);
}

static CURL *prepare(const char *authorities, long timeout, size_t *received) {
  CURL *easy = curl_easy_init();
  if (!easy)
    check(CURLM_OUT_OF_MEMORY);
  curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(easy, CURLOPT_TIMEOUT_MS, timeout);
  curl_easy_setopt(easy, CURLOPT_PROXY, "");
  curl_easy_setopt(easy, CURLOPT_FRESH_CONNECT, 1L);
  curl_easy_setopt(easy, CURLOPT_FORBID_REUSE, 1L);
  curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, count_bytes);
  curl_easy_setopt(easy, CURLOPT_WRITEDATA, received);
  // Without a CA path, libcurl keeps the parsed authorities. No session is resumed: each handshake is a full one.
  curl_easy_setopt(easy, CURLOPT_CAPATH, NULL);
  curl_easy_setopt(easy, CURLOPT_SSL_SESSIONID_CACHE, 0L);
  if (authorities)
    curl_easy_setopt(easy, CURLOPT_CAINFO, authorities);
  return easy;
}

int main(int argc, char **argv) {
  long left = argc > 3 ? atol(argv[2]) : 0;
  long concurrency = argc > 3 ? atol(argv[3]) : 0;
  const char *authorities = argc > 4 && argv[4][0] ? argv[4] : NULL;
  long timeout = argc > 5 ? atol(argv[5]) : 5000;
  if (left < 1 || concurrency < 1 || timeout < 1) {
    fprintf(stderr, "usage: curl-multi-loop URL COUNT CONCURRENCY [CA-FILE [TIMEOUT-MS]]\n");
    return 64;
  }
  long failed = 0, started = 0;
  size_t received = 0;
  int is_tcp = strncmp(argv[1], "tcp:", 4) == 0;

  signal(SIGPIPE, SIG_IGN);
  curl_global_init(CURL_GLOBAL_DEFAULT);
  CURLM *multi = curl_multi_init();
  if (!multi)
    check(CURLM_OUT_OF_MEMORY);
  struct usage start = usage_now();
  for (long i = 0; i < concurrency && left > 0; i++, left--) {
    CURL *easy = prepare(authorities, timeout, &received);
    set_url(easy, argv[1], started++);
    check(curl_multi_add_handle(multi, easy));
  }
  int running = 1;
  while (running > 0) {
    check(curl_multi_perform(multi, &running));
    CURLMsg *message;
    int queued;
    while ((message = curl_multi_info_read(multi, &queued))) {
      CURL *easy = message->easy_handle;
      long status = 0;
      curl_easy_getinfo(easy, CURLINFO_RESPONSE_CODE, &status);
      if (message->data.result != CURLE_OK || (!is_tcp && (status < 200 || status > 299)))
        failed++;
      check(curl_multi_remove_handle(multi, easy));
      if (left > 0) {
        left--;
        set_url(easy, argv[1], started++);
        check(curl_multi_add_handle(multi, easy));
        running++;
      } else {
        curl_easy_cleanup(easy);
      }
    }
    if (running > 0)
      check(curl_multi_poll(multi, NULL, 0, 1000, NULL));
  }
  struct usage end = usage_now();
  printf("{\"seconds\":%.6f,\"cpu\":%.6f,\"peakKiB\":%ld,\"failed\":%ld,\"bytes\":%zu}\n",
         end.seconds - start.seconds, end.cpu - start.cpu, usage_peak_kib(), failed, received);
  curl_multi_cleanup(multi);
  curl_global_cleanup();
  return 0;
}

// Yardstick: the plainest libcurl program that probes many URLs at a time, one thread, one multi handle.
//
// usage: curl-multi-loop URL COUNT CONCURRENCY [CA-FILE [TIMEOUT-MS]]
// Writes one line of JSON: seconds, CPU seconds, peak memory in KiB, how many answers had another status than 2xx.
#include <curl/curl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>

static size_t drop(char *bytes, size_t size, size_t count, void *user) {
  (void)bytes;
  *(size_t *)user += size * count;
  return size * count;
}

static double now(clockid_t clock) {
  struct timespec time;
  clock_gettime(clock, &time);
  return time.tv_sec + time.tv_nsec / 1e9;
}

int main(int argc, char **argv) {
  if (argc < 4) {
    fprintf(stderr, "usage: curl-multi-loop URL COUNT CONCURRENCY [CA-FILE [TIMEOUT-MS]]\n");
    return 64;
  }
  const char *url = argv[1];
  long left = atol(argv[2]);
  int concurrency = atoi(argv[3]);
  const char *authorities = argc > 4 && argv[4][0] ? argv[4] : NULL;
  long timeout = argc > 5 ? atol(argv[5]) : 5000;
  long failed = 0;
  size_t received = 0;

  curl_global_init(CURL_GLOBAL_DEFAULT);
  CURLM *multi = curl_multi_init();
  double start = now(CLOCK_MONOTONIC), cpu = now(CLOCK_PROCESS_CPUTIME_ID);
  for (int i = 0; i < concurrency && left > 0; i++, left--) {
    CURL *easy = curl_easy_init();
    curl_easy_setopt(easy, CURLOPT_URL, url);
    curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(easy, CURLOPT_TIMEOUT_MS, timeout);
    curl_easy_setopt(easy, CURLOPT_PROXY, "");
    curl_easy_setopt(easy, CURLOPT_FRESH_CONNECT, 1L);
    curl_easy_setopt(easy, CURLOPT_FORBID_REUSE, 1L);
    curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, drop);
    curl_easy_setopt(easy, CURLOPT_WRITEDATA, &received);
    // Without a CA path libcurl keeps what it parsed, and no session is resumed: each handshake is a full one.
    curl_easy_setopt(easy, CURLOPT_CAPATH, NULL);
    curl_easy_setopt(easy, CURLOPT_SSL_SESSIONID_CACHE, 0L);
    if (authorities)
      curl_easy_setopt(easy, CURLOPT_CAINFO, authorities);
    curl_multi_add_handle(multi, easy);
  }
  int running = 1;
  while (running > 0) {
    curl_multi_perform(multi, &running);
    CURLMsg *message;
    int queued;
    while ((message = curl_multi_info_read(multi, &queued))) {
      CURL *easy = message->easy_handle;
      long status = 0;
      curl_easy_getinfo(easy, CURLINFO_RESPONSE_CODE, &status);
      if (message->data.result != CURLE_OK || status < 200 || status > 299)
        failed++;
      curl_multi_remove_handle(multi, easy);
      if (left > 0) {
        left--;
        curl_multi_add_handle(multi, easy);
        running++;
      } else {
        curl_easy_cleanup(easy);
      }
    }
    if (running > 0)
      curl_multi_poll(multi, NULL, 0, 1000, NULL);
  }
  double seconds = now(CLOCK_MONOTONIC) - start;
  cpu = now(CLOCK_PROCESS_CPUTIME_ID) - cpu;
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  printf("{\"seconds\":%.6f,\"cpu\":%.6f,\"peakKiB\":%ld,\"failed\":%ld,\"bytes\":%zu}\n", seconds, cpu,
         usage.ru_maxrss, failed, received);
  curl_multi_cleanup(multi);
  return 0;
}

#define _GNU_SOURCE
#define PCRE2_CODE_UNIT_WIDTH 8
#include "CYardsticks.h"

#include <gumbo.h>
#include <pcre2.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct yardstick_pattern {
  pcre2_code *code;
  pcre2_match_data *data;
};

struct yardstick_pattern *yardstick_pattern_create(const char *pattern, size_t size) {
  int error;
  PCRE2_SIZE offset;
  pcre2_compile_context *context = pcre2_compile_context_create(NULL);
  pcre2_set_newline(context, PCRE2_NEWLINE_ANYCRLF);
  pcre2_code *code = pcre2_compile(
      (PCRE2_SPTR)pattern, size,
      PCRE2_UTF | PCRE2_MATCH_INVALID_UTF | PCRE2_USE_OFFSET_LIMIT | PCRE2_NEVER_BACKSLASH_C, &error, &offset,
      context);
  pcre2_compile_context_free(context);
  if (code == NULL || pcre2_jit_compile(code, PCRE2_JIT_COMPLETE) != 0) {
    pcre2_code_free(code);
    return NULL;
  }
  struct yardstick_pattern *result = malloc(sizeof *result);
  if (result == NULL) abort();
  result->code = code;
  result->data = pcre2_match_data_create_from_pattern(code, NULL);
  return result;
}

void yardstick_pattern_free(struct yardstick_pattern *pattern) {
  pcre2_match_data_free(pattern->data);
  pcre2_code_free(pattern->code);
  free(pattern);
}

int yardstick_pattern_matches(struct yardstick_pattern *pattern, const void *subject, size_t size) {
  return pcre2_match(pattern->code, subject, size, 0, 0, pattern->data, NULL) >= 0;
}

int yardstick_contains(const void *haystack, size_t haystack_size, const void *needle, size_t needle_size) {
  return memmem(haystack, haystack_size, needle, needle_size) != NULL;
}

int yardstick_equals(const void *left, const void *right, size_t size) {
  return memcmp(left, right, size) == 0;
}

int yardstick_parse_html(const void *page, size_t size) {
  GumboOutput *output = gumbo_parse_with_options(&kGumboDefaultOptions, page, size);
  int has_root = output->root != NULL;
  gumbo_destroy_output(&kGumboDefaultOptions, output);
  return has_root;
}

uint64_t yardstick_now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

// Parsing hostile HTML pages with gumbo, which checks no allocations and limits neither its work nor its stack.
//
// All its memory comes from an arena, so that parsing can be aborted at any point by longjmp out of the allocator, and a
// finished tree is freed without gumbo_destroy_output, which recurses as deep as the page is nested.
#include "CProbeHTML.h"

#include <gumbo.h>
#include <setjmp.h>
#include <stdalign.h>
#include <stdint.h>
#include <stdlib.h>

// A legitimate page of the maximum size needs a tenth of this.
static const size_t arena_limit = 32 * 1024 * 1024;
static const size_t chunk_size = 256 * 1024;
// Each attribute is compared with all earlier ones, so a tag with more of them is treated as an attack.
static const unsigned attribute_limit = 1024;
// Threads of a pool may have stacks of 512 KiB.
static const size_t stack_limit = 128 * 1024;

struct chunk {
  struct chunk *next;
  alignas(max_align_t) unsigned char bytes[];
};

struct probe_html {
  struct chunk *chunks;
  unsigned char *free;
  size_t left;
  size_t total;
  unsigned attributes;
  uintptr_t stack_base;
  jmp_buf give_up;
  GumboOutput *output;
};

static uintptr_t stack_position(void) { return (uintptr_t)__builtin_frame_address(0); }

static void *allocate(void *userdata, size_t size) {
  struct probe_html *page = userdata;
  // Gumbo creates a node from a tag's attributes once it has all of them.
  if (size == sizeof(GumboAttribute)) {
    if (++page->attributes > attribute_limit) longjmp(page->give_up, 1);
  } else if (size == sizeof(GumboNode)) {
    page->attributes = 0;
  }
  size_t alignment = alignof(max_align_t);
  if (size > arena_limit) longjmp(page->give_up, 1);
  size = (size + alignment - 1) / alignment * alignment;
  if (size > page->left) {
    size_t room = size > chunk_size ? size : chunk_size;
    if (room > arena_limit - page->total) longjmp(page->give_up, 1);
    struct chunk *chunk = malloc(sizeof(struct chunk) + room);
    if (!chunk) longjmp(page->give_up, 1);
    chunk->next = page->chunks;
    page->chunks = chunk;
    page->free = chunk->bytes;
    page->left = room;
    page->total += room;
  }
  void *result = page->free;
  page->free += size;
  page->left -= size;
  return result;
}

// Memory is only freed as a whole. But a <frameset> makes gumbo destroy the preceding body recursively, and this is
// called once for each level, so the depth is checked here.
static void deallocate(void *userdata, void *pointer) {
  (void)pointer;
  struct probe_html *page = userdata;
  uintptr_t position = stack_position();
  uintptr_t depth = position < page->stack_base ? page->stack_base - position : position - page->stack_base;
  if (depth > stack_limit) longjmp(page->give_up, 1);
}

struct probe_html *probe_html_parse(const void *bytes, size_t size) {
  struct probe_html *page = calloc(1, sizeof *page);
  if (!page) return NULL;
  page->stack_base = stack_position();
  if (setjmp(page->give_up)) {
    probe_html_free(page);
    return NULL;
  }
  GumboOptions options = kGumboDefaultOptions;
  options.allocator = allocate;
  options.deallocator = deallocate;
  options.userdata = page;
  options.max_errors = 0;
  page->output = gumbo_parse_with_options(&options, size ? bytes : "", size);
  return page;
}

const void *probe_html_document(const struct probe_html *page) { return page->output->document; }

void probe_html_free(struct probe_html *page) {
  for (struct chunk *chunk = page->chunks, *next; chunk; chunk = next) {
    next = chunk->next;
    free(chunk);
  }
  free(page);
}

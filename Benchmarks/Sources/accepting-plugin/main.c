// A plugin that accepts every response, and reads only the ID of the message.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
  char *line = NULL;
  size_t size = 0;
  setvbuf(stdout, NULL, _IOLBF, 1 << 16);
  puts("{\"hello\":1,\"kind\":\"validator\",\"name\":\"accepting\"}");
  while (getline(&line, &size, stdin) > 0) {
    const char *id = strstr(line, "\"id\":");
    if (id != NULL) printf("{\"id\":%ld,\"accepted\":true}\n", strtol(id + 5, NULL, 10));
  }
  free(line);
  return 0;
}

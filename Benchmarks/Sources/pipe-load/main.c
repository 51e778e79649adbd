// The yardstick for plugins: writes lines to a program and reads its lines over two pipes, in one loop without JSON.
//
// usage: pipe-load RATE COUNT MESSAGE-FILE PROGRAM [ARGUMENT...]
// Arguments and output are those of plugin-load.
#define _GNU_SOURCE

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "CUsage.h"

extern char **environ;

static void fail(const char *what) {
  perror(what);
  exit(1);
}

static int compare(const void *left, const void *right) {
  double a = *(const double *)left, b = *(const double *)right;
  return a < b ? -1 : a > b;
}

int main(int count, char **arguments) {
  if (count < 5) {
    fputs("usage: pipe-load RATE COUNT MESSAGE-FILE PROGRAM [ARGUMENT...]\n", stderr);
    return 64;
  }
  double rate = atof(arguments[1]);
  long messages = atol(arguments[2]);
  FILE *file = fopen(arguments[3], "r");
  static char members[1 << 20], line[(1 << 20) + 100], received[1 << 16];
  if (file == NULL) fail(arguments[3]);
  size_t length = fread(members, 1, sizeof members - 1, file);
  fclose(file);

  int input[2], output[2];
  if (pipe2(input, O_CLOEXEC) != 0 || pipe2(output, O_CLOEXEC) != 0) fail("pipe");
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, input[0], 0);
  posix_spawn_file_actions_adddup2(&actions, output[1], 1);
  pid_t process;
  if (posix_spawnp(&process, arguments[4], &actions, NULL, arguments + 4, environ) != 0) fail(arguments[4]);
  close(input[0]);
  close(output[1]);
  signal(SIGPIPE, SIG_IGN);

  double *sent = calloc(messages + 2, sizeof *sent), *times = calloc(messages + 2, sizeof *times);
  if (sent == NULL || times == NULL) fail("calloc");
  // The hello is line 0, and the first message is not measured, as in plugin-load.
  long written = 0, answered = -1;
  struct usage start = usage_now();
  double begin = start.seconds;
  while (answered < messages + 1) {
    double now = usage_now().seconds;
    int wait = -1;
    if (answered >= 0 && written <= messages && (written == 0 || answered >= 1)) {
      double due = written == 0 ? now : begin + (double)(written - 1) / rate;
      if (due <= now) {
        written++;
        int size = snprintf(line, sizeof line, "{\"id\":%ld,\"deadlineMs\":60000,%.*s}\n", written, (int)length, members);
        sent[written] = usage_now().seconds;
        // Blocking: at this rate the program keeps up.
        if (write(input[1], line, size) != size) fail("write");
        continue;
      }
      wait = (int)((due - now) * 1000) + 1;
    }
    struct pollfd event = {.fd = output[0], .events = POLLIN};
    if (poll(&event, 1, wait) <= 0) continue;
    ssize_t size = read(output[0], received, sizeof received);
    if (size <= 0) fail("the program has ended");
    double end = usage_now().seconds;
    for (ssize_t index = 0; index < size; index++) {
      if (received[index] != '\n') continue;
      answered++;
      if (answered == 1) {
        start = usage_now();
        begin = start.seconds;
      } else if (answered > 1) {
        times[answered - 2] = end - sent[answered];
      }
    }
  }
  double used = usage_now().cpu - start.cpu;
  close(input[1]);
  while (waitpid(process, NULL, 0) < 0 && errno == EINTR);
  qsort(times, messages, sizeof *times, compare);
  printf("{\"failed\":0,\"cpu\":%f,\"median\":%f,\"p99\":%f}\n", used, times[(messages - 1) / 2],
         times[(messages - 1) * 99 / 100]);
  return 0;
}

#define _GNU_SOURCE
#include "CProbeSystem.h"
#include "confinement.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <pthread.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { first_own = STDERR_FILENO + 1, most_attempts = 20 };

// Makes a standard descriptor a duplicate of another one, which is not a standard descriptor.
static bool put(int descriptor, int standard) { return dup2(descriptor, standard) >= 0; }

// A duplicate with a number beyond the standard descriptors, which may be closed in this process.
static int raised(int descriptor) { return fcntl(descriptor, F_DUPFD_CLOEXEC, first_own); }

// Sets the program's standard descriptors, and closes all others except the one that reports a failure, whose number
// changes.
//
// Files that are open for writing must be closed before execve(2), because no process can execute them until then.
static bool redirect(const struct probe_program *program, int *report) {
  int source = program->input >= 0 ? program->input : open("/dev/null", O_RDONLY | O_CLOEXEC);
  int input = raised(source), output = raised(program->output), errors = raised(program->errors);
  if (input < 0 || output < 0 || errors < 0) return false;
  if (!put(input, STDIN_FILENO) || !put(output, STDOUT_FILENO) || !put(errors, STDERR_FILENO)) return false;
  if (*report != first_own && dup3(*report, first_own, O_CLOEXEC) < 0) return false;
  *report = first_own;
  return close_range(first_own + 1, ~0U, 0) == 0;
}

// Writes a number in decimal before a position, and returns the new position.
static char *put_number(char *end, unsigned number) {
  do *--end = (char)('0' + number % 10);
  while ((number /= 10) > 0);
  return end;
}

// Announces a group and its signal to the guard; only system calls, because the memory is shared.
static bool announce(int guard, int signal, pid_t group) {
  char text[32];
  char *end = text + sizeof text, *start = end;
  *--start = '\n';
  start = put_number(start, (unsigned)group);
  *--start = ' ';
  start = put_number(start, (unsigned)signal);
  if (send(guard, start, (size_t)(end - start), MSG_NOSIGNAL) == end - start) return true;
  // The socket's time to send has passed.
  if (errno == EAGAIN) errno = ETIMEDOUT;
  return false;
}

static bool set_limit(__rlimit_resource_t resource, rlim_t value) {
  struct rlimit limit = {value, value};
  struct rlimit now;
  if (getrlimit(resource, &now) != 0) return false;
  // Only root may raise it.
  if (now.rlim_max < value) limit.rlim_cur = limit.rlim_max = now.rlim_max;
  return setrlimit(resource, &limit) == 0;
}

// Removes CAP_NET_RAW, and everything that execve(2) would pass on to a program without file capabilities.
//
// A program of root gains its bounding set (capabilities(7)), from which only a process with CAP_SETPCAP can remove a
// capability. Without it, no_new_privs(2) keeps root from gaining more than is left here.
static bool remove_capabilities(void) {
  struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
  struct __user_cap_data_struct sets[_LINUX_CAPABILITY_U32S_3];
  if (syscall(SYS_capget, &header, sets) != 0) return false;
  bool isRoot = getuid() == 0 || geteuid() == 0;
  bool isBounded = prctl(PR_CAPBSET_READ, CAP_NET_RAW) == 0 || prctl(PR_CAPBSET_DROP, CAP_NET_RAW) == 0;
  if (isRoot && !isBounded && prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return false;
  if (prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0) != 0) return false;
  bool isChanged = false;
  for (int index = 0; index < _LINUX_CAPABILITY_U32S_3; index++) {
    uint32_t removed = index == CAP_TO_INDEX(CAP_NET_RAW) ? CAP_TO_MASK(CAP_NET_RAW) : 0;
    isChanged |= sets[index].inheritable != 0 || (sets[index].permitted & removed) != 0;
    sets[index].inheritable = 0;
    sets[index].permitted &= ~removed;
    sets[index].effective &= ~removed;
  }
  // Not called without need: a filter of system calls may forbid it.
  return !isChanged || syscall(SYS_capset, &header, sets) == 0;
}

// Executes the program in the new process; returns only on failure, with the reason in errno.
//
// The process shares its memory with the thread that created it, so only system calls are used here.
static void become(const struct probe_program *program, int *report) {
  struct sigaction usual = {.sa_handler = SIG_DFL};
  for (int number = 1; number <= SIGRTMAX; number++) sigaction(number, &usual, NULL);
  if (!program->keeps_capabilities && !remove_capabilities()) return;
  if (program->output >= 0) {
    if (setpgid(0, 0) != 0) return;
    if (program->guard >= 0 && !announce(program->guard, program->orphan_signal, getpid())) return;
    if (!redirect(program, report)) return;
  }
  if (program->memory > 0 && (!set_limit(RLIMIT_DATA, program->memory) || !set_limit(RLIMIT_CORE, 0))) return;
  if (program->folder != NULL && chdir(program->folder) != 0) return;
  if (program->is_confined && !probe_confine()) return;
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
  // A file that was just written may still be open for writing in another new process until that executes its program.
  struct timespec pause = {.tv_nsec = 1000000};
  for (int attempt = 0; attempt < most_attempts; attempt++) {
    execve(program->path, program->arguments, program->environment);
    if (errno != ETXTBSY) return;
    nanosleep(&pause, NULL);
  }
  errno = ETXTBSY;
}

pid_t probe_spawn(const struct probe_program *program, int *error) {
  // Closed by execve(2), or written to with the reason for a failure.
  int report[2];
  *error = 0;
  if (pipe2(report, O_CLOEXEC) != 0) {
    *error = errno;
    return -1;
  }
  // Signal handlers of this process must not run in the new one.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  pid_t process = vfork();
  if (process == 0) {
    int reporting = raised(report[1]);
    become(program, &reporting);
    int reason = errno;
    ssize_t written = write(reporting, &reason, sizeof reason);
    _exit(written == sizeof reason ? 127 : 126);
  }
  if (process < 0) *error = errno;
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  close(report[1]);
  if (process > 0) {
    ssize_t count;
    while ((count = read(report[0], error, sizeof *error)) < 0 && errno == EINTR);
    if (count > 0) {
      if (program->guard >= 0) announce(program->guard, 0, process);
      while (waitpid(process, NULL, 0) < 0 && errno == EINTR);
      process = -1;
    }
  }
  close(report[0]);
  return process;
}

int probe_process_descriptor(pid_t process) { return (int)syscall(SYS_pidfd_open, process, 0); }

int probe_pipe(int *ends) { return pipe2(ends, O_CLOEXEC); }

int probe_waiting_bytes(int descriptor) {
  int count = 0;
  return ioctl(descriptor, FIONREAD, &count) == 0 ? count : 0;
}

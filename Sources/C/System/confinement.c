#define _GNU_SOURCE
#include "confinement.h"

#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>

// The architecture, and the system calls of the other one whose programs its kernel also runs.
#if defined(__x86_64__)
#define own_architecture AUDIT_ARCH_X86_64
// Programs of x32 have the same numbers with this bit.
enum { number_bits = ~0x40000000 };
#define other_architecture AUDIT_ARCH_I386
enum { other_socket = 359, other_socketcall = 102, other_add_key = 286, other_request_key = 287, other_keyctl = 288 };
#elif defined(__aarch64__)
#define own_architecture AUDIT_ARCH_AARCH64
enum { number_bits = ~0 };
#define other_architecture AUDIT_ARCH_ARM
enum { other_socket = 281, other_socketcall = 102, other_add_key = 309, other_request_key = 310, other_keyctl = 311 };
#else
#error "name this architecture of <linux/audit.h>, and the calls of the other one that its kernel runs"
#endif

// The number is the same on every architecture.
enum { io_uring_setup = 425 };

// The offset of the low half of a call's first argument.
enum {
  first_argument = offsetof(struct seccomp_data, args) + (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? sizeof(__u32) : 0)
};

#define LOAD(offset) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (offset))
// Skips a number of instructions if the loaded value equals another one.
#define SKIP_IF(value, count) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (__u32)(value), (count), 0)
#define END(action) BPF_STMT(BPF_RET | BPF_K, (__u32)(action))
#define END_IF(value, action) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (__u32)(value), 0, 1), END(action)
#define FAILURE(number) (SECCOMP_RET_ERRNO | (number))

// The number of instructions for a call of each architecture.
enum { own_length = 12, other_length = 13 };

static struct sock_filter instructions[] = {
    LOAD(offsetof(struct seccomp_data, arch)),
    SKIP_IF(own_architecture, 2),
    SKIP_IF(other_architecture, 1 + own_length),
    END(FAILURE(ENOSYS)),
    // A call of this architecture.
    LOAD(offsetof(struct seccomp_data, nr)),
    BPF_STMT(BPF_ALU | BPF_AND | BPF_K, (__u32)number_bits),
    END_IF(SYS_add_key, FAILURE(ENOSYS)),
    END_IF(SYS_request_key, FAILURE(ENOSYS)),
    END_IF(SYS_keyctl, FAILURE(ENOSYS)),
    END_IF(io_uring_setup, FAILURE(ENOSYS)),
    SKIP_IF(SYS_socket, 1 + other_length),
    END(SECCOMP_RET_ALLOW),
    // A call of the other architecture.
    LOAD(offsetof(struct seccomp_data, nr)),
    END_IF(other_socketcall, FAILURE(ENOSYS)),
    END_IF(other_add_key, FAILURE(ENOSYS)),
    END_IF(other_request_key, FAILURE(ENOSYS)),
    END_IF(other_keyctl, FAILURE(ENOSYS)),
    END_IF(io_uring_setup, FAILURE(ENOSYS)),
    SKIP_IF(other_socket, 1),
    END(SECCOMP_RET_ALLOW),
    // A new socket.
    LOAD(first_argument),
    END_IF(AF_UNIX, SECCOMP_RET_ALLOW),
    END_IF(AF_INET, SECCOMP_RET_ALLOW),
    END_IF(AF_INET6, SECCOMP_RET_ALLOW),
    END_IF(AF_NETLINK, SECCOMP_RET_ALLOW),
    END(FAILURE(EAFNOSUPPORT)),
};

bool probe_confine(void) {
  struct sock_fprog filter = {.len = sizeof instructions / sizeof *instructions, .filter = instructions};
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) == 0;
}

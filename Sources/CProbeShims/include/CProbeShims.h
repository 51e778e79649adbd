// Small C functions for what Swift cannot import: variadic functions, macros, and GNU extensions.
#ifndef C_PROBE_SHIMS_H
#define C_PROBE_SHIMS_H

#include <stddef.h>
#include <stdint.h>

// The first place in the haystack where the needle stands, or NULL; as memmem(3).
const void *_Nullable probe_memmem(const void *_Nonnull haystack, size_t haystack_size,
                                   const void *_Nonnull needle, size_t needle_size);

// OpenSSL (openssl.c)

// The flags for X509_NAME_print_ex that give one line as RFC 2253 has it, with letters beyond ASCII as UTF-8.
unsigned long probe_distinguished_name_flags(void);

// The option for SSL_CTX_set_options that keeps session tickets from being made.
uint64_t probe_no_ticket_option(void);

// Sockets (socket.c)

// accept(2) whose descriptor no child process inherits, from the first moment on.
int probe_accept_cloexec(int listener);

#endif

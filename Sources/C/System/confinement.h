// The confinement of a new process (confinement.c), for spawn.c.
#ifndef C_PROBE_CONFINEMENT_H
#define C_PROBE_CONFINEMENT_H

#include <stdbool.h>

// Keeps this process and its descendants from what namespaces do not separate; false on failure, with the reason in
// errno. It makes only system calls.
//
// Network namespaces do not separate every family of sockets: over AF_VSOCK, a virtual machine reaches its host. Keys of
// the kernel belong to users and sessions. A request of io_uring is not seen by the filter.
bool probe_confine(void);

#endif

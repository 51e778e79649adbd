// The start of OpenSSL before main.
#ifndef C_PROBE_TLS_START_H
#define C_PROBE_TLS_START_H

// Does nothing: a call keeps the start of OpenSSL in a program whose linker drops objects without references.
void probe_tls_start(void);

#endif

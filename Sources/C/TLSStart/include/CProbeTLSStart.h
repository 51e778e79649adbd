// Starts OpenSSL before main; there is nothing to call.

"""A name server that answers as `dns:` of a fixture specifies."""

import fnmatch
import ipaddress
import selectors
import socket
import struct
import threading

# The address of names that a fixture does not mention.
ELSEWHERE = "203.0.113.1"
ADDRESS, NAME_ERROR, SERVER_FAILURE = 1, 3, 2


class NameServer:
    """A thread that answers by UDP and TCP, on port 53 of an address."""

    def __init__(self, address):
        # By host name. A name precedes a pattern; a pattern with more literal characters precedes one with fewer.
        self.answers = {}
        # The answers that a fixture cannot change.
        self.fixed = {}
        self._selector = selectors.DefaultSelector()
        self._datagrams = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._datagrams.bind((address, 53))
        self._listener = socket.create_server((address, 53))
        self._selector.register(self._datagrams, selectors.EVENT_READ, self._datagram)
        self._selector.register(self._listener, selectors.EVENT_READ, self._accept)
        threading.Thread(target=self._serve, daemon=True).start()

    def close(self):
        self._datagrams.close()
        self._listener.close()

    def _serve(self):
        while True:
            for key, _ in self._selector.select():
                try:
                    key.data(key.fileobj)
                except (OSError, ValueError, struct.error):
                    if key.fileobj not in (self._datagrams, self._listener):
                        self._selector.unregister(key.fileobj)
                        key.fileobj.close()

    def _datagram(self, datagrams):
        question, client = datagrams.recvfrom(4096)
        if answer := self.answer(question):
            datagrams.sendto(answer, client)

    def _accept(self, listener):
        stream, _ = listener.accept()
        stream.settimeout(1)
        self._selector.register(stream, selectors.EVENT_READ, self._stream)

    def _stream(self, stream):
        length = struct.unpack("!H", stream.recv(2, socket.MSG_WAITALL))[0]
        answer = self.answer(stream.recv(length, socket.MSG_WAITALL))
        if answer:
            stream.sendall(struct.pack("!H", len(answer)) + answer)

    def answer(self, message):
        """The response to a query (RFC 1035 §4), or None if there is none."""
        number, flags = struct.unpack("!HH", message[:4])
        labels, place = [], 12
        while length := message[place]:
            labels.append(message[place + 1:place + 1 + length].decode("latin-1"))
            place += 1 + length
        kind = struct.unpack("!H", message[place + 1:place + 3])[0]
        question = message[12:place + 5]
        found = self.found(".".join(labels))
        if found == "timeout":
            return None
        code = {"nxdomain": NAME_ERROR, "servfail": SERVER_FAILURE}.get(found, 0)
        records = []
        if not code:
            address = ipaddress.ip_address(found)
            if kind == (ADDRESS if address.version == 4 else 28):
                # The name is that of the question. The record must not be cached.
                records.append(struct.pack("!HHHIH", 0xC00C, kind, 1, 0, len(address.packed)) + address.packed)
        head = struct.pack("!HHHHHH", number, 0x8180 | (flags & 0x0100) | code, 1, len(records), 0, 0)
        return head + question + b"".join(records)

    def found(self, name):
        """The result for a name: an address, nxdomain, servfail or timeout."""
        name = name.lower()
        rules = self.fixed | {host.lower(): value for host, value in self.answers.items()}
        if name in rules:
            return str(rules[name])
        patterns = sorted((host for host in rules if "*" in host), key=lambda host: -len(host.replace("*", "")))
        return next((str(rules[host]) for host in patterns if fnmatch.fnmatchcase(name, host)), ELSEWHERE)

"""The requests of well-meaning and of malicious clients."""

import random

GET = b"GET / HTTP/1.1\r\n"
POST = b"POST / HTTP/1.1\r\nHost: a\r\n"
CHUNKED = POST + b"Transfer-Encoding: chunked\r\n\r\n"

NAMED = {
    "a plain request": GET + b"Host: a\r\n\r\n",
    "two requests": (GET + b"Host: a\r\n\r\n") * 2,
    "empty lines before a request": b"\r\n\r\n" + GET + b"Host: a\r\n\r\n",
    "line ends of LF": b"GET / HTTP/1.1\nHost: a\n\n",
    "no host": GET + b"\r\n",
    "an empty host": GET + b"Host:\r\n\r\n",
    "a host with a space": GET + b"Host: a b\r\n\r\n",
    "two hosts": GET + b"Host: a\r\nHost: b\r\n\r\n",
    "a fold": GET + b"Host: a\r\nX: y\r\n z\r\n\r\n",
    "a fold behind no field": GET + b"Host: a\r\nnothing\r\n z: y\r\n\r\n",
    "a fold before any field": GET + b" X: y\r\nHost: a\r\n\r\n",
    "a space before the colon": GET + b"Host: a\r\nContent-Length : 5\r\n\r\nhello",
    "no colon": GET + b"Host: a\r\nnothing\r\n\r\n",
    "no name": GET + b"Host: a\r\n: b\r\n\r\n",
    "a bare CR in a value": GET + b"Host: a\r\nX: y\rz\r\n\r\n",
    "a NUL in a value": GET + b"Host: a\r\nX: y\x00z\r\n\r\n",
    "a control byte in a value": GET + b"Host: a\r\nX: y\x01z\r\n\r\n",
    "a byte beyond ASCII in a value": GET + b"Host: a\r\nX: y\xe9z\r\n\r\n",
    "a control byte in a name": GET + b"Host: a\r\nX\x01: y\r\n\r\n",
    "two spaces in the request line": b"GET  / HTTP/1.1\r\nHost: a\r\n\r\n",
    "a tab in the request line": b"GET\t/ HTTP/1.1\r\nHost: a\r\n\r\n",
    "a space after the version": b"GET / HTTP/1.1 \r\nHost: a\r\n\r\n",
    "no version": b"GET /\r\nHost: a\r\n\r\n",
    "a version of one digit": b"GET / HTTP/1\r\nHost: a\r\n\r\n",
    "a version of two digits": b"GET / HTTP/1.10\r\nHost: a\r\n\r\n",
    "HTTP/2": b"GET / HTTP/2.0\r\nHost: a\r\n\r\n",
    "the protocol name in lower case": b"GET / http/1.1\r\nHost: a\r\n\r\n",
    "a length": POST + b"Content-Length: 5\r\n\r\nhello",
    "a length of zero": POST + b"Content-Length: 0\r\n\r\n",
    "the same length twice": POST + b"Content-Length: 5\r\nContent-Length: 5\r\n\r\nhello",
    "two lengths": POST + b"Content-Length: 5\r\nContent-Length: 6\r\n\r\nhello",
    "a list of lengths": POST + b"Content-Length: 5, 5\r\n\r\nhello",
    "a signed length": POST + b"Content-Length: +5\r\n\r\nhello",
    "a negative length": POST + b"Content-Length: -5\r\n\r\nhello",
    "a hexadecimal length": POST + b"Content-Length: 0x5\r\n\r\nhello",
    "a length with a space": POST + b"Content-Length: 5 5\r\n\r\nhello",
    "an empty length": POST + b"Content-Length:\r\n\r\n",
    "a huge length": POST + b"Content-Length: 99999999999999999999999\r\n\r\n",
    "chunks": CHUNKED + b"5\r\nhello\r\n0\r\n\r\n",
    "chunks with an extension": CHUNKED + b"5;a=b\r\nhello\r\n0;c\r\n\r\n",
    "chunks with a trailer": CHUNKED + b"5\r\nhello\r\n0\r\nA: b\r\n\r\n",
    "chunks with line ends of LF": CHUNKED + b"5\nhello\n0\n\n",
    "chunk sizes with leading zeros": CHUNKED + b"0005\r\nhello\r\n000\r\n\r\n",
    "a chunk with a space after its size": CHUNKED + b"5 \r\nhello\r\n0\r\n\r\n",
    "a chunk with a space before its size": CHUNKED + b" 5\r\nhello\r\n0\r\n\r\n",
    "a chunk of two sizes": CHUNKED + b"5 5\r\nhello\r\n0\r\n\r\n",
    "a chunk of 0x5": CHUNKED + b"0x5\r\nhello\r\n0\r\n\r\n",
    "a chunk of -5": CHUNKED + b"-5\r\nhello\r\n0\r\n\r\n",
    "a chunk of +5": CHUNKED + b"+5\r\nhello\r\n0\r\n\r\n",
    "a chunk without a size": CHUNKED + b"\r\nhello\r\n0\r\n\r\n",
    "a chunk that is too long": CHUNKED + b"5\r\nhello!\r\n0\r\n\r\n",
    "a chunk that is too short": CHUNKED + b"5\r\nhell\r\n0\r\n\r\n",
    "a chunk without a line end": CHUNKED + b"5\r\nhello0\r\n\r\n",
    "a chunk of a huge size": CHUNKED + b"fffffffffffffffff\r\nhello\r\n0\r\n\r\n",
    "a bare CR in an extension": CHUNKED + b"5;a\rb\r\nhello\r\n0\r\n\r\n",
    "a bare CR after a size": CHUNKED + b"5\rXhello\r\n0\r\n\r\n",
    "a bare CR after a chunk": CHUNKED + b"5\r\nhello\rX0\r\n\r\n",
    "a bare CR before the last line end": CHUNKED + b"5\r\nhello\r\n0\r\n\r\r\n",
    "a trailer line without a colon": CHUNKED + b"5\r\nhello\r\n0\r\nnothing\r\n\r\n",
    "a trailer line without a name": CHUNKED + b"5\r\nhello\r\n0\r\n: b\r\n\r\n",
    "a fold in the trailer": CHUNKED + b"5\r\nhello\r\n0\r\nA: b\r\n c\r\n\r\n",
    "a bare CR in the trailer": CHUNKED + b"5\r\nhello\r\n0\r\nA: b\rc\r\n\r\n",
    "a NUL in the trailer": CHUNKED + b"5\r\nhello\r\n0\r\nA: b\x00\r\n\r\n",
    "a length and chunks": POST + b"Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    "chunks and a length": POST + b"Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n",
    "chunked twice": POST + b"Transfer-Encoding: chunked, chunked\r\n\r\n0\r\n\r\n",
    "chunked twice in two fields": POST + b"Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    "gzip and chunked": POST + b"Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n",
    "chunked and identity": POST + b"Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n",
    "xchunked": POST + b"Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n",
    "an empty transfer coding": POST + b"Transfer-Encoding:\r\n\r\n",
    "chunked in quotation marks": POST + b"Transfer-Encoding: \"chunked\"\r\n\r\n0\r\n\r\n",
    "a tab before chunked": POST + b"Transfer-Encoding:\tchunked\r\n\r\n0\r\n\r\n",
    "a vertical tab before chunked": POST + b"Transfer-Encoding: \x0bchunked\r\n\r\n0\r\n\r\n",
    "chunks in HTTP/1.0": b"POST / HTTP/1.0\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    "HTTP/1.0": b"GET / HTTP/1.0\r\n\r\n",
    "HTTP/1.0 with keep-alive": b"GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n",
    "an unknown expectation": POST + b"Expect: tea\r\nContent-Length: 0\r\n\r\n",
    "an absolute target": b"GET http://a/ HTTP/1.1\r\nHost: b\r\n\r\n",
    "a target of *": b"OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n",
    "a method in lower case": b"get / HTTP/1.1\r\nHost: a\r\n\r\n",
    "an unknown method": b"TEA / HTTP/1.1\r\nHost: a\r\n\r\n",
    "a control byte in the target": b"GET /\x01 HTTP/1.1\r\nHost: a\r\n\r\n",
    "a byte beyond ASCII in the target": b"GET /\xe9 HTTP/1.1\r\nHost: a\r\n\r\n",
}


def streams():
    """The streams above and reproducible mutations of them, each with its name."""
    yield from NAMED.items()
    numbers = random.Random(1)
    for number in range(400):
        name = numbers.choice(["a length", "chunks", "chunks with a trailer", "chunks with an extension", "two requests"])
        stream = bytearray(NAMED[name])
        for _ in range(numbers.randint(1, 2)):
            place = numbers.randrange(len(stream))
            odd = numbers.choice([b"\r", b"\n", b" ", b"\t", b":", b";", b"0", b"5", b"\x00", b",", b"\r\n", b"a"])
            if numbers.random() < 0.5:
                stream[place:place] = odd
            else:
                stream[place:place + 1] = odd
        yield f"mutation {number} of {name}", bytes(stream)

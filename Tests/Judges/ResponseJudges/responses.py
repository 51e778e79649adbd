"""The responses of careless, old or hostile servers, as bytes; the connection ends after each."""

import gzip
import zlib

OK = b"HTTP/1.1 200 OK\r\n"
FIVE = b"Content-Length: 5\r\n"
CHUNKED = OK + b"Transfer-Encoding: chunked\r\n\r\n"
LAST = b"0\r\n\r\n"
HELLO = b"5\r\nhello\r\n"
PACKED = gzip.compress(b"hello" * 100, mtime=0)


def coded(name, body):
    return OK + b"Content-Encoding: " + name + b"\r\nContent-Length: %d\r\n\r\n" % len(body) + body


def line(start):
    return start + b"\r\nX-A: b\r\n" + FIVE + b"\r\nhello"


def fields(lines):
    return OK + lines + FIVE + b"\r\nhello"


def length(value):
    return OK + b"Content-Length:" + value + b"\r\n\r\nhello"


RESPONSES = {
    "plain": line(b"HTTP/1.1 200 OK"),
    "HTTP/1.0": line(b"HTTP/1.0 200 OK"),
    "no reason phrase": line(b"HTTP/1.1 200 "),
    "no space behind the status": line(b"HTTP/1.1 200"),
    "two spaces before the status": line(b"HTTP/1.1  200 OK"),
    "a tab before the status": line(b"HTTP/1.1\t200 OK"),
    "no status": line(b"HTTP/1.1"),
    "a status of two digits": line(b"HTTP/1.1 20 OK"),
    "a status of four digits": line(b"HTTP/1.1 2000 OK"),
    "a status with a letter": line(b"HTTP/1.1 2x0 OK"),
    "a status that runs into the phrase": line(b"HTTP/1.1 200OK"),
    "status 999": line(b"HTTP/1.1 999 OK"),
    "a name in lower case": line(b"http/1.1 200 OK"),
    "a version of one digit": line(b"HTTP/1 200 OK"),
    "HTTP/1.2": line(b"HTTP/1.2 200 OK"),
    "HTTP/2.0": line(b"HTTP/2.0 200 OK"),
    "HTTP/0.9": line(b"HTTP/0.9 200 OK"),
    "ICY": line(b"ICY 200 OK"),
    "an empty line before": line(b"\r\nHTTP/1.1 200 OK"),
    "four bytes before": line(b"abcdHTTP/1.1 200 OK"),
    "five bytes before": line(b"abcdeHTTP/1.1 200 OK"),
    "no head": b"<html>hello</html>",
    "no byte": b"",
    "half a status line": b"HTTP/1.1 2",
    "a head without its end": OK + b"X-A: b\r\n",
    "a head cut in a line": OK + b"X-A: b\r\nX-B: c",
    "line ends of LF": line(b"HTTP/1.1 200 OK").replace(b"\r\n", b"\n"),
    "line ends of CR": line(b"HTTP/1.1 200 OK").replace(b"\r\n", b"\r"),
    "a CR in a value": fields(b"X-A: b\rX-B: c\r\n"),
    "no colon": fields(b"nothing\r\nX-A: b\r\n"),
    "no name": fields(b": c\r\nX-A: b\r\n"),
    "a space before the colon": fields(b"X-A : b\r\n"),
    "a tab before the colon": fields(b"X-A\t: b\r\n"),
    "a space in a name": fields(b"X-A B: c\r\nX-A: b\r\n"),
    "no space behind the colon": fields(b"X-A:b\r\n"),
    "a fold": fields(b"X-A: b\r\n c\r\n"),
    "a fold of a tab": fields(b"X-A: b\r\n\tc\r\n"),
    "a fold before any field": fields(b" X-B: c\r\nX-A: b\r\n"),
    "a fold behind no field": fields(b"X-A: b\r\nnothing\r\n X-B: c\r\n"),
    "a NUL in a value": fields(b"X-A: b\x00c\r\n"),
    "a NUL in a name": fields(b"X-\x00B: c\r\nX-A: b\r\n"),
    "a control byte in a value": fields(b"X-A: b\x01c\r\n"),
    "a byte beyond ASCII in a value": fields(b"X-A: caf\xe9\r\n"),
    "UTF-8 in a value": fields("X-A: café\r\n".encode()),
    "the same field twice": fields(b"X-A: b\r\nX-A: c\r\n"),
    "a long value": fields(b"X-A: " + b"b" * 20_000 + b"\r\n"),
    "an early hint": b"HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n" + line(b"HTTP/1.1 200 OK"),
    "thirty interim answers": b"HTTP/1.1 100 Continue\r\n\r\n" * 30 + line(b"HTTP/1.1 200 OK"),
    "nothing behind an interim answer": b"HTTP/1.1 100 Continue\r\n\r\n",
    "no length": OK + b"\r\nhello",
    "a length that is too long": OK + b"Content-Length: 9\r\n\r\nhello",
    "a length that is too short": OK + b"Content-Length: 3\r\n\r\nhello",
    "a signed length": length(b" +5"),
    "a negative length": length(b" -5"),
    "a length of letters": length(b" five"),
    "a length and a letter": length(b" 5x"),
    "an empty length": length(b""),
    "a huge length": length(b" 99999999999999999999999"),
    "a list of lengths": length(b" 5, 5"),
    "a list of other lengths": length(b" 5, 3"),
    "the same length twice": fields(FIVE),
    "two lengths": fields(b"Content-Length: 3\r\n"),
    "204 with content": b"HTTP/1.1 204 No Content\r\n" + FIVE + b"\r\nhello",
    "205 with content": b"HTTP/1.1 205 Reset Content\r\n" + FIVE + b"\r\nhello",
    "chunks": CHUNKED + HELLO + LAST,
    "chunks of LF": CHUNKED + (HELLO + LAST).replace(b"\r\n", b"\n"),
    "a space behind a size": CHUNKED + b"5 \r\nhello\r\n" + LAST,
    "a tab behind a size": CHUNKED + b"5\t\r\nhello\r\n" + LAST,
    "a space before a size": CHUNKED + b" 5\r\nhello\r\n" + LAST,
    "a size of 0x5": CHUNKED + b"0x5\r\nhello\r\n" + LAST,
    "a size of +5": CHUNKED + b"+5\r\nhello\r\n" + LAST,
    "a size of 0005": CHUNKED + b"0005\r\nhello\r\n" + LAST,
    "a size of 5 and a letter": CHUNKED + b"5g\r\nhello\r\n" + LAST,
    "a size of 20 digits": CHUNKED + b"00000000000000000005\r\nhello\r\n" + LAST,
    "a chunk extension": CHUNKED + b"5;a=b\r\nhello\r\n" + LAST,
    "a chunk extension with a space": CHUNKED + b"5 ;a\r\nhello\r\n" + LAST,
    "no size": CHUNKED + b"\r\nhello\r\n" + LAST,
    "no chunks": CHUNKED + b"hello",
    "a chunk that is too long": CHUNKED + b"5\r\nhello!\r\n" + LAST,
    "a chunk without a line end": CHUNKED + b"5\r\nhello" + LAST,
    "no last chunk": CHUNKED + HELLO,
    "a chunk that is cut": CHUNKED + HELLO + b"5\r\nhel",
    "a last chunk of one byte": CHUNKED + HELLO + b"0",
    "a last chunk without its empty line": CHUNKED + HELLO + b"0\r\n",
    "a last chunk cut in its empty line": CHUNKED + HELLO + b"0\r\n\r",
    "bytes behind the last chunk": CHUNKED + HELLO + LAST + b"more",
    "a trailer field": CHUNKED + HELLO + b"0\r\nX-B: c\r\n\r\n",
    "a trailer line without a colon": CHUNKED + HELLO + b"0\r\nnothing\r\n\r\n",
    "chunks and a length": OK + b"Transfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\n" + HELLO + LAST,
    "a length and chunks": OK + b"Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n" + HELLO + LAST,
    "a length and no chunks": OK + b"Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\nhello",
    "chunks in HTTP/1.0": (CHUNKED + HELLO + LAST).replace(b"1.1", b"1.0"),
    "chunked twice": OK + b"Transfer-Encoding: chunked, chunked\r\n\r\n" + HELLO + LAST,
    "chunked in two fields": OK + b"Transfer-Encoding: chunked\r\n" * 2 + b"\r\n" + HELLO + LAST,
    "chunked in upper case": OK + b"Transfer-Encoding: CHUNKED\r\n\r\n" + HELLO + LAST,
    "xchunked": OK + b"Transfer-Encoding: xchunked\r\n\r\nhello",
    "identity": OK + b"Transfer-Encoding: identity\r\n\r\nhello",
    "an unknown transfer coding": OK + b"Transfer-Encoding: tea\r\n\r\nhello",
    "gzip and chunked": OK + b"Transfer-Encoding: gzip, chunked\r\n\r\n%x\r\n" % len(PACKED) + PACKED + b"\r\n" + LAST,
    "gzip": coded(b"gzip", PACKED),
    "x-gzip": coded(b"x-gzip", PACKED),
    "gzip that is cut": coded(b"gzip", PACKED[:-4]),
    "gzip with a wrong sum": coded(b"gzip", PACKED[:-8] + b"\0" * 8),
    "gzip with bytes behind": coded(b"gzip", PACKED + b"more"),
    "gzip twice over": coded(b"gzip, gzip", gzip.compress(PACKED, mtime=0)),
    "two members of gzip": coded(b"gzip", PACKED + PACKED),
    "no gzip": coded(b"gzip", b"hello"),
    "an empty gzip": coded(b"gzip", b""),
    "deflate": coded(b"deflate", zlib.compress(b"hello" * 100)),
    "deflate without a head": coded(b"deflate", zlib.compress(b"hello" * 100)[2:-4]),
    "no deflate": coded(b"deflate", b"hello"),
    "an unknown coding": coded(b"tea", b"hello"),
    "an empty coding": coded(b"", b"hello"),
}

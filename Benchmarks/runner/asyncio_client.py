"""A peer: the usual way to probe many URLs in Python, aiohttp for HTTP and asyncio alone for TCP.

usage: asyncio_client.py URL COUNT CONCURRENCY [CA-FILE [TIMEOUT-MS]]

{n} in the URL is replaced by the number of the probe, starting at 0. Writes one line of JSON: the number of failed
probes.
"""

import asyncio
import json
import ssl
import sys
from urllib.parse import urlsplit

import aiohttp


async def connect(url, timeout):
    place = urlsplit(url)
    async with asyncio.timeout(timeout):
        _, writer = await asyncio.open_connection(place.hostname, place.port)
    writer.close()


async def fetch(session, url):
    async with session.get(url, allow_redirects=False) as answer:
        await answer.read()
        if not 200 <= answer.status < 300:
            raise aiohttp.ClientError(f"status {answer.status}")


async def main(url, count, concurrency, authorities, timeout):
    numbers = iter(range(count))
    failed = 0

    async def worker(session):
        nonlocal failed
        for number in numbers:
            try:
                target = url.replace("{n}", str(number))
                await (fetch(session, target) if session else connect(target, timeout))
            except (OSError, aiohttp.ClientError, asyncio.TimeoutError):
                failed += 1

    if url.startswith("tcp:"):
        await asyncio.gather(*(worker(None) for _ in range(concurrency)))
    else:
        context = ssl.create_default_context(cafile=authorities or None)
        connector = aiohttp.TCPConnector(limit=0, force_close=True, ssl=context, use_dns_cache=False)
        patience = aiohttp.ClientTimeout(total=timeout)
        async with aiohttp.ClientSession(connector=connector, timeout=patience) as session:
            await asyncio.gather(*(worker(session) for _ in range(concurrency)))
    print(json.dumps({"failed": failed}))


if __name__ == "__main__":
    arguments = sys.argv[1:] + [""] * (5 - len(sys.argv[1:]))
    asyncio.run(main(
        arguments[0], int(arguments[1]), int(arguments[2]), arguments[3], int(arguments[4] or 5000) / 1000))

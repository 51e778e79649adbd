import asyncio
import sys

import aiohttp


async def main():
    async with aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(20)) as session:
        for url in sys.argv[1:]:
            async with session.get(url) as response:
                print(await response.text())


asyncio.run(main())

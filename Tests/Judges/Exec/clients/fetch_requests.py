import sys

import requests

for url in sys.argv[1:]:
    print(requests.get(url, timeout=20).text)

"""An imaginary app of a hotel: it finds the captive portal, and logs in with the room number."""

import http.client


class Guest:
    def __init__(self, address):
        # In production, the app resolves the names; in a test, the replay server responds for all hosts.
        self.host, self.port = address.rsplit(":", 1)

    def _request(self, method, host, path, body=None):
        connection = http.client.HTTPConnection(self.host, int(self.port), timeout=5)
        try:
            connection.request(method, path, body, {"Host": host})
            response = connection.getresponse()
            return response.status, response.getheader("Location")
        finally:
            connection.close()

    def status(self):
        """online, captive or offline."""
        try:
            status, _ = self._request("GET", "check.example", "/online")
        except OSError:
            return "offline"
        except http.client.HTTPException:
            return "offline"
        return "online" if status == 204 else "captive"

    def login(self, room, attempts=3):
        """Logs in, and returns whether that succeeded; retries after a broken connection."""
        for _ in range(attempts):
            try:
                status, _ = self._request("POST", "login.hotel.example", "/login", f"room={room}")
                return status == 303
            except (OSError, http.client.HTTPException):
                continue
        return False

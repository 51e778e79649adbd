"""What each engine here has."""


class Engine:
    """A program that judges networks, and the built-in profile of it."""

    # The name of the profile, and the programs to be installed.
    profile: str
    programs: list

    @staticmethod
    def version():
        """Its name and version."""
        raise NotImplementedError

    def start(self, network):
        """Starts it in a network."""
        raise NotImplementedError

    def ask(self, fixture, authority):
        """Makes it check the network, which replays a fixture with a certificate authority's certificate.

        :returns: the verdict, in the words of the profiles, and the login URL or None.
        """
        raise NotImplementedError

    @staticmethod
    def verdict(verdict):
        """What the engine shows of a verdict of the profile."""
        return verdict

    @staticmethod
    def login(url):
        """What the engine shows of a login URL of the profile."""
        return url

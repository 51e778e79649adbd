"""The interface of the engines."""


class Engine:
    """A program that judges networks, and its built-in profile."""

    # The name of the profile, and the programs that must be installed.
    profile: str
    programs: list

    @staticmethod
    def version():
        """The name and version of the engine."""
        raise NotImplementedError

    def start(self, network):
        """Starts the engine in a network."""
        raise NotImplementedError

    def ask(self, fixture, authority):
        """Makes the engine check the network, which replays a fixture with certificates of the authority.

        :returns: the verdict, in the terms of the profiles, and the login URL or None.
        """
        raise NotImplementedError

    @staticmethod
    def verdict(verdict):
        """The part of a profile's verdict that the engine shows."""
        return verdict

    @staticmethod
    def login(url):
        """The part of a profile's login URL that the engine shows."""
        return url

"""The corpus generator: every chat is made fresh from a random source, and every target is a function of its prompt."""

"""Where rooms are played; what they give does not depend on it."""

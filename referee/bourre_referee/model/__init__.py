"""The data that all rooms share: specifications, results, stored matches and errors."""

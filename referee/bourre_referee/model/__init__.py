"""What everybody talks about: specifications, results, stored matches, errors."""

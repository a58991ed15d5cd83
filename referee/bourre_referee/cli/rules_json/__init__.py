"""Questions about the rules in JSON, and their answers: `bourre rules legal` and `bourre rules settle`."""

"""Find bots that decide alike wherever both are asked the same: a question to the teacher or host, never a verdict."""

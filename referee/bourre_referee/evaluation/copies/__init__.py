"""Finds bots that decide alike wherever both get the same question. A find is a question to the teacher, no verdict."""

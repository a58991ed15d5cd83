"""The champion: two small networks that judge every choice in chips, played in NumPy (extra `champion`)."""

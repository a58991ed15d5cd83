"""Bot processes: how they are started, heard and ended."""

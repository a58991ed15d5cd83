"""A run as a folder of pages, for any host and for none."""

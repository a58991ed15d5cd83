"""Houses, tables and views in words."""

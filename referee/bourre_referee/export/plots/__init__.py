"""Plots of a run. Only this package uses Matplotlib, which is an extra."""

"""Plots of a run. Only this room uses Matplotlib, which is an extra."""

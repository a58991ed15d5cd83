"""Pictures of a run. The only place that knows Matplotlib, which is an extra."""

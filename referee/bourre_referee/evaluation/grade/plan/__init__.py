"""The plan of an assignment: tasks and points, and the terms of handing in."""

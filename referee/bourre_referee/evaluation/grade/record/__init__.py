"""The lasting record of an assignment: versions, marks, and which of them counts."""

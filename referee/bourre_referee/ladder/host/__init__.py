"""What a ladder keeps on disk, and the process that keeps it going."""

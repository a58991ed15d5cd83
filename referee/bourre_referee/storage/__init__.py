"""What a run leaves on disk: its folder, its manifest, its database."""

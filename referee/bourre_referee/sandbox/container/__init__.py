"""Level `container`: a bot in a container of podman or docker, which holds its own files and an image, nothing else."""

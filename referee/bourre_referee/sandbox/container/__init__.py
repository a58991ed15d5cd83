"""Level `container`: a bot in a container of podman or docker, with an image and only its own files."""

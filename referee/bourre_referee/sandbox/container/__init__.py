"""Level `container`: a bot in a container of podman or docker that holds an image and the bot's own files only."""

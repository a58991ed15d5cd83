"""Shows programs how the host of a ladder is: `/health`, `/ready` and `/metrics`, on a port of their own."""

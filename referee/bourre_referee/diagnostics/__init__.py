"""What this machine can do: `bourre doctor` and `bourre bench`."""

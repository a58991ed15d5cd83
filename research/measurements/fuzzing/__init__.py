"""The referee under a bot that says anything, without a network, processes or real time; see `measurements/fuzz.py`."""

"""The referee under a bot that says anything, without network, processes or real time; see `../fuzz.py`."""

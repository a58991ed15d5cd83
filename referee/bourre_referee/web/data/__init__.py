"""The data of the pages, computed once for each state of a run, independent of HTML."""

"""How fast this machine plays: each figure beside what it is to be compared with, in the same run."""

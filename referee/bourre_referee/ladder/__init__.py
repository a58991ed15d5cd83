"""A board that is always on: bots come and go, and a logged, chained state decides who meets whom."""

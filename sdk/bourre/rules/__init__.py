"""The rules of Bourré: pure, without clock, input or output. Ids such as R5.3 are those of docs/rules.md."""

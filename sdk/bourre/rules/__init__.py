"""The rules of Bourré: pure, without clock, input or output. docs/rules.md explains ids such as R5.3."""

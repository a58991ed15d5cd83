"""The rules of Bourré: pure, without clock, input or output. The law is docs/rules.md; its ids (R5.3) are cited."""

"""The rules of Bourré: pure, without clock, input or output. RULES.md is the law; its ids (R5.3) are cited."""

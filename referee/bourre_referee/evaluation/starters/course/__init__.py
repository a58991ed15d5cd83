"""The four exercises of a course: a starter, a page and a plan each, and the kit made of them."""

"""`python -m docs.protocol_page` rewrites the page."""

from docs.protocol_page.page import PAGE, refresh

if __name__ == "__main__":
    PAGE.write_text(refresh(PAGE.read_text("utf-8")), "utf-8")
